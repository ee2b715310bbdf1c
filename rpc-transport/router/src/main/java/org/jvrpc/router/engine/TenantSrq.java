package org.jvrpc.router.engine;

import java.nio.ByteBuffer;
import org.jvrpc.softrnic.memory.Piece;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.softrnic.queue.SrqContext;
import org.jvrpc.softrnic.router.wire.SrqNote;

/** An SRQ of a tenant's device: who took which receive is known in private memory. The worker's thread. */
final class TenantSrq {

    private final TenantDevice device;
    private final int segment;
    private final Piece context;
    private final int bytes;
    private int users;

    TenantSrq(TenantDevice device, SrqNote note) {
        this.device = device;
        this.bytes = SrqContext.ring(note.entries());
        device.require("SRQ", note.address(), bytes + (long) note.entries() * note.stride());
        this.segment = Slab.segmentOf(note.address());
        this.context = device.own().allocate(bytes);
        ByteBuffer memory = context.slab().window(context.address());
        int at = Slab.index(context.address());
        SrqContext.own(memory, at, note.address());
        SrqContext.write(memory, at, note.number(), note.pd(), note.entries(), note.stride());
        SrqContext.begin(memory, at, note.taken(), note.next());
        device.use(segment, 1);
    }

    /** Returns the address of the context that counts. */
    long context() {
        return context.address();
    }

    void use(int more) {
        users += more;
    }

    boolean isUsed() {
        return users > 0;
    }

    void close() {
        device.own().give(context.address(), bytes);
        device.use(segment, -1);
    }
}
