package org.jvrpc.softrnic.queue;

import java.nio.ByteBuffer;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.DoorbellRecord;
import org.jvrpc.mlx5.SharedReceiveWqe;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.softrnic.memory.AddressSpace;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.verbs.VerbsException;

/**
 * An SRQ as those who take receives from it see it: the initiators of its QPs, in this process and others, at any time.
 * Nobody waits for anybody. To take the next WQE is to write one's QP number and turn into its owner word by
 * compare-and-set; then the state moves on to the WQE that it names, by whoever comes first. So a process that dies
 * holds nobody up, and leaves its name in what it took. Any thread.
 */
public final class SharedReceives {

    private final ByteBuffer memory;
    private final int context;
    /** Where record and ring are: of the context, or of its owner's copy. */
    private final ByteBuffer rings;
    private final int record;
    /** What the owner's copy of the context is, to which takers are written, too; -1 for none. */
    private final int copy;
    private final int ring;
    private final int mask;
    private final int stride;
    private final int number;
    private final int pd;

    /** @throws VerbsException when there is no SRQ at the address, which may come from a peer */
    public SharedReceives(AddressSpace arena, long address) {
        CqContext.checkAlignment(address, "shared receive queue");
        Slab slab = arena.require(address, SrqContext.BYTES, "shared receive queue");
        this.memory = slab.window(address);
        this.context = Slab.index(address);
        int entries = SrqContext.entries(memory, context);
        this.stride = SrqContext.stride(memory, context);
        long owner = SrqContext.ownerCopy(memory, context);
        long behind = owner == 0 ? address : owner;
        CqContext.checkAlignment(behind, "shared receive queue");
        Slab ringSlab = owner == 0 ? slab : arena.require(owner, SrqContext.BYTES, "shared receive queue");
        boolean sane = SrqContext.magic(memory, context) == SrqContext.MAGIC && entries > 1
                && Integer.bitCount(entries) == 1 && entries <= SrqContext.MAX_ENTRIES
                && Integer.bitCount(stride) == 1 && stride >= 2 * Wqe.SEGMENT && stride <= 32 * Wqe.SEGMENT
                && slab.containsInWindow(address, SrqContext.ring(entries))
                && ringSlab.containsInWindow(behind, SrqContext.ring(entries) + (long) entries * stride);
        if (!sane) {
            throw new VerbsException("modify_qp", "no shared receive queue at address=0x" + Long.toHexString(address)
                    + " entries=" + entries + " stride=" + stride);
        }
        this.rings = ringSlab.window(behind);
        this.copy = owner == 0 ? -1 : Slab.index(behind);
        this.record = Slab.index(behind) + SrqContext.RECORD + DoorbellRecord.RECEIVE;
        this.ring = Slab.index(behind) + SrqContext.ring(entries);
        this.mask = entries - 1;
        this.number = SrqContext.srqn(memory, context);
        this.pd = SrqContext.pd(memory, context);
    }

    /** Returns the memory that holds the WQEs. */
    public ByteBuffer memory() {
        return rings;
    }

    public int number() {
        return number;
    }

    /** Returns the protection domain whose keys the receives have. */
    public int pd() {
        return pd;
    }

    /** Returns the bytes of data segments in a WQE. */
    public int dataBytes() {
        return stride - SharedReceiveWqe.DATA;
    }

    /** Returns the offset of a WQE's first data segment. */
    public int data(int index) {
        return ring + index * stride + SharedReceiveWqe.DATA;
    }

    /** Takes the oldest WQE for a message to a QP; returns its index, or -1 when there is none. */
    public int take(int qpn) {
        while (true) {
            long state = SrqContext.state(memory, context);
            int index = SrqContext.next(state) & mask;
            int turn = SrqContext.taken(state);
            // Acquire: pairs with the release of the counter by the owner's post.
            int posted = BigEndian.getIntAcquire(rings, record);
            if ((posted - turn & DoorbellRecord.COUNTER_MASK) == 0) {
                return -1;
            }
            long owner = SrqContext.owner(memory, context, index);
            if (SrqContext.state(memory, context) != state) {
                continue; // the owner that was read may be one of a later turn
            }
            if (SrqContext.turn(owner) == turn && SrqContext.qpn(owner) != 0) {
                advance(state, index);
            } else if (SrqContext.take(memory, context, index, owner, SrqContext.owner(turn, qpn))) {
                int next = advance(state, index);
                if (copy >= 0) {
                    SrqContext.announce(rings, copy, turn, index, next);
                }
                mirror(index);
                return index;
            }
        }
    }

    private int advance(long state, int index) {
        int next = SharedReceiveWqe.next(rings, data(index) - SharedReceiveWqe.DATA) & mask;
        SrqContext.advance(memory, context, state, SrqContext.state(SrqContext.taken(state) + 1, next));
        return next;
    }

    /** Says that a WQE that the caller took will not be completed. */
    public void giveUp(int index) {
        SrqContext.giveUp(memory, context, index);
        mirror(index);
    }

    private void mirror(int index) {
        if (copy >= 0) {
            SrqContext.mirror(rings, copy, index, SrqContext.owner(memory, context, index));
        }
    }
}
