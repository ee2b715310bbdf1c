package org.jvrpc.runtime.retry;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.jvrpc.runtime.contract.Await;

/** Counts how often a handler ran for each key, and does what the test says the first, second, third time. */
final class CountingWork implements Work {

    private final ConcurrentMap<Long, AtomicInteger> runs = new ConcurrentHashMap<>();
    private final CountDownLatch gate = new CountDownLatch(1);
    /** What a run does before it returns: given the number of the run of its key, from 1. */
    volatile IntConsumer script = run -> { };
    /** Where not null, what {@link #getLater} leaves its answer to. */
    volatile Supplier<CompletableFuture<Long>> answer;
    final AtomicInteger hanging = new AtomicInteger();

    int runs(long key) {
        AtomicInteger count = runs.get(key);
        return count == null ? 0 : count.get();
    }

    void openGate() {
        gate.countDown();
    }

    /** Waits for the gate. */
    void hang() {
        hanging.incrementAndGet();
        Await.latch("the gate", gate);
    }

    private long run(long key) {
        script.accept(runs.computeIfAbsent(key, k -> new AtomicInteger()).incrementAndGet());
        return key;
    }

    @Override
    public long get(long key) {
        return run(key);
    }

    @Override
    public long getHeavy(long key) {
        return run(key);
    }

    @Override
    public CompletableFuture<Long> getLater(long key) {
        long done = run(key);
        Supplier<CompletableFuture<Long>> later = answer;
        return later == null ? CompletableFuture.completedFuture(done) : later.get();
    }

    @Override
    public void read(long key, ByteBuffer into) {
        run(key);
        while (into.remaining() >= 8) {
            into.putLong(key);
        }
    }

    @Override
    public long sum(long key, ByteBuffer bytes) {
        run(key);
        long sum = 0;
        while (bytes.hasRemaining()) {
            sum += bytes.get();
        }
        return sum;
    }

    @Override
    public byte[] echo(long key, byte[] bytes) {
        run(key);
        return bytes;
    }

    @Override
    public long check(long key) throws Refused {
        run(key);
        throw new Refused("key=" + key);
    }

    @Override
    public long put(long key) {
        return run(key);
    }

    @Override
    public long putHeavy(long key) {
        return run(key);
    }

    @Override
    public void tell(long key, byte[] bytes) {
        run(key);
    }
}
