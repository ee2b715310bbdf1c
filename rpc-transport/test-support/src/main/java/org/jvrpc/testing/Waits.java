package org.jvrpc.testing;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Waits for a state. The limit is one that no machine reaches where the state is to come: 30 s, times the property
 * {@code jvrpc.testing.scale}, which is 1 by default and 4 in the virtual machine of {@code .ci/rdma-vm}.
 */
public final class Waits {

    private static final String SCALE = "jvrpc.testing.scale";
    private static final long LIMIT_NS = scaled(Duration.ofSeconds(30));
    private static final long LOOK_NS = 200_000;
    private static final int LOOKS_AT_ONCE = 200;

    private Waits() {
    }

    /** Returns a limit as it is on this machine. */
    static long scaled(Duration limit) {
        String chosen = System.getProperty(SCALE);
        long scale = chosen != null ? Long.parseLong(chosen) : "1".equals(System.getenv("JVRPC_VM")) ? 4 : 1;
        return limit.toNanos() * scale;
    }

    /** Returns how long any single wait of a test may take. */
    public static long limitNs() {
        return LIMIT_NS;
    }

    /**
     * Waits until a condition holds.
     *
     * @param what names it, for instance "the client to notice"
     * @throws AssertionError when it does not within the limit
     */
    public static void until(String what, BooleanSupplier condition) {
        until(what, condition, () -> "");
    }

    /**
     * Waits until a condition holds.
     *
     * @param seen tells what there is instead, for the failure; asked once, at the end
     */
    public static void until(String what, BooleanSupplier condition, Supplier<?> seen) {
        long startNs = System.nanoTime();
        for (int looks = 0; !condition.getAsBoolean(); looks++) {
            if (System.nanoTime() - startNs > LIMIT_NS) {
                String last = String.valueOf(seen.get());
                throw new AssertionError("waited " + LIMIT_NS / 1_000_000_000 + " s in vain for " + what
                        + (last.isEmpty() ? "" : "; seen last: " + last));
            }
            pause(looks);
        }
    }

    /** What is near is seen at once; what is far takes no processor from those who bring it about. */
    private static void pause(int looks) {
        if (looks < LOOKS_AT_ONCE) {
            Thread.yield();
        } else {
            LockSupport.parkNanos(LOOK_NS);
        }
    }
}
