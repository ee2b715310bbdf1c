package org.jvrpc.router.tenant;

import java.util.ArrayDeque;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jvrpc.router.Refusal;
import org.jvrpc.router.RefusedException;
import org.jvrpc.router.TenantId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Work on a tenant's files, one after the other and beside all other tenants': whoever owns a file can have {@code
 * open(2)} of it wait for 45 s by a lease. Nobody waits for the work: whoever asks is told of its result, or after a
 * bounded time that there is none. A tenant that was too slow is refused until it is done, and for a while after. A
 * tenant takes one thread at the most, and only while there is work; threads end when they have had none. Any thread.
 */
final class Slowly implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Slowly.class);

    /** How long the result is waited for, usually: far more than a file takes to open on a busy machine. */
    static final long PATIENCE_MS = Long.getLong("jvrpc.router.patience.ms", 1_000);
    private static final long PENALTY_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long IDLE_S = 2;
    /** Those of all tenants; no more than there are tenants with work. */
    private static final ThreadPoolExecutor THREADS =
            new ThreadPoolExecutor(0, Integer.MAX_VALUE, IDLE_S, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
                Thread made = new Thread(task, "jvrpc-router-files");
                made.setDaemon(true);
                return made;
            });

    private final TenantId tenant;
    private final long patienceMs;
    /** What is to be done, with what is under way as its first; guarded by itself, as is the next. */
    private final ArrayDeque<Runnable> queue = new ArrayDeque<>(2);
    private boolean closed;
    private volatile CompletableFuture<?> late;
    private volatile long lateNs;

    Slowly(TenantId tenant, long patienceMs) {
        this.tenant = tenant;
        this.patienceMs = patienceMs;
    }

    /**
     * Does the work.
     *
     * @param what for messages
     * @param tooLate gets the result that nobody waits for any more
     * @return fails by a {@link RefusedException}: BUSY where this took too long, or something before did; or by what
     *     the work throws
     */
    <T> CompletableFuture<T> run(String what, Callable<T> work, Consumer<T> tooLate) {
        CompletableFuture<?> before = late;
        if (before != null && (!before.isDone() || System.nanoTime() - lateNs < PENALTY_NS)) {
            return failed(new RefusedException(Refusal.BUSY, "tenant=" + tenant + " " + what
                    + ": a file of the tenant's took longer than ms=" + patienceMs + " to open"));
        }
        CompletableFuture<T> done = new CompletableFuture<>();
        if (!take(() -> work(work, done))) {
            return failed(new RefusedException(Refusal.DRAINING, "tenant=" + tenant + " " + what
                    + ": its folder is let go of"));
        }
        return bounded(what, done, tooLate);
    }

    private static <T> CompletableFuture<T> failed(RuntimeException why) {
        return CompletableFuture.failedFuture(why);
    }

    private static <T> void work(Callable<T> work, CompletableFuture<T> done) {
        try {
            done.complete(work.call());
        } catch (Exception | Error e) {
            done.completeExceptionally(e);
        }
    }

    /** Whichever is first answers: the work, or the time. */
    private <T> CompletableFuture<T> bounded(String what, CompletableFuture<T> done, Consumer<T> tooLate) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        CompletableFuture<T> settled = done.whenComplete((result, failure) -> {
            lateNs = System.nanoTime();
            boolean first = failure == null ? answer.complete(result)
                    : answer.completeExceptionally(thrown(what, failure));
            if (!first && result != null) {
                tooLate.accept(result);
            }
        });
        CompletableFuture.delayedExecutor(patienceMs, TimeUnit.MILLISECONDS).execute(() -> {
            if (!settled.isDone()) {
                late = settled;
                if (!answer.completeExceptionally(new RefusedException(Refusal.BUSY, "tenant=" + tenant + " " + what
                        + " takes longer than ms=" + patienceMs + ": has somebody a lease of it?"))) {
                    late = null; // it was done just now
                }
            }
        });
        return answer;
    }

    /** Does something short once the work that was asked for is done, without waiting for that. */
    void behind(Runnable last) {
        if (!take(last) && !isWaiting()) {
            last.run();
        }
    }

    /** Has something done behind what there is to do; false when no more is taken. */
    private boolean take(Runnable work) {
        synchronized (queue) {
            if (closed) {
                return false;
            }
            queue.add(work);
            if (queue.size() > 1) {
                return true;
            }
        }
        THREADS.execute(this::workOff);
        return true;
    }

    private void workOff() {
        boolean more = true;
        while (more) {
            Runnable work;
            synchronized (queue) {
                work = queue.peek();
            }
            try {
                work.run();
            } catch (RuntimeException e) { // what is behind it is to be done all the same
                LOG.error("files of tenant={}: ", tenant, e);
            }
            synchronized (queue) {
                queue.poll();
                more = !queue.isEmpty();
            }
        }
    }

    /** Tells whether the work is under way that took too long. */
    boolean isWaiting() {
        CompletableFuture<?> before = late;
        return before != null && !before.isDone();
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
        synchronized (queue) {
            closed = true;
        }
    }
}
