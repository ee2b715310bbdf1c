package org.jvrpc.benchmarks.jvrpc;

/** A record of fixed size. */
public record BenchTick(long instrument, int quantity, double price) {
}
