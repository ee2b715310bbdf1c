/**
 * The command {@code benchmarks/bench}: one class for each benchmark, and the list of contenders. Owns what is measured
 * and how long; leaves processes to {@code harness} and arithmetic to {@code report}. Times in nanoseconds unless a
 * name says otherwise. One thread.
 */
package org.jvrpc.benchmarks;
