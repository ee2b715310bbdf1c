package org.jvrpc.testing.fuzz;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.function.LongSupplier;

/** What a target must find true of each input. */
public final class FuzzCheck {

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private static volatile AssertionError failed;

    private FuzzCheck() {
    }

    /** @param what is shown where it does not hold */
    public static void that(boolean holds, Object what) {
        if (!holds) {
            AssertionError error = new AssertionError(what);
            failed = error;
            throw error;
        }
    }

    /** Throws what did not hold, for the end of an input: the code that called back may have caught it. */
    public static void done() {
        AssertionError error = forget();
        if (error != null) {
            throw error;
        }
    }

    /** Forgets what did not hold, and returns it, or null; for the beginning of a test, too, behind others. */
    public static AssertionError forget() {
        AssertionError error = failed;
        failed = null;
        return error;
    }

    /**
     * Runs something, and finds that it allocates no more than so many bytes: as a fuzzer counts, which adds some. What
     * allocates more is run again, since its first time loads classes.
     */
    public static void allocates(long most, Runnable work) {
        allocates(() -> most, work);
    }

    /** As {@link #allocates(long, Runnable)}, where how much it may be is known when it has run. */
    public static void allocates(LongSupplier most, Runnable work) {
        long bytes = allocated(work);
        for (int again = 0; again < 2 && bytes > most.getAsLong(); again++) {
            bytes = allocated(work);
        }
        that(bytes <= most.getAsLong(), "allocated bytes=" + bytes);
    }

    private static long allocated(Runnable work) {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        work.run();
        return THREADS.getCurrentThreadAllocatedBytes() - before;
    }
}
