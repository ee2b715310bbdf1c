package org.jvrpc.runtime.balance;

import org.jvrpc.runtime.resolve.ServerEntry;

/** One server as a policy sees it. The same object for as long as the client knows the server. Any thread. */
public interface Candidate {

    /** Returns what the resolver said of it. */
    ServerEntry entry();

    /** Returns how it stands. */
    ServerState state();

    /**
     * Returns how near it is, 0 for shared memory: by the address that it is connected by, or the nearest one that the
     * client may use. Servers of the same number are equally near.
     */
    int distance();

    /** Returns how many calls of this client are in flight there, 0 without a connection. Takes some nanoseconds. */
    int inFlight();
}
