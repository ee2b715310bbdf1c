package org.jvrpc.benchmarks.soak;

/**
 * A figure that grows where something leaks.
 *
 * @param allowance how much growth from the first third of a campaign to its last is none
 */
record Leak(String name, long allowance) {
}
