package org.jvrpc.runtime.balance;

import java.util.List;

/**
 * Chooses among the servers of one client. Called by one thread at a time, whenever a server comes, goes or changes its
 * state; returns soon, for calls may be waiting. Calls themselves ask the {@link ServerPicker} alone.
 */
public interface LoadBalancingPolicy {

    /**
     * Returns those that are to have a connection; the others' end when their calls have. All, unless a policy says
     * otherwise. One that is not usable may be among them and is passed over.
     *
     * @param servers all that are known, in the resolver's order
     */
    default List<Candidate> wanted(List<Candidate> servers) {
        return servers;
    }

    /**
     * Makes what calls ask until something changes.
     *
     * @param ready those with a connection that may get calls, in the resolver's order, at least one
     */
    ServerPicker picker(List<Candidate> ready);
}
