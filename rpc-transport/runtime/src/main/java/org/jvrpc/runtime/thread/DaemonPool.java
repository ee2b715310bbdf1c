package org.jvrpc.runtime.thread;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;

/** Makes pools of daemon threads that end when they have nothing to do. */
public final class DaemonPool {

    private static final long STOP_MS = 5000;

    private DaemonPool() {
    }

    /** @param prefix of the threads' names, which a number follows */
    public static ExecutorService make(Threads threads, int count, String prefix) {
        AtomicLong number = new AtomicLong();
        ThreadPoolExecutor pool = new ThreadPoolExecutor(count, count, 10, TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(), task -> threads.make(task, prefix + number.incrementAndGet()));
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    /** Takes no more work, and waits for a few seconds until what there is has been done. */
    public static void end(ExecutorService pool) {
        pool.shutdown();
        try {
            pool.awaitTermination(STOP_MS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Has work done. @throws RpcException UNAVAILABLE when the pool's server is over */
    public static void execute(ExecutorService pool, Runnable work) {
        try {
            pool.execute(work);
        } catch (RejectedExecutionException e) {
            throw new RpcException(Status.UNAVAILABLE, "server is shutting down", e);
        }
    }
}
