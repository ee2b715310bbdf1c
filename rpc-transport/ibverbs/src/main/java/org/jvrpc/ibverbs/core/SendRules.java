package org.jvrpc.ibverbs.core;

import org.jvrpc.ibverbs.binding.Ibv;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.VerbsException;

/** What a send must be like, and how C names what it asks for: for all drivers that write structs of C. */
public final class SendRules {

    private SendRules() {
    }

    /** @throws VerbsException when a QP of these attributes cannot send it */
    public static void check(SendRequest request, QueuePairAttributes attributes, int qpNumber) {
        if (request.sges().size() > attributes.maxSendSge()) {
            throw new VerbsException("post_send", "sges=" + request.sges().size() + " maxSendSge="
                    + attributes.maxSendSge());
        }
        if (attributes.isDatagram() == (request.destination() == null)) {
            throw new VerbsException("post_send", "a datagram QP sends datagrams, which have a destination, and others"
                    + " do not: qp number=" + qpNumber + " opcode=" + request.opcode() + " destination="
                    + request.destination());
        }
        if (request.has(SendRequest.INLINE)) {
            checkInline(bytes(request), attributes);
        }
    }

    /** @throws VerbsException when so many bytes are too many */
    public static void checkInline(long bytes, QueuePairAttributes attributes) {
        if (bytes > attributes.maxInline()) {
            throw new VerbsException("post_send", "inline bytes=" + bytes + " maxInline=" + attributes.maxInline());
        }
    }

    /** Returns the length of a message, in bytes. */
    public static long bytes(SendRequest request) {
        long sum = 0;
        for (Sge sge : request.sges()) {
            sum += sge.length();
        }
        return sum;
    }

    /** Refuses to set what requests of an opcode do not have. */
    public static void require(boolean fits, SendRequest.Opcode opcode, String what) {
        if (!fits) {
            throw new IllegalStateException("opcode=" + opcode + " has no " + what);
        }
    }

    /** Returns the {@code enum ibv_wr_opcode}. */
    public static int code(SendRequest.Opcode opcode) {
        return switch (opcode) {
            case SEND -> Ibv.WR_SEND;
            case SEND_WITH_IMM -> Ibv.WR_SEND_WITH_IMM;
            case RDMA_WRITE -> Ibv.WR_RDMA_WRITE;
            case RDMA_WRITE_WITH_IMM -> Ibv.WR_RDMA_WRITE_WITH_IMM;
            case RDMA_READ -> Ibv.WR_RDMA_READ;
            case COMPARE_SWAP -> Ibv.WR_ATOMIC_CMP_AND_SWP;
            case FETCH_ADD -> Ibv.WR_ATOMIC_FETCH_AND_ADD;
        };
    }

    /** Returns the {@code enum ibv_send_flags}. */
    public static int flags(SendRequest request) {
        return (request.has(SendRequest.SIGNALLED) ? Ibv.SEND_SIGNALED : 0)
                | (request.has(SendRequest.SOLICITED) ? Ibv.SEND_SOLICITED : 0)
                | (request.has(SendRequest.FENCE) ? Ibv.SEND_FENCE : 0)
                | (request.has(SendRequest.INLINE) ? Ibv.SEND_INLINE : 0);
    }
}
