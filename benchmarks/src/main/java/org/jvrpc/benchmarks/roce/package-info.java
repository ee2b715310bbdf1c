/** Verbs and calls over {@code roce://} beside bare datagrams, all over the loopback device. */
package org.jvrpc.benchmarks.roce;
