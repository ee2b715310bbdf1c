package org.jvrpc.runtime.retry;

/** Has things done later. Many threads. */
interface Timer {

    /** @throws java.util.concurrent.RejectedExecutionException after the end */
    void schedule(Runnable work, long delayNs);

    /** What was not begun is not done. Idempotent. */
    void close();
}
