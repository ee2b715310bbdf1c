/** One-way streams between two processes, of jvRPC and of peers. */
package org.jvrpc.benchmarks.stream;
