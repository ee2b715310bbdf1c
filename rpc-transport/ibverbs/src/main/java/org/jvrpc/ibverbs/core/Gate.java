package org.jvrpc.ibverbs.core;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Lets threads use a C object until it is closed: what is destroyed under a native call would end the process. Any
 * thread.
 */
public final class Gate {

    private static final int CLOSED = 1 << 30;

    private final AtomicInteger users = new AtomicInteger();

    /** Returns false when the object is closed; after true, {@link #leave()} must follow soon. */
    public boolean enter() {
        if (users.getAndIncrement() < CLOSED) {
            return true;
        }
        users.getAndDecrement();
        return false;
    }

    public void leave() {
        users.getAndDecrement();
    }

    public boolean isClosed() {
        return users.get() >= CLOSED;
    }

    /**
     * Closes, and waits for who is inside: native calls that do not block. Not to be called from inside.
     *
     * @return false when it was closed before
     */
    public boolean close() {
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
