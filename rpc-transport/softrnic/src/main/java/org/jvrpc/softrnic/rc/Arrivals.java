package org.jvrpc.softrnic.rc;

import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.Cqe;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.softrnic.memory.Atomics;
import org.jvrpc.softrnic.memory.Copy;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.softrnic.queue.CqWriter;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.WcStatus;

/**
 * Executes at a QP what comes for it from elsewhere, as {@link WqeExecutor} does it for a sender whose ring is at hand.
 * The bytes that come lie in memory that their sender cannot change any more. Keys are looked up for each piece. One
 * thread.
 */
public final class Arrivals {

    private final Responder responder;
    private final Delivery delivery = new Delivery();

    public Arrivals(Responder responder) {
        this.responder = responder;
    }

    /** Returns true while the QP takes nothing because it is being connected. */
    public boolean isConnecting() {
        return responder.isInit();
    }

    /** Gives up a receive that was taken for a message that will not be. */
    public void giveUp() {
        responder.giveUp();
    }

    /**
     * Executes a SEND or a WRITE, or a piece of it; the last one completes a receive where the opcode asks for that.
     *
     * @param address of the whole, for WRITEs
     * @param skip bytes that came before
     * @return null, with nothing done, when there is no receive, or {@link #isConnecting}
     */
    public WcStatus arrive(int opcode, int immediate, int rkey, long address, long total, long skip, ByteBuffer from,
            int at, int bytes) {
        if (opcode == Wqe.SEND && bytes == total && delivery.deliver(responder, from, at, bytes)) {
            return WcStatus.SUCCESS;
        }
        if (!responder.isReady()) {
            return refusal();
        }
        boolean last = skip + bytes == total;
        return switch (opcode) {
            case Wqe.SEND, Wqe.SEND_IMM -> send(opcode, immediate, total, skip, from, at, bytes);
            case Wqe.RDMA_WRITE -> write(rkey, address, total, skip, from, at, bytes);
            case Wqe.RDMA_WRITE_IMM -> {
                if (last && responder.peekReceive() < 0) {
                    yield null;
                }
                WcStatus status = write(rkey, address, total, skip, from, at, bytes);
                yield last && status == WcStatus.SUCCESS ? complete(Cqe.RESP_WR_IMM, immediate, (int) total) : status;
            }
            default -> WcStatus.REM_INV_REQ_ERR;
        };
    }

    private WcStatus refusal() {
        return responder.isInit() ? null : WcStatus.RETRY_EXC_ERR;
    }

    private WcStatus send(int opcode, int immediate, long total, long skip, ByteBuffer from, int at, int bytes) {
        int wqe = responder.peekReceive();
        if (wqe < 0) {
            return null;
        }
        if (total > responder.capacity(wqe)) {
            responder.failReceive(WcStatus.LOC_LEN_ERR, 0);
            return WcStatus.REM_INV_REQ_ERR;
        }
        if (!place(wqe, skip, from, at, bytes)) {
            responder.failReceive(WcStatus.LOC_PROT_ERR, 0);
            return WcStatus.REM_OP_ERR;
        }
        return skip + bytes < total
                ? WcStatus.SUCCESS
                : complete(opcode == Wqe.SEND ? Cqe.RESP_SEND : Cqe.RESP_SEND_IMM, immediate, (int) total);
    }

    /** Completes the receive at hand for what was brought without a copy here. */
    WcStatus completeDirectly(int opcode, int immediate, int total) {
        int how = opcode == Wqe.SEND ? Cqe.RESP_SEND : opcode == Wqe.SEND_IMM ? Cqe.RESP_SEND_IMM : Cqe.RESP_WR_IMM;
        return complete(how, immediate, total);
    }

    private WcStatus complete(int opcode, int immediate, int total) {
        CqWriter cq = responder.completions();
        int cqe = cq.claim();
        if (cqe < 0) {
            responder.fail();
            return WcStatus.REM_OP_ERR;
        }
        if (opcode != Cqe.RESP_SEND) {
            BigEndian.putInt(cq.memory(), cqe + Cqe.IMMEDIATE, immediate);
        }
        BigEndian.putInt(cq.memory(), cqe + Cqe.BYTE_COUNT, total);
        cq.publish(cqe, 0, responder.consume(), opcode, 0);
        return setGoing();
    }

