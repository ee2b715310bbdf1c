package org.jvrpc.softrnic;

import java.nio.ByteBuffer;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.Cqe;
import org.jvrpc.mlx5.DoorbellRecord;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.WcStatus;

/**
 * The peer's QP as its one initiator sees it: the responder's state of the connection, held here, and the peer's rings
 * and table of memory regions. One thread, the initiator's.
 */
final class Responder {

    private final RemoteArena arena;
    private final ByteBuffer memory;
    private final int context;
    private final int pd;
    private final int ring;
    private final int mask;
    private final int stride;
    private final ByteBuffer table;
    private final CqWriter completions;
    private int consumed;
    private int posted;
    private int regionKey;
    private Slab regionSlab;

    /**
     * @param wake called when the peer's CQ is armed
     * @param lazy true when {@link CqWriter#settle} follows publications
     */
    Responder(RemoteArena arena, long address, Runnable wake, boolean lazy) {
        this.arena = arena;
        CqContext.checkAlignment(address, "queue pair");
        Slab slab = arena.require(address, QpContext.BYTES, "queue pair");
        this.memory = slab.window(address);
        this.context = Slab.index(address);
        int entries = QpContext.rqEntries(memory, context);
        this.stride = QpContext.rqStride(memory, context);
        boolean sane = QpContext.magic(memory, context) == QpContext.MAGIC && Integer.bitCount(entries) == 1
                && entries > 0 && Integer.bitCount(stride) == 1 && stride >= Wqe.SEGMENT && stride <= 16 * Wqe.SEGMENT
                && slab.containsInWindow(address, QpContext.RINGS + (long) entries * stride);
        if (!sane) {
            throw new VerbsException("modify_qp", "no queue pair at address=0x" + Long.toHexString(address));
        }
        this.pd = QpContext.pd(memory, context);
        this.ring = context + QpContext.RINGS;
        this.mask = entries - 1;
        long tableAddress = Slab.baseOf(0);
        this.table = arena.require(tableAddress, RegionEntry.TABLE_BYTES, "table of memory regions")
                .window(tableAddress);
        long cq = QpContext.cq(memory, context);
        Slab cqSlab = arena.require(cq, CqContext.RING, "completion queue");
        this.completions = new CqWriter(cqSlab, cq, QpContext.qpn(memory, context), wake, lazy);
    }

    boolean isReady() {
        return QpContext.isReady(memory, context);
    }

    /** Returns true while the peer takes no message yet because it is being connected. */
    boolean isInit() {
        return QpContext.isInit(memory, context);
    }

    /** Claims the peer for an initiator. @throws VerbsException when another has it */
    void claim(long initiator) {
        long owner = QpContext.claim(memory, context, initiator);
        if (owner != initiator) {
            throw new VerbsException("modify_qp", "the peer is connected to another QP: qp number="
                    + QpContext.qpn(memory, context) + " initiator=0x" + Long.toHexString(owner));
        }
    }

    /** Ends a claim that came to nothing. */
    void unclaim(long initiator) {
        QpContext.unclaim(memory, context, initiator);
    }

    CqWriter completions() {
        return completions;
    }

    ByteBuffer memory() {
        return memory;
    }

    int stride() {
        return stride;
    }

    /**
     * Returns the offset of the oldest receive WQE that is not consumed, or -1 when the peer is not ready to receive.
     */
    int peekReceive() {
        if (consumed == posted) {
            // Acquire: pairs with the release of the counter by the peer's post.
            int counter = BigEndian.getIntAcquire(memory, context + QpContext.RECORD + DoorbellRecord.RECEIVE);
            posted += counter - posted & DoorbellRecord.COUNTER_MASK;
            if (consumed == posted) {
                return -1;
            }
        }
        return ring + (consumed & mask) * stride;
    }

    /** Consumes the WQE of {@link #peekReceive} and returns its counter. */
    int consume() {
        return consumed++;
    }

    /** Returns how many bytes a receive WQE takes. */
    long capacity(int wqe) {
        long capacity = 0;
        for (int at = wqe; at < wqe + stride; at += Wqe.SEGMENT) {
            if (Wqe.isEnd(memory, at)) {
                break;
            }
            capacity += Wqe.byteCount(memory, at);
        }
        return capacity;
    }

    /**
     * Returns the peer's slab that holds {@code bytes} from an address on, when the key of the peer allows it; else
     * null.
     */
    Slab region(int key, long address, long bytes, int access) {
        int at = RegionEntry.offset(key);
        if (at < 0 || key == 0 || RegionEntry.key(table, at) != key || RegionEntry.pd(table, at) != pd
                || (RegionEntry.access(table, at) & access) != access) {
            return null;
        }
        long offset = address - RegionEntry.address(table, at);
        long length = RegionEntry.length(table, at);
        if (offset < 0 || bytes < 0 || length < 0 || offset > length || bytes > length - offset) {
            return null;
        }
        if (key == regionKey && regionSlab.contains(address, bytes)) {
            return regionSlab;
        }
        Slab slab = arena.find(address, bytes);
        if (slab != null) {
            regionKey = key;
            regionSlab = slab;
        }
        return slab;
    }

    /** Returns the address of a receive WQE's first segment. */
    long address(int wqe) {
        return Wqe.dataAddress(memory, wqe);
    }

    /** Returns the window that holds the first bytes of a receive WQE's memory, or null when it takes the long way. */
    ByteBuffer window(int wqe, int bytes) {
        long address = address(wqe);
        Slab slab = region(Wqe.dataLkey(memory, wqe), address, bytes, Access.LOCAL_WRITE);
        return slab != null && bytes <= Slab.untilWindowEnd(address) ? slab.window(address) : null;
    }

    /** Completes the oldest receive with an error and moves the peer's QP to ERR. */
    void failReceive(WcStatus status, int vendorError) {
        QpContext.fail(memory, context);
        completions.fail(consume(), Cqe.RESP_ERR, status, vendorError);
        completions.attention();
    }

    /** Moves the peer's QP to ERR. */
    void fail() {
        QpContext.fail(memory, context);
        completions.attention();
    }
}
