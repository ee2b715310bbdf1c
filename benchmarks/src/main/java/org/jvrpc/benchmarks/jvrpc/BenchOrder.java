package org.jvrpc.benchmarks.jvrpc;

import java.io.Serializable;

/** A record of five fields and a String. */
public record BenchOrder(long id, int account, int quantity, double price, Side side, String symbol)
        implements Serializable {

    private static final long serialVersionUID = 1L;

    /** Buy or sell. */
    public enum Side {
        /** Buy. */
        BUY,
        /** Sell. */
        SELL
    }

    /** Returns an order of a number. */
    public static BenchOrder of(long id) {
        return new BenchOrder(id, 4711, 100, 101.25, (id & 1) == 0 ? Side.BUY : Side.SELL, "JVRPC");
    }

    /** Returns a number that depends on every field. */
    public long digest() {
        return id + account + quantity + (long) price + side.ordinal() + symbol.length();
    }
}
