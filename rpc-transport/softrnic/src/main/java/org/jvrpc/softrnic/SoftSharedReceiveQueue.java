package org.jvrpc.softrnic;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.LongSupplier;
import org.jvrpc.mlx5.Mlx5SharedReceiveQueue;
import org.jvrpc.mlx5.QueueMemory;
import org.jvrpc.mlx5.SharedReceiveControl;
import org.jvrpc.softrnic.memory.Arena;
import org.jvrpc.softrnic.memory.Quarantine;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.softrnic.queue.SrqContext;
import org.jvrpc.softrnic.router.wire.SrqNote;
import org.jvrpc.verbs.SharedReceiveQueueAttributes;
import org.jvrpc.verbs.rare.Rare;

/** The device's side of an SRQ. Any thread. */
final class SoftSharedReceiveQueue implements SharedReceiveControl {

    /** How long a QP that is closed waits for messages that are just being delivered to it. */
    private static final long DELIVERY_NS = 20_000_000;

    private final SoftDevice device;
    private final SoftProtectionDomain domain;
    private final Arena.Block block;
    private final ByteBuffer memory;
    private final int context;
    private final int entries;
    private final Mlx5SharedReceiveQueue driver;

    SoftSharedReceiveQueue(
            SoftDevice device, SoftProtectionDomain domain, int number, SharedReceiveQueueAttributes attributes) {
        this.device = device;
        this.domain = domain;
        this.entries = Mlx5SharedReceiveQueue.entries(attributes);
        int stride = Mlx5SharedReceiveQueue.stride(attributes);
        int ring = SrqContext.ring(entries);
        this.block = device.arena().allocate(ring + (long) entries * stride);
        this.memory = block.slab().window(block.address());
        this.context = Slab.index(block.address());
        SrqContext.write(memory, context, number, domain.number(), entries, stride);
        try {
            device.ports().made(new SrqNote(number, domain.number(), block.address(), entries, stride));
        } catch (RuntimeException | Error e) {
            block.free();
            throw e;
        }
        this.driver = new Mlx5SharedReceiveQueue(number, attributes,
                new QueueMemory(memory, context + ring, entries, stride, context + SrqContext.RECORD), this,
                device.memory(domain.number()));
    }

    SoftProtectionDomain domain() {
        return domain;
    }

    Mlx5SharedReceiveQueue driver() {
        return driver;
    }

    long address() {
        return block.address();
    }

    /**
     * Returns the index of a receive that a message to a QP took and that will not be completed, since its sender gave
     * it up or is dead; -1 when there is none.
     *
     * @param dead true when the QP's peer writes no more
     * @param cq where the QP's receives complete
     */
    int lost(int qpn, boolean dead, SoftCompletionQueue cq) {
        for (int index = 0; index < entries; index++) {
            long owner = SrqContext.owner(memory, context, index);
            if (isTaken(owner, index, qpn)
                    && (SrqContext.isGivenUp(owner) || dead && !cq.holds(qpn, index))) {
                Rare.reached("a shared receive of a lost message comes back");
                return index;
            }
        }
        return -1;
    }

    private boolean isTaken(long owner, int index, int qpn) {
        return SrqContext.qpn(owner) == qpn && driver.isPosted(index, SrqContext.turn(owner));
    }

    /**
     * Takes back what messages to a QP took and nobody polled: the QP is closed. Waits a moment for a message whose
     * sender is just writing it.
     */
    void release(int qpn, boolean dead, SoftCompletionQueue cq) {
        LongSupplier clock = device.node().clock();
        long startNs = clock.getAsLong();
        for (int index = 0; index < entries; index++) {
            long owner = SrqContext.owner(memory, context, index);
            while (isTaken(owner, index, qpn) && !dead && !SrqContext.isGivenUp(owner) && !cq.holds(qpn, index)
                    && clock.getAsLong() - startNs < DELIVERY_NS) {
                Thread.onSpinWait();
                owner = SrqContext.owner(memory, context, index);
            }
            if (isTaken(owner, index, qpn)) {
                driver.takeBack(index);
            }
        }
    }

    @Override
    public void close() {
        device.remove(this);
        domain.remove(driver);
        device.ports().goneSrq(driver.number());
        Quarantine.free(block, List.of(domain.quarantine()));
    }
}
