package org.jvrpc.runtime.retry;

import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jvrpc.runtime.thread.Threads;

/** Some threads, which begin later attempts of asynchronous calls; those may wait for a slot. */
final class PoolTimer implements Timer {

    private static final int THREADS = 4;
    private static final long IDLE_S = 10;

    private final ScheduledThreadPoolExecutor pool;

    /** @param name of the client, for the names of the threads */
    PoolTimer(Threads threads, String name) {
        AtomicLong number = new AtomicLong();
        pool = new ScheduledThreadPoolExecutor(THREADS,
                task -> threads.make(task, "jvrpc-retry-" + name + "-" + number.incrementAndGet()));
        pool.setKeepAliveTime(IDLE_S, TimeUnit.SECONDS);
        pool.allowCoreThreadTimeOut(true);
        pool.setRemoveOnCancelPolicy(true);
    }

    @Override
    public void schedule(Runnable work, long delayNs) {
        pool.schedule(work, delayNs, TimeUnit.NANOSECONDS);
    }

    @Override
    public void close() {
        pool.shutdownNow();
    }
}
