/**
 * RPerf's six experiments in the simulated fabric, measured by rperf itself: what a short message waits at a switch
 * beside bulks. Simulated time, one thread. Times in nanoseconds, rates in Gb/s.
 *
 * <p>Source: Katebzadeh, Costa, Grot, "Evaluation of an InfiniBand Switch: Choose Latency or Bandwidth, but Not Both",
 * ISPASS 2020. Its figures are pictures that we do not have: orders and shapes are compared, not numbers.
 */
package org.jvrpc.watch.fabric.experiments;
