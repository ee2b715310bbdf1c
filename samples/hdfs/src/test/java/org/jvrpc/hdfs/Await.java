package org.jvrpc.hdfs;

import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for states. */
final class Await {

    private static final long LIMIT_NS = 30_000_000_000L;

    private Await() {
    }

    /** Waits until a state is reached. @param seen what to print when it is not */
    static void until(String what, BooleanSupplier reached, Supplier<Object> seen) throws InterruptedException {
        long begunNs = System.nanoTime();
        while (!reached.getAsBoolean()) {
            if (System.nanoTime() - begunNs > LIMIT_NS) {
                throw new AssertionError("no " + what + " in 30 s, seen: " + seen.get());
            }
            Thread.sleep(2);
        }
    }
}
