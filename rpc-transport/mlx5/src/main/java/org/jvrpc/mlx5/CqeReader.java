package org.jvrpc.mlx5;

import java.nio.ByteBuffer;
import org.jvrpc.verbs.WcOpcode;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.WorkCompletion;

/** What the CQEs of a ring say, and where their data goes. The thread that polls. */
final class CqeReader {

    private final ByteBuffer memory;
    private final int ring;
    private final boolean payloadInPlace;
    /** True when the last message had the line before its CQE, too; the next one is likely to. */
    private boolean wide;

    CqeReader(ByteBuffer memory, int ring, boolean payloadInPlace) {
        this.memory = memory;
        this.ring = ring;
        this.payloadInPlace = payloadInPlace;
    }

    boolean isWide() {
        return wide;
    }

    /**
     * Completes what a CQE tells of; false when that is nothing, or nothing more.
     *
     * @param at where the CQE lies
     * @param tail its last 8 bytes, which say that it is valid
     */
    boolean complete(WorkCompletion wc, Mlx5QueuePair qp, int at, long tail) {
        int counter = Cqe.wqeCounter(tail);
        switch (Cqe.opcode(tail)) {
            case Cqe.RESP_SEND:
            case Cqe.RESP_SEND_IMM:
            case Cqe.RESP_WR_IMM:
            case Cqe.RESP_SEND_INV:
                return completeReceive(wc, qp, at, tail, counter);
            case Cqe.REQ:
                completeSend(wc, qp, at, tail, counter);
                return true;
            case Cqe.REQ_ERR:
                wc.fail(qp.sends().wrId(counter), qp.number(), status(at), memory.get(at + Cqe.VENDOR_ERROR) & 0xff);
                if (qp.isShadowed()) {
                    qp.sends().takeAnswers(counter, false);
                }
                qp.sends().complete(counter);
                qp.control().failed();
                return true;
            case Cqe.RESP_ERR:
                boolean known = failReceive(wc, qp, counter, status(at), memory.get(at + Cqe.VENDOR_ERROR) & 0xff);
                qp.control().failed();
                return known;
            default:
                qp.error();
                return false;
        }
    }

    private void completeSend(WorkCompletion wc, Mlx5QueuePair qp, int at, long tail, int counter) {
        WcOpcode opcode = opcode(Cqe.sendOpcode(tail));
        boolean atomic = opcode == WcOpcode.COMPARE_SWAP || opcode == WcOpcode.FETCH_ADD;
        // The count of an atomic is not looked at: rdma-core does not trust it.
        wc.succeed(qp.sends().wrId(counter), qp.number(), opcode,
                atomic ? 8 : BigEndian.getInt(memory, at + Cqe.BYTE_COUNT));
        int format = Cqe.format(tail);
        if (format != 0) {
            takeAnswer(wc, qp, at, format, counter);
        }
        if (qp.isShadowed()) {
            qp.sends().takeAnswers(counter, format == 0);
        }
        qp.sends().complete(counter);
    }

    /** Copies the answer of a READ or an atomic, which a card may put into the CQE, to where the WQE says. */
    private void takeAnswer(WorkCompletion wc, Mlx5QueuePair qp, int at, int format, int counter) {
        int from = Cqe.inlineOffset(at, format);
        int length = wc.byteLength();
        boolean taken = length >= 0 && length <= Cqe.inlineBytes(format) && from >= ring
                && qp.scatterAnswer(counter, memory, from, length);
        if (!taken) {
            wc.fail(wc.wrId(), qp.number(), WcStatus.BAD_RESP_ERR, format);
            qp.error();
        }
    }

    private WcStatus status(int at) {
        return Syndrome.status(memory.get(at + Cqe.SYNDROME));
    }

    private boolean completeReceive(WorkCompletion wc, Mlx5QueuePair qp, int at, long tail, int counter) {
        ReceiveQueue receives = qp.receives();
        if (receives == null) {
            return completeSpecial(wc, qp, at, tail, counter);
        }
        if (!receives.isPosted(counter)) {
            return false;
        }
        int inLine = Cqe.lineBytes(tail);
        int length = inLine != 0 ? inLine : BigEndian.getInt(memory, at + Cqe.BYTE_COUNT);
        int opcode = Cqe.opcode(tail);
        wc.succeed(receives.wrId(counter), qp.number(),
                opcode == Cqe.RESP_WR_IMM ? WcOpcode.RECV_RDMA_WITH_IMM : WcOpcode.RECV, length);
        if (Cqe.hasImmediate(opcode)) {
            wc.immediate(BigEndian.getInt(memory, at + Cqe.IMMEDIATE));
        }
        int format = Cqe.format(tail);
        if (inLine != 0) {
            wide = false;
            takeInline(wc, qp, at, Cqe.LINE_BYTES, format, counter, length);
        } else if (format != 0) {
            takeInline(wc, qp, at, format, counter, length);
        } else if (qp.isShadowed() && opcode != Cqe.RESP_WR_IMM) {
            qp.landed(counter, length);
        }
        receives.complete(counter); // last: another thread may post into the slot at once
        return true;
    }

