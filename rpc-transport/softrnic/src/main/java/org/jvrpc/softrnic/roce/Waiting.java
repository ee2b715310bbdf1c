package org.jvrpc.softrnic.roce;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many threads wait for a QP's lock that do not poll for it. Callers who poll in a loop take it again as soon as
 * they leave it, and would keep the others waiting: they leave the QP alone while one waits. Any thread.
 */
final class Waiting {

    private final AtomicInteger count = new AtomicInteger();

    /** About to take the lock. */
    void enter() {
        count.incrementAndGet();
    }

    /** Has it. */
    void leave() {
        count.decrementAndGet();
    }

    boolean isWanted() {
        return count.get() > 0;
    }
}
