package org.jvrpc.tools.watch.pingmesh;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for a state, for 60 s at most. */
final class Until {

    static final long LIMIT_NS = 60_000_000_000L;

    private Until() {
    }

    static void until(String what, BooleanSupplier holds) {
        long startNs = System.nanoTime();
        while (!holds.getAsBoolean()) {
            if (System.nanoTime() - startNs > LIMIT_NS) {
                throw new AssertionError("waited in vain for " + what);
            }
            LockSupport.parkNanos(200_000);
        }
    }
}