    /** Completes a receive of an SRQ, or a datagram. */
    private boolean completeSpecial(WorkCompletion wc, Mlx5QueuePair qp, int at, long tail, int counter) {
        Mlx5SharedReceiveQueue shared = qp.shared();
        boolean known = shared != null ? shared.ring().complete(counter) : qp.ownReceives().isPosted(counter);
        if (!known) {
            return false;
        }
        int length = BigEndian.getInt(memory, at + Cqe.BYTE_COUNT);
        int opcode = Cqe.opcode(tail);
        wc.succeed(shared != null ? shared.ring().wrId(counter) : qp.ownReceives().wrId(counter), qp.number(),
                opcode == Cqe.RESP_WR_IMM ? WcOpcode.RECV_RDMA_WITH_IMM : WcOpcode.RECV, length);
        if (Cqe.hasImmediate(opcode)) {
            wc.immediate(BigEndian.getInt(memory, at + Cqe.IMMEDIATE));
        }
        int format = Cqe.format(tail);
        if (qp.isDatagram()) {
            wc.datagram(BigEndian.getInt(memory, at + Cqe.FLAGS_RQPN) & 0xffffff);
        }
        if (format != 0) {
            takeInline(wc, qp, at, format, counter, length);
        } else if (qp.isShadowed() && opcode != Cqe.RESP_WR_IMM) {
            qp.landed(counter, length);
        }
        if (shared != null) {
            shared.ring().release(counter);
        } else {
            qp.ownReceives().complete(counter);
        }
        return true;
    }

    static boolean failReceive(
            WorkCompletion wc, Mlx5QueuePair qp, int counter, WcStatus status, int vendorError) {
        if (qp.shared() == null) {
            return failOwnReceive(wc, qp, counter, status, vendorError);
        }
        if (!qp.shared().ring().complete(counter)) {
            return false;
        }
        wc.fail(qp.shared().ring().wrId(counter), qp.number(), status, vendorError);
        qp.shared().ring().release(counter);
        return true;
    }

    private static boolean failOwnReceive(
            WorkCompletion wc, Mlx5QueuePair qp, int counter, WcStatus status, int vendorError) {
        ReceiveQueue receives = qp.ownReceives();
        if (!receives.isPosted(counter)) {
            return false;
        }
        wc.fail(receives.wrId(counter), qp.number(), status, vendorError);
        receives.complete(counter);
        return true;
    }

    private void takeInline(WorkCompletion wc, Mlx5QueuePair qp, int at, int format, int counter, int length) {
        int from = Cqe.inlineOffset(at, format);
        wide = from != at;
        takeInline(wc, qp, from, from < ring ? -1 : Cqe.inlineBytes(format), format, counter, length);
    }

    private void takeInline(
            WorkCompletion wc, Mlx5QueuePair qp, int from, int most, int format, int counter, int length) {
        if (length < 0 || length > most) {
            wc.fail(wc.wrId(), qp.number(), WcStatus.BAD_RESP_ERR, format);
            qp.error();
        } else if (payloadInPlace) {
            wc.inline(memory, from);
        } else if (!qp.scatter(counter, memory, from, length)) {
            wc.fail(wc.wrId(), qp.number(), WcStatus.LOC_PROT_ERR, format);
            qp.error();
        }
    }

    private static WcOpcode opcode(int sendOpcode) {
        return switch (sendOpcode) {
            case Wqe.RDMA_WRITE, Wqe.RDMA_WRITE_IMM -> WcOpcode.RDMA_WRITE;
            case Wqe.RDMA_READ -> WcOpcode.RDMA_READ;
            case Wqe.ATOMIC_CS -> WcOpcode.COMPARE_SWAP;
            case Wqe.ATOMIC_FA -> WcOpcode.FETCH_ADD;
            default -> WcOpcode.SEND;
        };
    }
}
