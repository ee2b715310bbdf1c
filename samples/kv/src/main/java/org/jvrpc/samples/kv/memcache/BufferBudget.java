package org.jvrpc.samples.kv.memcache;

import java.util.concurrent.atomic.AtomicLong;

/** Bytes that are left for large buffers of all event loops, and whether somebody went without lately. Any thread. */
final class BufferBudget {

    private static final long LATELY_NS = 5_000_000_000L;

    private final AtomicLong remaining;
    private volatile long refusedNs = System.nanoTime() - LATELY_NS;

    BufferBudget(long bytes) {
        remaining = new AtomicLong(bytes);
    }

    /** @return false, and nothing taken, when there is not so much */
    boolean take(int bytes) {
        if (remaining.addAndGet(-bytes) >= 0) {
            return true;
        }
        remaining.addAndGet(bytes);
        refusedNs = System.nanoTime();
        return false;
    }

    void give(int bytes) {
        remaining.addAndGet(bytes);
    }

    long remaining() {
        return remaining.get();
    }

    /** Returns true when somebody was refused in the last seconds: who is slow should give way. */
    boolean isShort(long nowNs) {
        return nowNs - refusedNs < LATELY_NS;
    }
}
