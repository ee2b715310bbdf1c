package org.jvrpc.router.engine;

import java.util.ArrayDeque;
import org.jvrpc.router.Shares;

/** All tenants in turn; who is told to rest rests. */
final class EqualShares implements Shares {

    private final ArrayDeque<Integer> ready = new ArrayDeque<>();
    long[] restUntilNs = new long[16];
    long[] bytes = new long[16];
    int[] wqes = new int[16];

    @Override
    public boolean mayGo(int tenant, long nowNs) {
        return nowNs >= restUntilNs[tenant];
    }

    @Override
    public void took(int tenant, long bytes, int wqes) {
        this.bytes[tenant] += bytes;
        this.wqes[tenant] += wqes;
    }

    @Override
    public long nextNs(int tenant, long nowNs) {
        return restUntilNs[tenant];
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
