package org.jvrpc.softrnic.rc;

import java.nio.ByteBuffer;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.Cqe;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.softrnic.queue.CqWriter;

/**
 * Where a short message goes: into the CQE that tells of it, or in one piece into the first SGE of the peer's oldest
 * receive. One thread; used again.
 */
final class Landing {

    private CqWriter cq;
    private ByteBuffer target;
    private int to;
    private int cqe;
    private int format;
    private boolean inLine;

    /**
     * Finds the place, and claims the CQE.
     *
     * @param whole true when nothing else than the message is to be written to the CQE
     * @return false, with nothing done, when the peer has no receive, or one that such a message does not fit in
     */
    boolean find(Responder peer, int total, boolean whole) {
        int wqe = peer.peekReceive();
        if (wqe < 0 || Wqe.dataLength(peer.memory(), wqe) < total) {
            return false;
        }
        CqWriter writer = peer.completions();
        boolean line = whole && writer.fitsLine(total);
        int how = line ? Cqe.INLINE_32 : writer.format(total); // either begins where the CQE does
        long address = how != 0 ? 0 : peer.address(wqe);
        ByteBuffer memory = how != 0 ? writer.memory() : peer.window(wqe, address, total);
        int claimed = memory == null ? -1 : writer.claim();
        if (claimed < 0) {
            return false; // a claim that failed raised the overrun; the long way fails on it again
        }
        if (target != memory) { // a store of a reference costs the collector's barrier
            target = memory;
        }
        if (cq != writer) {
            cq = writer;
        }
        to = how != 0 ? Cqe.inlineOffset(claimed, how) : Slab.index(address);
        cqe = claimed;
        format = how;
        inLine = line;
        return true;
    }

    ByteBuffer target() {
        return target;
    }

    /** Returns the offset of the message's first byte. */
    int to() {
        return to;
    }

    /** Publishes the message, which lies there. */
    void publish(Responder peer, int total) {
        if (inLine) {
            cq.publishLine(cqe, peer.consume(), total);
            return;
        }
        BigEndian.putInt(cq.memory(), cqe + Cqe.BYTE_COUNT, total);
        cq.publish(cqe, 0, peer.consume(), Cqe.RESP_SEND, format);
    }
}
