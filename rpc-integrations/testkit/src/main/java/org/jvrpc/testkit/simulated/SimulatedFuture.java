package org.jvrpc.testkit.simulated;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A future of virtual time: whoever waits for it lets that pass. One thread. */
final class SimulatedFuture<R> extends CompletableFuture<R> {

    private final SimulatedNetwork network;

    SimulatedFuture(SimulatedNetwork network) {
        this.network = network;
    }

    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new SimulatedFuture<>(network);
    }

    @Override
    public R get() throws InterruptedException, ExecutionException {
        network.await(this::isDone);
        return super.get();
    }

    /** Waits for so much virtual time. */
    @Override
    public R get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        long endNs = network.nowNs() + unit.toNanos(timeout);
        network.later(unit.toNanos(timeout), () -> { });
        network.await(() -> isDone() || network.nowNs() >= endNs);
        if (!isDone()) {
            throw new TimeoutException("not within " + timeout + " " + unit + " of virtual time");
        }
        return super.get();
    }

    @Override
    public R join() {
        network.await(this::isDone);
        return super.join();
    }
}
