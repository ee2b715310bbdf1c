package org.jvrpc.ibverbs.generic;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Lets threads use a C object until it is closed: what is destroyed under a native call would end the process. Any
 * thread.
 */
final class Gate {

    private static final int CLOSED = 1 << 30;

    private final AtomicInteger users = new AtomicInteger();

    /** Returns false when the object is closed; after true, {@link #leave()} must follow soon. */
    boolean enter() {
        if (users.getAndIncrement() < CLOSED) {
            return true;
        }
        users.getAndDecrement();
        return false;
    }

    void leave() {
        users.getAndDecrement();
    }

    boolean isClosed() {
        return users.get() >= CLOSED;
    }

    /**
     * Closes, and waits for who is inside: native calls that do not block. Not to be called from inside.
     *
     * @return false when it was closed before
     */
    boolean close() {
        int now = users.get();
        while (now < CLOSED) {
            if (users.compareAndSet(now, now + CLOSED)) {
                while (users.get() > CLOSED) {
                    Thread.onSpinWait();
                }
                return true;
            }
            now = users.get();
        }
        return false;
    }
}
