package org.jvrpc.mlx5;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jvrpc.verbs.PostReceive;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.VerbsException;

/** Receive WQEs kept in the form that they have in the ring. One thread. */
final class Mlx5PostReceive implements PostReceive {

    private final Mlx5QueuePair qp;
    private final ReceiveQueue queue;
    private final int stride;
    private final byte[] template;
    private final long[] wrIds;
    private final int[] sgeCounts;
    private final long[] bases;
    private final long[] versions;
    /** How many SGEs of each request have no bytes; their segments are left out of the WQE. */
    private final int[] empties;
    private final byte[] compact;
    private boolean freed;

    Mlx5PostReceive(Mlx5QueuePair qp, ReceiveQueue queue, ReceiveRequest[] requests) {
        this.qp = qp;
        this.queue = queue;
        this.stride = queue.stride();
        int slots = stride / Wqe.SEGMENT;
        if (requests.length == 0 || requests.length > queue.entries()) {
            throw new VerbsException("post_recv", "requests=" + requests.length + " queue=" + queue.entries());
        }
        this.template = new byte[requests.length * stride];
        this.wrIds = new long[requests.length];
        this.versions = new long[requests.length];
        this.sgeCounts = new int[requests.length];
        this.bases = new long[requests.length * slots];
        this.empties = new int[requests.length];
        this.compact = new byte[stride];
        for (int wr = 0; wr < requests.length; wr++) {
            encode(wr, requests[wr].wrId(), requests[wr].sges());
        }
    }

    private void encode(int wr, long wrId, List<Sge> sges) {
        if (sges.size() > qp.attributes().maxReceiveSge()) {
            throw new VerbsException("post_recv", "sges=" + sges.size() + " maxReceiveSge="
                    + qp.attributes().maxReceiveSge());
        }
        wrIds[wr] = wrId;
        versions[wr] = queue.newVersion();
        sgeCounts[wr] = sges.size();
        empties[wr] = sges.size(); // until the lengths are set
        for (int sge = 0; sge < sges.size(); sge++) {
            Sge piece = sges.get(sge);
            address(wr, sge, piece.address()).length(wr, sge, piece.length()).lkey(wr, sge, piece.lkey());
        }
        end(template, wr * stride, sges.size() * Wqe.SEGMENT);
    }

    /** Writes the end marker behind the data segments, when there is room for one more. */
    private void end(byte[] wqe, int at, int dataBytes) {
        if (dataBytes < stride) {
            BigEndian.putInt(wqe, at + dataBytes + Wqe.DATA_LKEY, Wqe.END_LKEY);
        }
    }

    /** Returns where an SGE that is about to be changed lies. */
    private int change(int wr, int sge) {
        Objects.checkIndex(sge, sgeCounts[wr]);
        versions[wr] = queue.newVersion();
        return wr * stride + sge * Wqe.SEGMENT;
    }

    @Override
    public PostReceive wrId(int wr, long wrId) {
        wrIds[wr] = wrId;
        return this;
    }

    @Override
    public PostReceive address(int wr, int sge, long address) {
        BigEndian.putLong(template, change(wr, sge) + Wqe.DATA_ADDRESS, address);
        bases[wr * (stride / Wqe.SEGMENT) + sge] = address;
        return this;
    }

    @Override
    public PostReceive offset(int wr, int sge, long offset) {
        long base = bases[wr * (stride / Wqe.SEGMENT) + sge];
        BigEndian.putLong(template, change(wr, sge) + Wqe.DATA_ADDRESS, base + offset);
        return this;
    }

    @Override
    public PostReceive length(int wr, int sge, int length) {
        int at = change(wr, sge);
        empties[wr] += (Mlx5PostSend.checkLength(length) == 0 ? 1 : 0)
                - (BigEndian.getInt(template, at) == 0 ? 1 : 0);
        BigEndian.putInt(template, at, length);
        return this;
    }

    @Override
    public PostReceive lkey(int wr, int sge, int lkey) {
        BigEndian.putInt(template, change(wr, sge) + Wqe.DATA_LKEY, lkey);
        return this;
    }

    @Override
    public int execute() {
        if (freed || qp.isClosed() || !qp.mayReceive()) {
            throw new IllegalStateException(
                    "post_recv: freed=" + freed + " qp=" + qp.number() + " state=" + qp.state());
        }
        int count = Math.min(wrIds.length, queue.room());
        for (int wr = 0; wr < count; wr++) {
            if (empties[wr] == 0) {
                queue.write(wr, template, wr * stride, wrIds[wr], versions[wr]);
            } else {
                compact(wr);
                queue.write(wr, compact, 0, wrIds[wr], versions[wr]);
            }
        }
        queue.ring(count);
        if (qp.state() == QueuePairState.ERR) {
            qp.control().failed(); // has what was just posted flushed, too
        }
        return count;
    }

    /** Copies a WQE without its data segments of no bytes, which a device takes for 2 GiB. */
    private void compact(int wr) {
        Arrays.fill(compact, (byte) 0);
        int count = 0;
        for (int sge = 0; sge < sgeCounts[wr]; sge++) {
            int at = wr * stride + sge * Wqe.SEGMENT;
            if (BigEndian.getInt(template, at) != 0) {
                System.arraycopy(template, at, compact, count, Wqe.SEGMENT);
                count += Wqe.SEGMENT;
            }
        }
        end(compact, 0, count);
    }

    @Override
    public int size() {
        return wrIds.length;
    }

    @Override
    public boolean valid() {
        return !freed && !qp.isClosed();
    }

    @Override
    public void free() {
        freed = true;
    }
}
