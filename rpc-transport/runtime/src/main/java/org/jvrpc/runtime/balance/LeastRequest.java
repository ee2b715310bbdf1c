package org.jvrpc.runtime.balance;

import java.util.List;
import java.util.function.LongSupplier;

/** The less busy of two that are drawn by lot: nearly as even as to look at all, and no herd runs to the same one. */
final class LeastRequest implements LoadBalancingPolicy {

    private final LongSupplier random;

    LeastRequest(LongSupplier random) {
        this.random = random;
    }

    @Override
    public ServerPicker picker(List<Candidate> ready) {
        Candidate[] all = ready.toArray(new Candidate[0]);
        if (all.length == 1) {
            return hash -> 0;
        }
        return hash -> pick(all, random.getAsLong());
    }

    private static int pick(Candidate[] all, long lot) {
        int first = Integer.remainderUnsigned((int) lot, all.length);
        int second = Integer.remainderUnsigned((int) (lot >>> 32), all.length - 1);
        second = second >= first ? second + 1 : second;
        return isBusier(all[first], all[second]) ? second : first;
    }

    /** Compares the calls in flight for each unit of weight, with the one that is to come. */
    private static boolean isBusier(Candidate one, Candidate other) {
        return (one.inFlight() + 1L) * other.entry().weight() > (other.inFlight() + 1L) * one.entry().weight();
    }
}
