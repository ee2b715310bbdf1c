/**
 * Reads counters of RDMA devices and network cards, and of our own devices, under the names that Linux has for them;
 * makes rates and pauses of them and holds rules against them. It knows no collector and no page. A counter that cannot
 * be read is named with the reason: it is never 0 and never left out. Each object is of one thread unless it says
 * otherwise. Nanoseconds are monotonic, and a caller passes them in.
 */
package org.jvrpc.watch.counters;
