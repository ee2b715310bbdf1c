/**
 * What the machine itself allows: the cache-line ping-pong between two processes, and one core's copy bandwidth.
 * Nothing that carries a call can be faster. Times in nanoseconds, sizes in bytes. One thread in each process.
 */
package org.jvrpc.benchmarks.limit;
