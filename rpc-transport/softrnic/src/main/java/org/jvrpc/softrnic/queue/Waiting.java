package org.jvrpc.softrnic.queue;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many threads wait for a QP's lock that do not poll for it. Callers who poll in a loop take it again as soon as
 * they leave it, and would keep the others waiting: they leave the QP alone while one waits. Any thread.
 */
public final class Waiting {

    private final AtomicInteger count = new AtomicInteger();

    /** About to take the lock. */
    public void enter() {
        count.incrementAndGet();
    }

    /** Has it. */
    public void leave() {
        count.decrementAndGet();
    }

    public boolean isWanted() {
        return count.get() > 0;
    }
}
