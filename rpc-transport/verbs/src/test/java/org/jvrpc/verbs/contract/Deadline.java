package org.jvrpc.verbs.contract;

import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** A point in time past which a wait is a failure. Waits spin: what they wait for is near. */
public final class Deadline {

    /** How long any single wait of a test may take on a host that is busy otherwise, in nanoseconds. */
    public static final long BOUND_NS = 30_000_000_000L;

    private final long startNs = System.nanoTime();
    private final long boundNs;
    private int turns;

    private Deadline(long boundNs) {
        this.boundNs = boundNs;
    }

    /** Begins the usual bound now. */
    public static Deadline usual() {
        return new Deadline(BOUND_NS);
    }

    /** Begins a bound of milliseconds now. */
    public static Deadline ofMillis(long millis) {
        return new Deadline(millis * 1_000_000);
    }

    /** Returns true when time is over. */
    public boolean isOver() {
        return elapsedNs() > boundNs;
    }

    /** Returns the time since it began. */
    public long elapsedNs() {
        return System.nanoTime() - startNs;
    }

    /** Lets another thread run now and then, and fails when time is over. */
    public void turn(Supplier<String> seen) {
        if ((++turns & 63) == 0) {
            Thread.yield();
        } else {
            Thread.onSpinWait();
        }
        if (isOver()) {
            throw new AssertionError("nothing within " + boundNs / 1_000_000 + " ms: " + seen.get());
        }
    }

    /** Waits the usual bound for a condition. */
    public static void until(String what, BooleanSupplier condition) {
        until(what, condition, () -> "");
    }

    /** Waits the usual bound for a condition, and tells what was seen when it does not come true. */
    public static void until(String what, BooleanSupplier condition, Supplier<String> seen) {
        Deadline deadline = usual();
        while (!condition.getAsBoolean()) {
            deadline.turn(() -> what + " " + seen.get());
        }
    }
}
