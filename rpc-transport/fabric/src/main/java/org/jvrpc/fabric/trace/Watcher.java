package org.jvrpc.fabric.trace;

import org.jvrpc.fabric.topology.Topology;

/** Is told by an experiment when what is worth looking at begins. It looks, and changes nothing. */
public interface Watcher {

    /** Looks at nothing. */
    Watcher NOBODY = (made, durationNs) -> {
    };

    /** The network is there; what is to be seen begins now, with the connecting of QPs perhaps. */
    void begins(Topology made, long durationNs);

    /** Returns true when frames are to bear payloads and ICRCs. */
    default boolean needsPayloads() {
        return false;
    }
}
