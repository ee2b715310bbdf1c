package org.jvrpc.watch.fabric.rperf;

import org.jvrpc.fabric.cost.HostPipe;
import org.jvrpc.fabric.event.Chance;
import org.jvrpc.fabric.event.EventQueue;
import org.jvrpc.fabric.event.EventTarget;
import org.jvrpc.fabric.host.Nic;

/**
 * Other work of a host: things of one length for its NIC's fetches and completions, with exponential gaps. As much as
 * makes the load what it is to be, with what the host does besides.
 */
final class HostLoad implements EventTarget {

    private static final int FETCH = 0;
    private static final int COMPLETE = 1;
    private static final double FRACTION = 0x1p-53;
    /** What others do is not known well before. */
    private static final long SETTLED_NS = 50_000;

    private final EventQueue events;
    private final HostPipe[] pipes;
    private final Chance chance;
    private final long itemNs;
    private final double load;
    private final long[] givenNs = new long[2];
    private final double[] nextNs = new double[2];
    private final long[] beganNs = new long[2];
    private final long beginNs;

    /** @param load of each pipe, 0 to below 1, by all */
    HostLoad(Nic nic, double load, long itemNs, Chance chance) {
        events = nic.network().events();
        pipes = new HostPipe[] {nic.hostSide().fetches(), nic.hostSide().completions()};
        this.chance = chance;
        this.itemNs = itemNs;
        this.load = load;
        beginNs = events.nowNs();
        for (int kind = FETCH; kind <= COMPLETE; kind++) {
            beganNs[kind] = pipes[kind].workNs();
            nextNs[kind] = beginNs;
            if (load > 0) {
                next(kind);
            }
        }
    }

    private void next(int kind) {
        double uniform = ((chance.bits() >>> 11) + 0.5) * FRACTION;
        double others = (double) (pipes[kind].workNs() - beganNs[kind] - givenNs[kind])
                / Math.max(SETTLED_NS, events.nowNs() - beginNs);
        nextNs[kind] -= Math.log(uniform) * itemNs / Math.max(load - others, load / 2);
        events.schedule(Math.max(events.nowNs(), (long) nextNs[kind]), this, kind, null, 0);
    }

    @Override
    public void happen(int kind, Object subject, long argument) {
        pipes[kind].occupy(events.nowNs(), itemNs);
        givenNs[kind] += itemNs;
        next(kind);
    }

    /** Returns the load of the fetches so far, by all. */
    double fetches() {
        return load(FETCH);
    }

    /** Returns the load of the completions so far, by all. */
    double completions() {
        return load(COMPLETE);
    }

    private double load(int kind) {
        return (double) (pipes[kind].workNs() - beganNs[kind]) / Math.max(1, events.nowNs() - beginNs);
    }
}
