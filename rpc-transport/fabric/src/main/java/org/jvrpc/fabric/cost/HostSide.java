package org.jvrpc.fabric.cost;

import org.jvrpc.fabric.event.Chance;

/** The ways between a host and its NIC, where they take time: {@link HostCosts}. */
public final class HostSide {

    private final HostPipe posts;
    private final HostPipe fetches;
    private final HostPipe completions;

    /** @param chance for jitter */
    public HostSide(HostCosts costs, Chance chance) {
        posts = new HostPipe(chance, costs.postNs(), 0, 0);
        fetches = new HostPipe(chance.fork(1), costs.fetchBusyNs(), costs.fetchNs(), costs.jitterNs());
        completions = new HostPipe(chance.fork(2), costs.completeBusyNs(), costs.completeNs(), costs.jitterNs());
    }

    /** Returns when the NIC has a WR that is posted now. */
    public long fetchedNs(long nowNs) {
        return fetches.pass(posts.pass(nowNs));
    }

    /** Returns when the host sees what the NIC completes now. */
    public long seenNs(long nowNs) {
        return completions.pass(nowNs);
    }

    /** Returns the NIC's fetches. */
    public HostPipe fetches() {
        return fetches;
    }

    /** Returns the NIC's completions. */
    public HostPipe completions() {
        return completions;
    }
}
