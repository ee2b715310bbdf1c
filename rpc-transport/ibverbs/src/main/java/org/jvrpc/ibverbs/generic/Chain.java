package org.jvrpc.ibverbs.generic;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import org.jvrpc.ibverbs.binding.Native;
import org.jvrpc.ibverbs.binding.WorkLayouts.RecvWr;
import org.jvrpc.ibverbs.binding.WorkLayouts.SendWr;
import org.jvrpc.ibverbs.binding.WorkLayouts.Sge;

/**
 * A list of WRs as C has it, in one block of memory that is patched in place: the structs, linked, then the SGEs of
 * each, then a pointer for the WR that is refused. {@code ibv_recv_wr} begins as {@code ibv_send_wr} does. One thread.
 */
final class Chain {

    private final Native block;
    private final ByteBuffer memory;
    private final int wrBytes;
    private final int count;
    private final int bad;
    private final int[] sges;
    private final long[][] bases;

    /**
     * @param wrBytes size of the struct
     * @param lists SGEs of each WR
     */
    Chain(int wrBytes, List<List<org.jvrpc.verbs.Sge>> lists) {
        this.wrBytes = wrBytes;
        this.count = lists.size();
        this.sges = new int[count];
        this.bases = new long[count][];
        int at = count * wrBytes;
        for (int wr = 0; wr < count; wr++) {
            sges[wr] = at;
            bases[wr] = new long[lists.get(wr).size()];
            at += bases[wr].length * Sge.BYTES;
        }
        this.bad = at;
        this.block = Native.allocate(at + 8);
        this.memory = block.buffer();
        for (int wr = 0; wr < count; wr++) {
            memory.putLong(at(wr) + SendWr.NEXT, next(wr));
            memory.putLong(at(wr) + SendWr.SG_LIST, bases[wr].length == 0 ? 0 : block.address() + sges[wr]);
            memory.putInt(at(wr) + SendWr.NUM_SGE, bases[wr].length);
            for (int sge = 0; sge < bases[wr].length; sge++) {
                org.jvrpc.verbs.Sge piece = lists.get(wr).get(sge);
                address(wr, sge, piece.address());
                length(wr, sge, piece.length());
                lkey(wr, sge, piece.lkey());
            }
        }
    }

    static Chain ofSends(List<List<org.jvrpc.verbs.Sge>> lists) {
        return new Chain(SendWr.BYTES, lists);
    }

    static Chain ofReceives(List<List<org.jvrpc.verbs.Sge>> lists) {
        return new Chain(RecvWr.BYTES, lists);
    }

    int count() {
        return count;
    }

    ByteBuffer memory() {
        return memory;
    }

    /** Returns the offset of a WR. @throws IndexOutOfBoundsException when there is none */
    int at(int wr) {
        return Objects.checkIndex(wr, count) * wrBytes;
    }

    private long next(int wr) {
        return wr + 1 < count ? block.address() + (wr + 1) * wrBytes : 0;
    }

    int sgeCount(int wr) {
        return bases[wr].length;
    }

    private int sge(int wr, int sge) {
        return sges[wr] + Objects.checkIndex(sge, bases[wr].length) * Sge.BYTES;
    }

    void address(int wr, int sge, long address) {
        memory.putLong(sge(wr, sge) + Sge.ADDR, address);
        bases[wr][sge] = address;
    }

    void offset(int wr, int sge, long offset) {
        memory.putLong(sge(wr, sge) + Sge.ADDR, bases[wr][sge] + offset);
    }

    void length(int wr, int sge, int length) {
        if (length < 0) {
            throw new IllegalArgumentException("length must not be negative, length=" + length);
        }
        memory.putInt(sge(wr, sge) + Sge.LENGTH, length);
    }

    void lkey(int wr, int sge, int lkey) {
        memory.putInt(sge(wr, sge) + Sge.LKEY, lkey);
    }

    long addressOf(int wr, int sge) {
        return memory.getLong(sge(wr, sge) + Sge.ADDR);
    }

    int lengthOf(int wr, int sge) {
        return memory.getInt(sge(wr, sge) + Sge.LENGTH);
    }

    int lkeyOf(int wr, int sge) {
        return memory.getInt(sge(wr, sge) + Sge.LKEY);
    }

    /** Copies the SGEs of a WR. */
    void copySges(int wr, ByteBuffer target, int at) {
        target.put(at, memory, sges[wr], bases[wr].length * Sge.BYTES);
    }

    void id(int wr, long id) {
        memory.putLong(wr * wrBytes + SendWr.WR_ID, id);
    }

    long id(int wr) {
        return memory.getLong(wr * wrBytes + SendWr.WR_ID);
    }

    /** Ends the list after so many WRs, 1 or more, until {@link #whole}. */
    void cut(int wrs) {
        if (wrs < count) {
            memory.putLong((wrs - 1) * wrBytes + SendWr.NEXT, 0);
        }
        memory.putLong(bad, 0);
    }

    void whole(int wrs) {
        if (wrs < count) {
            memory.putLong((wrs - 1) * wrBytes + SendWr.NEXT, next(wrs - 1));
        }
    }

    /** Returns the address of a WR. */
    long address(int wr) {
        return block.address() + at(wr);
    }

    /** Returns the address of the pointer for the WR that is refused. */
    long badAddress() {
        return block.address() + bad;
    }

    /**
     * Returns how many WRs were accepted.
     *
     * @param wrs that were posted
     * @param error that the call returned
     */
    int accepted(int wrs, int error) {
        if (error == 0) {
            return wrs;
        }
        long refused = memory.getLong(bad);
        return refused == 0 ? 0 : (int) ((refused - block.address()) / wrBytes);
    }
}
