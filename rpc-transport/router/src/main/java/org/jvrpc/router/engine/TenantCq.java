package org.jvrpc.router.engine;

import java.nio.ByteBuffer;
import org.jvrpc.router.Refusal;
import org.jvrpc.router.RefusedException;
import org.jvrpc.softrnic.chain.GroupContext;
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
    private final boolean crossChannel;
    private int users;
    /** The group whose queues wait for it; null for none. */
    private TenantChains chains;

    TenantCq(TenantDevice device, CqNote note) {
        this.device = device;
        this.number = note.number();
        this.crossChannel = (note.flags() & CqNote.CROSS_CHANNEL) != 0;
        device.require("CQ", note.address(), CqContext.RING + (long) note.entries() * note.cqeBytes());
        this.segment = Slab.segmentOf(note.address());
        this.context = device.own().allocate(CqContext.RING);
        this.wake = () -> device.told().wake(number);
        ByteBuffer memory = context.slab().window(context.address());
        CqContext.writePrivate(memory, Slab.index(context.address()), number, note.entries(), note.cqeBytes(),
                crossChannel, note.address());
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

    boolean isCrossChannel() {
        return crossChannel;
    }

    /** Has queues of a group wait for it. @throws RefusedException when it is another's, or the group is full */
    void join(TenantChains group) {
        if (chains != null && chains != group) {
            throw new RefusedException(Refusal.NOT_YOURS, "cq=" + number + " is of another protection domain's chains,"
                    + " pd=" + chains.pd());
        }
        if (chains == null) {
            group.change(shared -> GroupContext.addCq(shared, group.at(), context()),
                    "too many cross-channel CQs in a protection domain");
            chains = group;
        }
    }

    /** Its group is no more. */
    void leave(TenantChains group) {
        if (chains == group) {
            chains = null;
        }
    }

    void close() {
        if (chains != null) {
            TenantChains group = chains;
            group.change(shared -> {
                GroupContext.removeCq(shared, group.at(), context());
                return true;
            }, "leaving");
        }
        device.own().give(context.address(), CqContext.RING);
        device.use(segment, -1);
    }
}
