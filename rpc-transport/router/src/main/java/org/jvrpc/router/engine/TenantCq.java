package org.jvrpc.router.engine;

import java.nio.ByteBuffer;
import org.jvrpc.softrnic.memory.Piece;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.softrnic.queue.CqContext;
import org.jvrpc.softrnic.router.wire.CqNote;

/** A CQ of a tenant's device. The worker's thread. */
final class TenantCq {

    private final TenantDevice device;
    private final int number;
    private final int segment;
    private final Piece context;
    private final Runnable wake;
    private int users;

    TenantCq(TenantDevice device, CqNote note) {
        this.device = device;
        this.number = note.number();
        device.require("CQ", note.address(), CqContext.RING + (long) note.entries() * note.cqeBytes());
        this.segment = Slab.segmentOf(note.address());
        this.context = device.own().allocate(CqContext.RING);
        this.wake = () -> device.told().wake(number);
        ByteBuffer memory = context.slab().window(context.address());
        CqContext.writePrivate(memory, Slab.index(context.address()), number, note.entries(), note.cqeBytes(),
                note.address());
        CqContext.produced(memory, Slab.index(context.address()), note.produced());
        device.use(segment, 1);
    }

    /** Returns the address of the context that counts. */
    long context() {
        return context.address();
    }

    /** Returns what wakes who waits for it. */
    Runnable wake() {
        return wake;
    }

    void use(int more) {
        users += more;
    }

    boolean isUsed() {
        return users > 0;
    }

    void close() {
        device.own().give(context.address(), CqContext.RING);
        device.use(segment, -1);
    }
}
