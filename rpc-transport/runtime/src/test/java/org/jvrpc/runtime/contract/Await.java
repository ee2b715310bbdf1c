package org.jvrpc.runtime.contract;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jvrpc.testing.Waits;

/** Bounded waits. */
public final class Await {

    /** Longer than anything here takes on a loaded machine. */
    public static final long BOUND_NS = Waits.limitNs();
    private static final long LOOK_NS = 200_000;
    private static final int LOOKS_ASLEEP = 20;

    private Await() {
    }

    /** Waits until a condition holds. */
    public static void until(String what, BooleanSupplier condition) {
        Waits.until(what, condition);
    }

    /** Waits a given time at most until a condition holds; returns how long it took. */
    public static long within(long boundNs, String what, BooleanSupplier condition) {
        long startNs = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - startNs > boundNs) {
                throw new AssertionError("waited " + boundNs / 1_000_000 + " ms in vain for " + what);
            }
            LockSupport.parkNanos(LOOK_NS);
        }
        return System.nanoTime() - startNs;
    }

    /**
     * Tries something that has to get somewhere in a time, with ever longer ones, until it does: a machine may be slow,
     * or busy.
     *
     * @param attempt returns false when the time was over too early for what is tested
     */
    public static void inTime(String what, Duration shortest, Predicate<Duration> attempt) {
        Duration time = shortest;
        while (!attempt.test(time)) {
            time = time.multipliedBy(4);
            if (time.toNanos() > BOUND_NS) {
                throw new AssertionError("no time was enough for " + what + ", not even " + time.dividedBy(4));
            }
        }
    }

    /** Waits until the threads whose names begin so have used no processor for some milliseconds: until they sleep. */
    public static void asleep(String threads) {
        ThreadMXBean bean = ManagementFactory.getThreadMXBean();
        long[] seen = {-1, 0};
        until(threads + " to sleep", () -> {
            long usedNs = 0;
            for (ThreadInfo thread : bean.getThreadInfo(bean.getAllThreadIds())) {
                if (thread != null && thread.getThreadName().startsWith(threads)) {
                    usedNs += bean.getThreadCpuTime(thread.getThreadId());
                }
            }
            seen[1] = usedNs == seen[0] ? seen[1] + 1 : 0;
            seen[0] = usedNs;
            return seen[1] == LOOKS_ASLEEP;
        });
    }

    /** Waits for a latch. */
    public static void latch(String what, CountDownLatch latch) {
        try {
            if (!latch.await(BOUND_NS, TimeUnit.NANOSECONDS)) {
                throw new AssertionError("waited in vain for " + what);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /** Waits for a future and returns what it ended with: its value, or what it failed with. */
    public static Object outcome(CompletableFuture<?> future) {
        try {
            return future.get(BOUND_NS, TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            return e.getCause();
        } catch (TimeoutException e) {
            throw new AssertionError("future did not end", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        } catch (java.util.concurrent.CancellationException e) {
            return e;
        }
    }

    /** Runs something on a thread of its own. */
    public static <T> CompletableFuture<T> start(java.util.concurrent.Callable<T> work) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                result.complete(work.call());
            } catch (Throwable t) {
                result.completeExceptionally(t);
            }
        }, "test-worker");
        thread.setDaemon(true);
        thread.start();
        return result;
    }

    /** Waits for the end of a thread's work, and throws what it threw. */
    public static <T> T join(CompletableFuture<T> work) {
        try {
            return work.get(BOUND_NS * 3, TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw new AssertionError(e.getCause());
        } catch (TimeoutException e) {
            throw new AssertionError("a thread of the test did not end", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}
