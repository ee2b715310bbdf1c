package org.jvrpc.tcp.tls;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jvrpc.runtime.thread.Threads;

/**
 * Computes what hand-shakes of servers need, which takes milliseconds each, beside the threads that serve others. Few
 * threads of the process, and a bound on what waits for them.
 */
final class Handshakes {

    private static final int MOST_WAITING = 512;
    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final ThreadPoolExecutor POOL = make();

    private Handshakes() {
    }

    private static ThreadPoolExecutor make() {
        int count = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
        ThreadPoolExecutor pool = new ThreadPoolExecutor(count, count, 2, TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(MOST_WAITING),
                task -> Threads.DAEMONS.make(task, "jvrpc-tls-" + NUMBER.incrementAndGet()));
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    /** Has something computed; false where too much waits for that: ask later. */
    static boolean begin(Runnable task) {
        try {
            POOL.execute(task);
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }
}
