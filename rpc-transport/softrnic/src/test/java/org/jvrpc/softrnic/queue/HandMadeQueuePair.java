package org.jvrpc.softrnic.queue;

import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.List;
import org.jvrpc.mlx5.Mlx5QueuePair;
import org.jvrpc.mlx5.QueueMemory;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.softrnic.memory.Quarantine;
import org.jvrpc.softrnic.memory.RegionTable;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.QueuePairState;

/**
 * A QP as its engine sees it, of a context that a test wrote: 64 bytes for receives, then eight blocks for sends. It
 * does nothing but count what it is told. One thread.
 */
public final class HandMadeQueuePair implements PortQueuePair {

    /** Blocks of the send ring. */
    public static final int BLOCKS = 8;

    public final QueueMemory sends;
    public final QueuePairAttributes attributes;
    public int stalls;
    public int failures;
    private final long base;
    private final int context;
    private final int number;
    private final int pd;
    private final RegionTable regions;

    /** @param base of the slab whose first window the memory is */
    public HandMadeQueuePair(ByteBuffer memory, long base, int context, int number, int pd, RegionTable regions) {
        CompletionQueue cq = (CompletionQueue) Proxy.newProxyInstance(getClass().getClassLoader(),
                new Class<?>[] {CompletionQueue.class}, (proxy, method, args) -> null);
        this.sends = new QueueMemory(memory, context + QpContext.RINGS + Wqe.BLOCK, BLOCKS, Wqe.BLOCK,
                context + QpContext.RECORD);
        this.attributes = new QueuePairAttributes(cq, cq);
        this.base = base;
        this.context = context;
        this.number = number;
        this.pd = pd;
        this.regions = regions;
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public QueuePairAttributes attributes() {
        return attributes;
    }

    @Override
    public int pd() {
        return pd;
    }

    @Override
    public long address() {
        return base + context;
    }

    @Override
    public QueueMemory sends() {
        return sends;
    }

    @Override
    public int context() {
        return context;
    }

    @Override
    public PortCompletionQueue sendCq() {
        throw new AssertionError("not asked for");
    }

    @Override
    public PortCompletionQueue receiveCq() {
        throw new AssertionError("not asked for");
    }

    @Override
    public RegionTable regions() {
        return regions;
    }

    @Override
    public List<Quarantine> quarantines() {
        return List.of();
    }

    @Override
    public Mlx5QueuePair driver() {
        throw new AssertionError("not asked for");
    }

    @Override
    public Port port() {
        throw new AssertionError("not asked for");
    }

    @Override
    public QueuePairState state() {
        return QpContext.state(sends.memory(), context);
    }

    @Override
    public void stalled() {
        stalls++;
    }

    @Override
    public void failed() {
        failures++;
    }

    @Override
    public void error() {
        failures++;
    }

    @Override
    public void peerDied() {
        failures++;
    }

    @Override
    public void sendersGone() {
        failures++;
    }
}
