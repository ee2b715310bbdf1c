package org.jvrpc.verbs.contract;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A task on a thread of its own, whose failure becomes the test's. */
public final class Background<T> {

    private final FutureTask<T> task;
    private final Thread thread;

    private Background(String name, Callable<T> body) {
        task = new FutureTask<>(body);
        thread = new Thread(task, name);
        thread.setDaemon(true);
    }

    /** Starts a task. */
    public static <T> Background<T> start(String name, Callable<T> body) {
        Background<T> background = new Background<>(name, body);
        background.thread.start();
        return background;
    }

    /** Returns true when it ended, well or not. */
    public boolean isDone() {
        return task.isDone();
    }

    /** Waits for its result, at most so many seconds; the task's own error is thrown as it is. */
    public T join(int seconds) {
        try {
            return task.get(seconds, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException runtime) {
                throw runtime;
            }
            throw new AssertionError(thread.getName() + " failed: " + e.getCause(), e.getCause());
        } catch (TimeoutException e) {
            AssertionError error = new AssertionError(
                    thread.getName() + " did not end within " + seconds + " s; its stack follows");
            error.setStackTrace(thread.getStackTrace());
            throw error;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }
}
