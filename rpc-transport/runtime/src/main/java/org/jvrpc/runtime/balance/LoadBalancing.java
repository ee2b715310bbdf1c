package org.jvrpc.runtime.balance;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/** Makes a policy for a client. Immutable; any thread. */
@FunctionalInterface
public interface LoadBalancing {

    /**
     * Makes a policy, which belongs to one client.
     *
     * @param random 64 random bits; any thread
     */
    LoadBalancingPolicy policy(LongSupplier random);

    /**
     * All calls to one server, the first in the resolver's order that answers, for as long as it does. No other is
     * connected.
     */
    static LoadBalancing pickFirst() {
        return random -> new PickFirst();
    }

    /** Servers take turns. */
    static LoadBalancing roundRobin() {
        return RoundRobin::new;
    }

    /** Of two servers drawn by lot, the one with fewer calls in flight for its weight. */
    static LoadBalancing leastRequest() {
        return LeastRequest::new;
    }

    /**
     * Calls with the same {@link org.jvrpc.api.CallOptions#withHashKey key} to the same server, for as long as it is
     * there; when one comes or goes, few keys move. Servers have shares by their weights. Calls without a key go by
     * lot.
     */
    static LoadBalancing ringHash() {
        return random -> new RingHash();
    }

    /**
     * The default: the nearest servers take turns. Those on this host by shared memory come first, then by
     * {@code unix://}, then {@code router://}, {@code rdma://}, {@code roce://}, then {@code tls://} and
     * {@code tcp://}; servers that are farther away are connected only when no nearer one answers.
     */
    static LoadBalancing nearest() {
        return nearest(roundRobin());
    }

    /** As {@link #nearest()}, with another policy among servers that are equally near. */
    static LoadBalancing nearest(LoadBalancing among) {
        return random -> new Nearest(among.policy(random));
    }

    /**
     * Returns a policy of this library by the name that it has elsewhere: {@code pick_first}, {@code round_robin},
     * {@code least_request}, {@code ring_hash} or {@code nearest}.
     *
     * @throws IllegalArgumentException when there is none of that name
     */
    static LoadBalancing named(String name) {
        Map<String, LoadBalancing> all = new TreeMap<>(Map.of(
                "pick_first", pickFirst(),
                "round_robin", roundRobin(),
                "least_request", leastRequest(),
                "ring_hash", ringHash(),
                "nearest", nearest()));
        LoadBalancing found = all.get(name);
        if (found == null) {
            throw new IllegalArgumentException("no policy has name=" + name + ", there are " + all.keySet());
        }
        return found;
    }
}
