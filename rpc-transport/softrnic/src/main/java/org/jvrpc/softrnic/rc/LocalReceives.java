package org.jvrpc.softrnic.rc;

import java.nio.ByteBuffer;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.Cqe;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.softrnic.memory.Copy;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.softrnic.queue.CqWriter;
import org.jvrpc.verbs.WcStatus;

/**
 * The receives of a QP of this process as a port with a network fills them: piece by piece, as packets come. Reads the
 * rings as any initiator does. Under the QP's lock.
 */
public final class LocalReceives {

    private static final int NONE = -1;

    private final Responder responder;
    private int wqe = NONE;
    private long capacity;
    /** A message that goes to the CQE itself. */
    private ByteBuffer whole;
    private int wholeAt;

    public LocalReceives(Responder responder) {
        this.responder = responder;
    }

    /** Has the oldest receive at hand; false when there is none. */
    public boolean take() {
        if (wqe == NONE) {
            wqe = responder.peekReceive();
            capacity = wqe == NONE ? 0 : responder.capacity(wqe);
        }
        return wqe != NONE;
    }

    /** Returns how many bytes the receive at hand takes. */
    public long capacity() {
        return capacity;
    }

    /**
     * Places bytes of a message in the receive at hand.
     *
     * @param from where in the message they begin
     * @param last when the message ends with them; they may then be read until it is completed
     */
    public WcStatus place(long from, ByteBuffer packet, int at, int length, boolean last) {
        if (from + length > capacity) {
            return WcStatus.LOC_LEN_ERR;
        }
        whole = null;
        if (from == 0 && last && responder.completions().format(length) != 0) {
            whole = packet;
            wholeAt = at;
            return WcStatus.SUCCESS;
        }
        return scatter(from, packet, at, length) ? WcStatus.SUCCESS : WcStatus.LOC_PROT_ERR;
    }

    private boolean scatter(long from, ByteBuffer packet, int at, int length) {
        ByteBuffer wqes = responder.memory();
        long skip = from;
        int done = 0;
        for (int segment = wqe; segment < wqe + responder.stride() && done < length; segment += Wqe.SEGMENT) {
            long size = Wqe.byteCount(wqes, segment);
            if (skip >= size) {
                skip -= size;
                continue;
            }
            int piece = (int) Math.min(length - done, size - skip);
            long address = Wqe.dataAddress(wqes, segment) + skip;
            Slab slab = responder.receiveRegion(Wqe.dataLkey(wqes, segment), address, piece);
            if (slab == null) {
                return false;
            }
            if (!copied(packet, at + done, slab, address, piece)) {
                return false;
            }
            skip = 0;
            done += piece;
        }
        return done == length;
    }

    /** Copies; false when the memory was adopted, and its owner has cut it. */
    private static boolean copied(ByteBuffer packet, int at, Slab slab, long address, int bytes) {
        try {
            copy(packet, at, slab, address, bytes);
            slab.told();
            return true;
        } catch (InternalError e) {
            return false;
        }
    }

    /** Copies over registered memory, which windows may divide. */
    public static void copy(ByteBuffer packet, int at, Slab slab, long address, int bytes) {
        for (int done = 0; done < bytes;) {
            long to = address + done;
            int piece = (int) Math.min(bytes - done, Slab.untilWindowEnd(to));
            Copy.bytes(packet, at + done, slab.window(to), Slab.index(to), piece);
            done += piece;
        }
    }

    /**
     * Completes the receive at hand; false on overrun.
     *
     * @param opcode of the CQE, as {@link Cqe#RESP_SEND}
     */
    public boolean complete(int opcode, int length, int immediate) {
        return complete(opcode, length, immediate, 0);
    }

    /** As above, of a UD QP. @param sourceQpn number of the QP that sent the message */
    public boolean complete(int opcode, int length, int immediate, int sourceQpn) {
        CqWriter cq = responder.completions();
        int cqe = cq.claim();
        if (cqe < 0) {
            return false;
        }
        int format = whole == null ? 0 : cq.format(length);
        if (format == 0) {
            BigEndian.putInt(cq.memory(), cqe + Cqe.FLAGS_RQPN, sourceQpn);
        } else {
            Copy.bytes(whole, wholeAt, cq.memory(), Cqe.inlineOffset(cqe, format), length);
            whole = null;
        }
        if (opcode != Cqe.RESP_SEND) {
            BigEndian.putInt(cq.memory(), cqe + Cqe.IMMEDIATE, immediate);
        }
        BigEndian.putInt(cq.memory(), cqe + Cqe.BYTE_COUNT, length);
        cq.publish(cqe, 0, responder.consume(), opcode, format);
        wqe = NONE;
        return true;
    }

    /** Completes the receive at hand with an error, and moves the QP to ERR. */
    public void fail(WcStatus status) {
        responder.failReceive(status, 0);
        wqe = NONE;
        whole = null;
    }

    /** The QP is in ERR: a receive at hand that others may have is theirs. */
    public void giveUp() {
        responder.giveUp();
        wqe = NONE;
        whole = null;
    }
}
