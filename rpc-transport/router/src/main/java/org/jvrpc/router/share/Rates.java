package org.jvrpc.router.share;

import org.jvrpc.router.Quota;

/** The buckets of one tenant. */
final class Rates {

    /** What a WQE is charged beside its bytes: empty ones cost, too. */
    static final int WQE_BYTES = 64;
    private static final long LEAST_BYTES = 64 << 10;
    private static final long LEAST_WQES = 64;

    private final TokenBucket bytes;
    private final TokenBucket wqes;
    private final TokenBucket offloads;
    private final Moved moved = new Moved();
    private int weight;

    Rates(Quota quota) {
        bytes = new TokenBucket(quota.bytesPerSecond(), LEAST_BYTES);
        wqes = new TokenBucket(quota.wqesPerSecond(), LEAST_WQES);
        offloads = new TokenBucket(quota.offloadWqesPerSecond(), LEAST_WQES);
        weight = quota.weight();
    }

    void change(Quota quota) {
        bytes.change(quota.bytesPerSecond());
        wqes.change(quota.wqesPerSecond());
        offloads.change(quota.offloadWqesPerSecond());
        weight = quota.weight();
    }

    int weight() {
        return weight;
    }

    boolean mayGo(long nowNs) {
        return bytes.has(nowNs) && wqes.has(nowNs);
    }

    long nextNs(long nowNs) {
        long byBytes = bytes.nextNs(nowNs);
        long byWqes = wqes.nextNs(nowNs);
        return byBytes - byWqes > 0 ? byBytes : byWqes;
    }

    void took(long charged, int done) {
        bytes.take(charged);
        wqes.take(done);
        moved.count(charged - (long) WQE_BYTES * done, done);
    }

    Moved moved() {
        return moved;
    }

    TokenBucket offloads() {
        return offloads;
    }
}
