package org.jvrpc.benchmarks.soak.audit;

/**
 * A figure that grows where something leaks.
 *
 * @param name of the figure, with its unit
 * @param allowance how much growth from the first third of a campaign to its last is none
 */
public record Leak(String name, long allowance) {
}
