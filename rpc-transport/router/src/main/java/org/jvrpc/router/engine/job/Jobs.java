package org.jvrpc.router.engine.job;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The jobs of a worker, in the order in which they came. Any thread, but for what says that it is the worker's.
 *
 * @param <D> devices
 */
public final class Jobs<D> {

    private final Queue<Job<D, ?>> queue = new ConcurrentLinkedQueue<>();
    private final Consumer<Job<D, ?>> runner;
    private final Runnable waker;

    /**
     * No jobs yet.
     *
     * @param runner runs one, on the worker's thread
     * @param waker has the worker look
     */
    public Jobs(Consumer<Job<D, ?>> runner, Runnable waker) {
        this.runner = runner;
        this.waker = waker;
    }

    /**
     * Has something done, and waits for it.
     *
     * @param device whose memory it may touch; null for none
     * @throws org.jvrpc.router.RefusedException BUSY when the worker does not come to it, or what it throws
     */
    public <T> T call(D device, Supplier<T> work) {
        Job<D, T> job = new Job<>(device, work);
        add(job);
        return job.await();
    }

    /** Has something done whenever the worker comes to it: nobody waits, and nobody hears of its failure. */
    public void later(D device, Runnable work) {
        add(new Job<>(device, () -> {
            work.run();
            return null;
        }));
    }

    private void add(Job<D, ?> job) {
        queue.add(job);
        waker.run();
    }

    public boolean isEmpty() {
        return queue.isEmpty();
    }

    /** Does what came; false when nothing did. The worker's thread. */
    public boolean work() {
        boolean worked = false;
        for (Job<D, ?> job = queue.peek(); job != null; job = queue.peek()) {
            worked = true;
            runner.accept(job);
            queue.poll(); // behind it: an error may come between any two of these, and none is lost or done twice
        }
        return worked;
    }

    /** Does what came as the last of the worker's rounds. Its thread. */
    public void workLast() {
        for (Job<D, ?> job = queue.poll(); job != null; job = queue.poll()) {
            job.run();
        }
    }
}
