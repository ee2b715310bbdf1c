package org.jvrpc.runtime.contract;

import java.util.concurrent.ConcurrentLinkedDeque;

/** An executor that runs nothing until it is told to. */
final class HeldExecutor extends EndlessExecutor {

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
}
