package org.jvrpc.softrnic.queue;

import java.nio.ByteBuffer;
import org.jvrpc.mlx5.QueueMemory;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.softrnic.memory.LkeyLookup;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.verbs.WcStatus;

/** Looks up the data segments of WQEs in one send ring. One thread; its list is filled anew by each WQE. */
public final class DataSegments {

    /** The longest message, in bytes. Source: max_msg_sz of mlx5. */
    static final long MAX_MESSAGE = 1L << 30;

    private final ByteBuffer memory;
    private final int ring;
    private final int ringMask;
    private final int pd;
    private final LkeyLookup regions;
    private final GatherList list = new GatherList();

    public DataSegments(QueueMemory queue, int pd, LkeyLookup regions) {
        this.memory = queue.memory();
        this.ring = queue.ring();
        this.ringMask = queue.entries() * Wqe.BLOCK - 1;
        this.pd = pd;
        this.regions = regions;
    }

    /** Returns what {@link #collect} found last. */
    public GatherList list() {
        return list;
    }

    /**
     * Looks up the data segments of the WQE at an offset in the ring, from {@code offset} in the WQE on, with the right
     * that each needs.
     */
    public WcStatus collect(int at, int offset, int segments, int access) {
        list.clear();
        for (; offset < segments * Wqe.SEGMENT; offset += Wqe.SEGMENT) {
            int data = ring + (at + offset & ringMask);
            int word = Wqe.dataLength(memory, data);
            if ((word & Wqe.INLINE) != 0) {
                return collectInline(at, offset, segments, word & ~Wqe.INLINE, access);
            }
            long length = Wqe.byteCount(word);
            long address = Wqe.dataAddress(memory, data);
            Slab slab = regions.slab(Wqe.dataLkey(memory, data), pd, address, length, access);
            if (slab == null) {
                return WcStatus.LOC_PROT_ERR;
            }
            if (length + list.total() > MAX_MESSAGE) {
                return WcStatus.LOC_LEN_ERR;
            }
            list.add(slab, address, (int) length);
        }
        return WcStatus.SUCCESS;
    }

    private WcStatus collectInline(int at, int offset, int segments, int length, int access) {
        if (access != 0 || length > segments * Wqe.SEGMENT - offset - 4) {
            return WcStatus.LOC_QP_OP_ERR;
        }
        int from = at + offset + 4 & ringMask;
        int first = Math.min(length, ringMask + 1 - from);
        list.add(memory, ring + from, first);
        if (first < length) {
            list.add(memory, ring, length - first);
        }
        return WcStatus.SUCCESS;
    }
}
