/**
 * What becomes of measurements: statistics of rounds and their medians, named figures and their JSON, tables with
 * ratios. Pure: no clock, process or file but the one that figures are written to. Durations in nanoseconds. One
 * thread.
 */
package org.jvrpc.benchmarks.report;
