package org.jvrpc.runtime.retry;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** An executor that refuses some tasks first. */
final class Refusing extends ThreadPoolExecutor implements AutoCloseable {

    final AtomicInteger refusals = new AtomicInteger();

    Refusing() {
        super(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
    }

    @Override
    public void execute(Runnable task) {
        if (refusals.get() > 0) {
            refusals.decrementAndGet();
            throw new RejectedExecutionException("not now");
        }
        super.execute(task);
    }

    @Override
    public void close() {
        shutdownNow();
    }
}
