package org.jvrpc.watch.web;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Four threads that answer, and a queue for those who wait. Whoever finds the queue full is given to one more thread
 * that does nothing but say so ({@link #isRefusing}), and has a queue of its own: past that, connections are closed.
 * So a crowd costs bounded memory and threads, and learns quickly that it is one.
 */
final class Crowd implements Executor, AutoCloseable {

    static final int THREADS = 4;
    static final int WAITING = 64;

    private static final AtomicInteger NUMBERS = new AtomicInteger();

    private static final class Refuser extends Thread {

        Refuser(Runnable body) {
            super(body, "watch-http-refuser-" + NUMBERS.incrementAndGet());
            setDaemon(true);
        }
    }

    private final ThreadPoolExecutor refusers = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(WAITING), Refuser::new);
    private final ThreadPoolExecutor answerers = new ThreadPoolExecutor(THREADS, THREADS, 0, TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(WAITING), Crowd::thread, (task, full) -> refusers.execute(task));

    private static Thread thread(Runnable body) {
        Thread thread = new Thread(body, "watch-http-" + NUMBERS.incrementAndGet());
        thread.setDaemon(true);
        return thread;
    }

    /** Runs a task of the server by one of the threads; throws RejectedExecutionException past all bounds. */
    @Override
    public void execute(Runnable task) {
        answerers.execute(task);
    }

    /** Tells whether the present thread is the one that answers nothing. */
    static boolean isRefusing() {
        return Thread.currentThread() instanceof Refuser;
    }

    @Override
    public void close() {
        answerers.shutdownNow();
        refusers.shutdownNow();
    }
}
