/**
 * {@code jvrpc rperf}.
 */
package org.jvrpc.tools.watch.rperf;