    /** Has the chains of a cross-channel QP go on, for which a message has come. */
    private WcStatus setGoing() {
        MessageChains chains = responder.chains();
        if (chains != null && chains.claim()) {
            try {
                chains.run();
            } finally {
                chains.release();
            }
        }
        return WcStatus.SUCCESS;
    }

    /** Places a part of a message in the memory of a receive WQE, each field of which is read once. */
    private boolean place(int wqe, long skip, ByteBuffer from, int at, int bytes) {
        ByteBuffer wqes = responder.memory();
        long before = 0;
        long done = skip;
        long end = skip + bytes;
        for (int segment = wqe; segment < wqe + responder.stride() && done < end; segment += Wqe.SEGMENT) {
            long size = Wqe.byteCount(wqes, segment);
            if (done < before + size) {
                long address = Wqe.dataAddress(wqes, segment) + (done - before);
                int piece = (int) Math.min(end - done, before + size - done);
                Slab slab = responder.receiveRegion(Wqe.dataLkey(wqes, segment), address, piece);
                if (slab == null) {
                    return false;
                }
                copyIn(from, at + (int) (done - skip), slab, address, piece);
                done += piece;
            }
            before += size;
        }
        return done == end;
    }

    private WcStatus write(int rkey, long address, long total, long skip, ByteBuffer from, int at, int bytes) {
        if (total == 0) {
            return WcStatus.SUCCESS;
        }
        Slab slab = responder.region(rkey, address, total, Access.REMOTE_WRITE);
        if (slab == null) {
            responder.fail();
            return WcStatus.REM_ACCESS_ERR;
        }
        VarHandle.releaseFence();
        copyIn(from, at, slab, address + skip, bytes);
        VarHandle.releaseFence(); // what is written later must not be seen earlier
        return WcStatus.SUCCESS;
    }

    private static void copyIn(ByteBuffer from, int at, Slab slab, long address, int bytes) {
        for (int done = 0; done < bytes;) {
            int piece = (int) Math.min(bytes - done, Slab.untilWindowEnd(address + done));
            Copy.bytes(from, at + done, slab.window(address + done), Slab.index(address + done), piece);
            done += piece;
        }
    }

    /** Copies what a READ asks for. @return null, with nothing done, while {@link #isConnecting} */
    public WcStatus read(int rkey, long address, ByteBuffer to, int at, int bytes) {
        if (!responder.isReady()) {
            return refusal();
        }
        if (bytes > 0 && !responder.read(rkey, address, to, at, bytes)) {
            responder.fail();
            return WcStatus.REM_ACCESS_ERR;
        }
        return WcStatus.SUCCESS;
    }

    /**
     * Executes an atomic of 8 bytes.
     *
     * @param operands what is stored or added; what is compared, or where fields end; of a masked compare-and-swap
     *     which bits are stored, and which are compared
     * @param found its first is set to what was there
     * @return null, with nothing done, while {@link #isConnecting}
     */
    public WcStatus atomic(int opcode, int rkey, long address, long[] operands, long[] found) {
        if (!responder.isReady()) {
            return refusal();
        }
        if ((address & 7) != 0) {
            responder.fail();
            return WcStatus.REM_INV_REQ_ERR;
        }
        Slab slab = responder.region(rkey, address, 8, Access.REMOTE_ATOMIC);
        if (slab == null) {
            responder.fail();
            return WcStatus.REM_ACCESS_ERR;
        }
        return change(opcode, slab, address, operands, found)
                ? WcStatus.SUCCESS : WcStatus.REM_OP_ERR;
    }

    private static boolean change(int opcode, Slab slab, long address, long[] operands, long[] found) {
        Atomics atomics = slab.atomics();
        ByteBuffer target = slab.window(address);
        int at = Slab.index(address);
        switch (opcode) {
            case Wqe.ATOMIC_CS:
                found[0] = atomics.compareAndSwap(target, at, operands[1], operands[0]);
                return true;
            case Wqe.ATOMIC_FA:
                found[0] = atomics.fetchAndAdd(target, at, operands[0]);
                return true;
            case Wqe.ATOMIC_MASKED_FA:
                return atomics.maskedFetchAndAdd(target, at, operands[0], operands[1], found);
            default:
                return atomics.maskedCompareAndSwap(
                        target, at, operands[1], operands[0], operands[3], operands[2], found);
        }
    }
}
