package org.jvrpc.fabric.cost;

import org.jvrpc.fabric.event.Chance;

/** A way between a host and its NIC: one thing after the other goes in, and all come out in that order, later. */
public final class HostPipe {

    private final Chance chance;
    private final long busyNs;
    private final long latencyNs;
    private final int jitterNs;
    private long freeNs;
    private long lastNs;
    private long workNs;

    HostPipe(Chance chance, long busyNs, long latencyNs, long jitterNs) {
        this.chance = chance;
        this.busyNs = busyNs;
        this.latencyNs = latencyNs;
        this.jitterNs = (int) jitterNs;
    }

    /** Returns when it comes out what goes in now, or somewhat later; the times of calls do not go back. */
    long pass(long nowNs) {
        occupy(nowNs, busyNs);
        lastNs = Math.max(lastNs, freeNs + latencyNs + (jitterNs == 0 ? 0 : chance.below(jitterNs + 1)));
        return lastNs;
    }

    /** Gives it other work, which is what load is. */
    public void occupy(long nowNs, long forNs) {
        freeNs = Math.max(freeNs, nowNs) + forNs;
        workNs += forNs;
    }

    /** Returns the work that it was given, in nanoseconds: its load is how this grows in time. */
    public long workNs() {
        return workNs;
    }
}
