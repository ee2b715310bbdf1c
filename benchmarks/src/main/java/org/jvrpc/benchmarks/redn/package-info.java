/**
 * Programs of WRs under load: {@code if} constructs in a loop, and lookups of a host in another process, whose part in
 * them is to hold the memory. Times are nanoseconds. One thread in each process.
 */
package org.jvrpc.benchmarks.redn;
