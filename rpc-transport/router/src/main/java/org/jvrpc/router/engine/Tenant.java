package org.jvrpc.router.engine;

import java.util.ArrayDeque;
import org.jvrpc.router.TenantId;

/** A tenant's devices as one party to the worker's time. The worker's thread. */
final class Tenant {

    private final TenantId id;
    private final int slot;
    /** QPs and chains that have work, the one that waits longest first. */
    private final ArrayDeque<Turn> queue = new ArrayDeque<>();
    private int devices;
    private int hot;
    private boolean throttled;
    private long againNs;

    /** @param slot its number in {@link org.jvrpc.router.Shares} */
    Tenant(TenantId id, int slot) {
        this.id = id;
        this.slot = slot;
    }

    TenantId id() {
        return id;
    }

    int slot() {
        return slot;
    }

    ArrayDeque<Turn> queue() {
        return queue;
    }

    /** Counts its devices; returns how many there are. */
    int count(int more) {
        devices += more;
        return devices;
    }

    /** Returns how many of its QPs the worker looks at in each round. */
    int hot() {
        return hot;
    }

    void addHot(int more) {
        hot += more;
    }

    boolean isThrottled() {
        return throttled;
    }

    long againNs() {
        return againNs;
    }

    /** It has used up its rate until a time. */
    void throttle(long untilNs) {
        throttled = true;
        againNs = untilNs;
    }

    void release() {
        throttled = false;
    }
}
