package org.jvrpc.samples.quickstart;

import java.util.Map;

/**
 * What a book knows of a symbol and an instrument.
 *
 * @param book names this book: another number means another book, which knows nothing of what this one was told
 * @param placed orders of the symbol that were ever placed
 * @param quantityBySide what the orders of the symbol that are still kept sum up to; sides without orders are missing
 * @param ticks prices of the instrument that were ever told
 * @param lastPrice the last of them, NaN without one
 */
public record Report(long book, long placed, Map<Side, Long> quantityBySide, long ticks, double lastPrice) {
}
