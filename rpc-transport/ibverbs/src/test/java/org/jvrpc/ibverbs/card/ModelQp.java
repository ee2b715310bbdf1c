package org.jvrpc.ibverbs.card;

import org.jvrpc.ibverbs.binding.Ibv;
import org.jvrpc.ibverbs.binding.Native;

/** A QP of the model: its context, and what a card reads of its rings. Offsets are those of mlx5dv.h. */
final class ModelQp {

    final Native handle;
    final ModelCard card;
    final int number;
    final long pd;
    final boolean datagram;
    final ModelCq sendCq;
    final ModelCq receiveCq;
    final ModelSrq srq;
    final ModelMemory sends;
    final int sendBlocks;
    final ModelMemory receives;
    final int receiveEntries;
    final int receiveStride;
    final ModelMemory record = ModelMemory.pages(8);
    final ModelMemory register;
    int state = Ibv.QPS_RESET;
    int qkey;
    int peerNumber;
    byte[] peerGid;
    int rnrRetry;
    long rnrTimerNs;
    int executed;
    int consumed;
    int tries;
    long againNs;
    long waitsSinceNs;

    ModelQp(Native handle, ModelCard card, int number, long pd, boolean datagram, ModelCq sendCq, ModelCq receiveCq,
            ModelSrq srq, int sendBlocks, int receiveEntries, int receiveStride, ModelMemory register) {
        this.handle = handle;
        this.card = card;
        this.number = number;
        this.pd = pd;
        this.datagram = datagram;
        this.sendCq = sendCq;
        this.receiveCq = receiveCq;
        this.srq = srq;
        this.sendBlocks = sendBlocks;
        this.sends = ModelMemory.pages(sendBlocks * 64);
        this.receiveEntries = receiveEntries;
        this.receiveStride = receiveStride;
        this.receives = receiveEntries == 0 ? null : ModelMemory.pages(receiveEntries * receiveStride);
        this.register = register;
    }

    /** Goes back to RESET, as mlx5_modify_qp and the card do. */
    void reset() {
        state = Ibv.QPS_RESET;
        record.putLong(0, 0);
        executed = 0;
        consumed = 0;
        tries = 0;
    }

    boolean hasSends() {
        return (record.getInt(4) - executed & 0xffff) != 0;
    }

    /** Returns how many receives are posted and not taken. */
    int postedReceives() {
        return srq != null ? srq.posted() : record.getInt(0) - consumed & 0xffff;
    }

    /** Returns the offset in {@link #receiveMemory()} of the data segments of the next receive. */
    int nextReceive() {
        return srq != null ? srq.head * srq.stride + 16 : (consumed & receiveEntries - 1) * receiveStride;
    }

    int receiveSegments() {
        return srq != null ? srq.stride / 16 - 1 : receiveStride / 16;
    }

    ModelMemory receiveMemory() {
        return srq != null ? srq.ring : receives;
    }

    /** Takes the next receive and returns its counter, or its index in the SRQ. */
    int takeReceive() {
        if (srq == null) {
            return consumed++ & 0xffff;
        }
        int index = srq.head;
        srq.head = srq.ring.getShort(index * srq.stride + 2);
        srq.taken++;
        return index;
    }

    /** Reads 8 bytes of the send ring, at an offset from a WQE's start. */
    long word(int offset) {
        return sends.getLong((executed & sendBlocks - 1) * 64 + offset & sendBlocks * 64 - 1);
    }

    int segments() {
        return (int) word(0) & 0x3f;
    }
}
