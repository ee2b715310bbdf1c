/**
 * Real RDMA: verbs in Java beside C and perftest on the same device, calls over {@code rdma://} beside TCP on the same
 * link. Owns both ends of each verb, the C loop and its build, perftest's runs, and what is counted: system calls and
 * allocation. Must never know how tables are printed. Times are those of whole round trips, in nanoseconds. One thread
 * in each process.
 */
package org.jvrpc.benchmarks.rdma;
