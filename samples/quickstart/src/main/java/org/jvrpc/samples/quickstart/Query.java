package org.jvrpc.samples.quickstart;

/**
 * What a report is about.
 *
 * @param symbol whose orders
 * @param instrument whose prices
 */
public record Query(String symbol, long instrument) {
}
