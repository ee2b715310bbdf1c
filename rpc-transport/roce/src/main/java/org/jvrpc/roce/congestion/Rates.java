package org.jvrpc.roce.congestion;

/** Bounds of the rates that this package computes with, so that no product overflows and every recovery ends. */
final class Rates {

    static final long MEGABIT = 1_000_000;
    static final long LEAST = MEGABIT;
    /** Ten terabits a second, less than 2^44. */
    static final long MOST = 10_000_000 * MEGABIT;

    private Rates() {
    }

    /** Returns {@code value}, which the caller calls {@code name}, when it is from 1 Mb/s to 10 Tb/s. */
    static long check(String name, long value) {
        return check(name, value, LEAST, MOST);
    }

    /** Returns {@code value} when it is one of {@code least} to {@code most}. */
    static long check(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + "=" + value + " least=" + least + " most=" + most);
        }
        return value;
    }
}
