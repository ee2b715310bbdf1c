/**
 * {@code jvrpc counters}.
 */
package org.jvrpc.tools.watch.counters;
