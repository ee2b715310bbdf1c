/**
 * Latency of single calls: plans, rounds with the bare limit beside each turn, and what is measured beside them:
 * batches without the clock, and calls at fixed times.
 */
package org.jvrpc.benchmarks.latency;
