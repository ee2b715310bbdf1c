package org.jvrpc.runtime.contract;

import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.TimeUnit;

/** An executor that runs nothing until it is told to. */
final class HeldExecutor extends AbstractExecutorService {

    private final ConcurrentLinkedDeque<Runnable> tasks = new ConcurrentLinkedDeque<>();
    volatile Error fault;

    @Override
    public void execute(Runnable task) {
        if (fault != null) {
            throw fault;
        }
        tasks.add(task);
    }

    /** Returns how many tasks wait. */
    int size() {
        return tasks.size();
    }

    /** Runs all tasks, also those that come of it; returns how many. */
    int run() {
        int count = 0;
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
            count++;
        }
        return count;
    }

    @Override
    public void shutdown() {
    }

    @Override
    public List<Runnable> shutdownNow() {
        return List.of();
    }

    @Override
    public boolean isShutdown() {
        return false;
    }

    @Override
    public boolean isTerminated() {
        return false;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        return true;
    }
}
