package org.jvrpc.benchmarks.zookeeper;

import org.jvrpc.benchmarks.harness.Workload;

/** The timed calls, as lookups of so many places in the harness's terms. */
public enum ZkCall {

    /** {@code exists} of a node that is there. */
    EXISTS,
    /** {@code create} of a node with 100 bytes; its deletion isn't timed. */
    CREATE,
    /** {@code setData} of 100 bytes. */
    SET,
    /** From {@code setData} by one handle to the event at another's watch. */
    WATCH;

    /** Returns the harness's name for it. */
    public Workload workload() {
        return Workload.lookup(ordinal());
    }

    static ZkCall of(Workload workload) {
        if (workload.kind() != Workload.Kind.LOOKUP) {
            throw workload.unsupported();
        }
        return values()[workload.size()];
    }
}
