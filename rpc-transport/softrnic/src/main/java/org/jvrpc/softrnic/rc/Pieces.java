package org.jvrpc.softrnic.rc;

import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import org.jvrpc.mlx5.Cqe;
import org.jvrpc.mlx5.QueueMemory;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.softrnic.queue.CqWriter;
import org.jvrpc.softrnic.queue.DataSegments;
import org.jvrpc.softrnic.queue.GatherList;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.WcStatus;

/**
 * Executes a long SEND, WRITE or READ piece by piece, so that whoever executes it can do something else in between.
 * Keys are looked up for each piece anew: a region that goes meanwhile ends the transfer. One thread; used again.
 */
public final class Pieces {

    private final WqeExecutor executor;
    private final DataSegments data;
    private final ByteBuffer memory;
    private final int ring;

    /** @param queue that the executor has; its memory must not change while a WQE is executed */
    public Pieces(QueueMemory queue, DataSegments data, WqeExecutor executor) {
        this.executor = executor;
        this.data = data;
        this.memory = queue.memory();
        this.ring = queue.ring();
    }

    /** Returns how many bytes a WQE moves, when it is one that may be divided; else 0. */
    public long bytes(int at, long control) {
        int word = (int) (control >>> 32);
        int opcode = Wqe.opcode(word);
        boolean sends = opcode == Wqe.SEND || opcode == Wqe.SEND_IMM || opcode == Wqe.RDMA_WRITE
                || opcode == Wqe.RDMA_WRITE_IMM;
        if (sends ? Wqe.opmod(word) != 0 : opcode != Wqe.RDMA_READ) {
            return 0;
        }
        int segments = Wqe.segments((int) control);
        long bytes = 0;
        for (int segment = first(opcode); segment < segments * Wqe.SEGMENT; segment += Wqe.SEGMENT) {
            int length = Wqe.dataLength(memory, ring + at + segment);
            if ((length & Wqe.INLINE) != 0) { // it ends the list
                return bytes == 0 ? 0 : bytes + (length & ~Wqe.INLINE);
            }
            bytes += Wqe.byteCount(length);
        }
        return bytes;
    }

    private static int first(int opcode) {
        return opcode == Wqe.RDMA_READ ? 2 * Wqe.SEGMENT : Wqe.dataOffset(opcode);
    }

    /**
     * Executes a part of the WQE at an offset, which {@link #bytes} knows; the last part completes it at the peer.
     *
     * @param skip bytes that were moved before
     * @return null when the peer is not ready to receive; the same part comes again
     */
    public WcStatus execute(int at, long control, long flags, long skip, int bytes) {
        int opcode = Wqe.opcode((int) (control >>> 32));
        int access = opcode == Wqe.RDMA_READ ? Access.LOCAL_WRITE : 0;
        WcStatus status = data.collect(at, first(opcode), Wqe.segments((int) control), access);
        if (status != WcStatus.SUCCESS) {
            return status;
        }
        boolean last = skip + bytes == data.list().total();
        boolean sends = opcode == Wqe.SEND || opcode == Wqe.SEND_IMM;
        int receive = sends || last && opcode == Wqe.RDMA_WRITE_IMM ? executor.receive() : 0;
        if (receive < 0 || !sends && !executor.isPeerReady()) {
            return executor.refusal();
        }
        status = sends ? place(receive, skip, bytes) : move(at, opcode, skip, bytes);
        if (status != WcStatus.SUCCESS || !last || opcode == Wqe.RDMA_WRITE || opcode == Wqe.RDMA_READ) {
            return status;
        }
        CqWriter cq = executor.responder().completions();
        int cqe = cq.claim();
        if (cqe < 0) {
            executor.responder().fail();
            return WcStatus.REM_OP_ERR;
        }
        int how = opcode == Wqe.SEND ? Cqe.RESP_SEND : opcode == Wqe.SEND_IMM ? Cqe.RESP_SEND_IMM : Cqe.RESP_WR_IMM;
        executor.deliver(cq, cqe, (int) flags, how, (int) data.list().total(), 0);
        executor.delivered();
        return WcStatus.SUCCESS;
    }

    private WcStatus move(int at, int opcode, long skip, int bytes) {
        long address = executor.remoteAddress(at);
        int access = opcode == Wqe.RDMA_READ ? Access.REMOTE_READ : Access.REMOTE_WRITE;
        Slab slab = executor.remote(at, address, data.list().total(), access);
        if (slab == null) {
            return WcStatus.REM_ACCESS_ERR;
        }
        VarHandle.fullFence(); // what was moved before must not be seen later, as of a whole transfer
        if (opcode == Wqe.RDMA_READ) {
            readFrom(slab, address + skip, skip, bytes);
        } else {
            data.list().gather(skip, slab, address + skip, bytes);
        }
        VarHandle.fullFence();
        return WcStatus.SUCCESS;
    }

    private void readFrom(Slab slab, long from, long skip, int bytes) {
        GatherList list = data.list();
        for (int done = 0; done < bytes;) {
            long address = from + done;
            int piece = (int) Math.min(bytes - done, Slab.untilWindowEnd(address));
            list.scatter(skip + done, slab.window(address), Slab.index(address), piece);
            done += piece;
        }
    }

    /** Places a part of a SEND in the memory of a receive WQE. */
    private WcStatus place(int wqe, long skip, int bytes) {
        Responder peer = executor.responder();
        if (data.list().total() > peer.capacity(wqe)) {
            peer.failReceive(WcStatus.LOC_LEN_ERR, 0);
            return WcStatus.REM_INV_REQ_ERR;
        }
        long before = 0;
        long done = skip;
        long end = skip + bytes;
        for (int at = wqe; at < wqe + peer.stride() && done < end; at += Wqe.SEGMENT) {
            long size = Wqe.byteCount(peer.memory(), at);
            if (done < before + size) {
                long address = Wqe.dataAddress(peer.memory(), at) + (done - before);
                long piece = Math.min(end - done, before + size - done);
                Slab slab = peer.receiveRegion(Wqe.dataLkey(peer.memory(), at), address, piece);
                if (slab == null) {
                    break;
                }
                data.list().gather(done, slab, address, piece);
                done += piece;
            }
            before += size;
        }
        if (done < end) {
            peer.failReceive(WcStatus.LOC_PROT_ERR, 0);
            return WcStatus.REM_OP_ERR;
        }
        return WcStatus.SUCCESS;
    }
}
