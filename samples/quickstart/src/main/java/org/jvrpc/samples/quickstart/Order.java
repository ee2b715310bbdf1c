package org.jvrpc.samples.quickstart;

import java.util.List;

/**
 * What is ordered. A record of values, an enum and a list of records: such types travel by themselves.
 *
 * @param id 0 for one that is not placed yet; the book numbers it
 * @param symbol 1 to {@value OrderBook#MAX_SYMBOL_LENGTH} characters
 * @param side which way
 * @param quantity more than 0
 * @param price of one
 * @param legs empty for a plain order, up to {@value OrderBook#MAX_LEGS}
 */
public record Order(long id, String symbol, Side side, int quantity, double price, List<Leg> legs) {

    /** Returns this order under another number. */
    Order withId(long other) {
        return new Order(other, symbol, side, quantity, price, legs);
    }
}
