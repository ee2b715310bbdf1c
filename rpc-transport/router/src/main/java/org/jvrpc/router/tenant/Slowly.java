package org.jvrpc.router.tenant;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jvrpc.router.Refusal;
import org.jvrpc.router.RefusedException;
import org.jvrpc.router.TenantId;

/**
 * Work on a tenant's files, on a thread of the tenant's: whoever owns a file can have {@code open(2)} of it wait for 45
 * s by a lease. Whoever asks for the work waits for a bounded time; a tenant that was too slow is refused until it is
 * done, and for a while after. The thread ends when it has had nothing to do. One thread calls.
 */
final class Slowly implements AutoCloseable {

    /** How long the caller waits, usually: far more than a file takes to open on a busy machine. */
    static final long PATIENCE_MS = Long.getLong("jvrpc.router.patience.ms", 1_000);
    private static final long PENALTY_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long IDLE_S = 2;

    private final TenantId tenant;
    private final long patienceMs;
    private final ThreadPoolExecutor thread;
    private CompletableFuture<?> late;
    private volatile long lateNs;

    Slowly(TenantId tenant, long patienceMs) {
        this.tenant = tenant;
        this.patienceMs = patienceMs;
        thread = new ThreadPoolExecutor(1, 1, IDLE_S, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
            Thread made = new Thread(task, "jvrpc-router-files-" + tenant);
            made.setDaemon(true);
            return made;
        });
        thread.allowCoreThreadTimeOut(true);
    }

    /**
     * Does the work.
     *
     * @param what for messages
     * @param tooLate gets the result that nobody waits for any more
     * @throws RefusedException BUSY: this took too long, or something before did; or what the work throws
     */
    <T> T run(String what, Callable<T> work, Consumer<T> tooLate) {
        if (late != null && (isWaiting() || System.nanoTime() - lateNs < PENALTY_NS)) {
            throw new RefusedException(Refusal.BUSY, "tenant=" + tenant + " " + what
                    + ": a file of the tenant's took longer than ms=" + patienceMs + " to open");
        }
        CompletableFuture<T> done = new CompletableFuture<>();
        try {
            thread.execute(() -> work(work, done));
        } catch (RejectedExecutionException e) {
            throw new RefusedException(Refusal.DRAINING, "tenant=" + tenant + " " + what + ": its folder is let go of");
        }
        return await(what, done, tooLate);
    }

    private static <T> void work(Callable<T> work, CompletableFuture<T> done) {
        try {
            done.complete(work.call());
        } catch (Exception | Error e) {
            done.completeExceptionally(e);
        }
    }

    private <T> T await(String what, CompletableFuture<T> done, Consumer<T> tooLate) {

        try {
            return done.get(patienceMs, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            late = done.whenComplete((result, failure) -> {
                lateNs = System.nanoTime();
                if (result != null) {
                    tooLate.accept(result);
                }
            });
            throw new RefusedException(Refusal.BUSY, "tenant=" + tenant + " " + what + " takes longer than ms="
                    + patienceMs + ": has somebody a lease of it?");
        } catch (ExecutionException e) {
            throw thrown(what, e.getCause());
        } catch (InterruptedException e) {
            done.thenAccept(tooLate);
            Thread.currentThread().interrupt();
            throw new RefusedException(Refusal.DRAINING, "tenant=" + tenant + " " + what + ": interrupted");
        }
    }

    /** Tells whether the work is under way that took too long. */
    boolean isWaiting() {
        return late != null && !late.isDone();
    }

    private RuntimeException thrown(String what, Throwable cause) {
        if (cause instanceof RefusedException refused) {
            return refused;
        }
        if (cause instanceof OutOfMemoryError) {
            return new RefusedException(Refusal.NO_MEMORY, "tenant=" + tenant + " " + what + ": " + cause);
        }
        return OpenFolder.refused(tenant.name(), what + ": " + cause);
    }

    @Override
    public void close() {
        thread.shutdown();
    }
}
