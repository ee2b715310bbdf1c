package org.jvrpc.router.engine;

import java.util.ArrayDeque;
import org.jvrpc.router.Shares;

/** All tenants in turn, who rest when they are told to. One thread. */
class EqualShares implements Shares {

    private final ArrayDeque<Integer> ready = new ArrayDeque<>();
    /** When a tenant may go on; null at any time. */
    Long restUntilNs;
    long[] bytes = new long[16];
    int[] wqes = new int[16];

    @Override
    public boolean mayGo(int tenant, long nowNs) {
        return restUntilNs == null || nowNs - restUntilNs >= 0;
    }

    @Override
    public void took(int tenant, long bytes, int wqes) {
        this.bytes[tenant] += bytes;
        this.wqes[tenant] += wqes;
    }

    @Override
    public long nextNs(int tenant, long nowNs) {
        return restUntilNs;
    }

    @Override
    public int next() {
        Integer next = ready.poll();
        if (next == null) {
            return -1;
        }
        ready.add(next);
        return next;
    }

    @Override
    public void ready(int tenant) {
        if (!ready.contains(tenant)) {
            ready.add(tenant);
        }
    }

    @Override
    public void idle(int tenant) {
        ready.remove((Integer) tenant);
    }

    @Override
    public int budgetBytes(int tenant) {
        return 64 << 10;
    }
}
