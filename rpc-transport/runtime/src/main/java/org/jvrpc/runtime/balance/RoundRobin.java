package org.jvrpc.runtime.balance;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/** One after the other. A client begins anywhere, so that many clients that begin at once do not all begin with one. */
final class RoundRobin implements LoadBalancingPolicy {

    private final AtomicInteger next;

    RoundRobin(LongSupplier random) {
        this.next = new AtomicInteger((int) random.getAsLong());
    }

    @Override
    public ServerPicker picker(List<Candidate> ready) {
        int count = ready.size();
        return hash -> Integer.remainderUnsigned(next.getAndIncrement(), count);
    }
}
