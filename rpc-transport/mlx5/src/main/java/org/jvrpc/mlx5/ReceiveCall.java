package org.jvrpc.mlx5;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jvrpc.verbs.PostReceive;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.VerbsException;

/** Receive WQEs kept in the form that they have in a ring, whichever ring that is. One thread. */
abstract class ReceiveCall implements PostReceive {

    final int stride;
    final byte[] template;
    final long[] wrIds;
    /** How many SGEs of each request have no bytes; their segments are left out of the WQE. */
    final int[] empties;
    final byte[] compact;
    boolean freed;
    private final int data;
    private final int[] sgeCounts;
    private final long[] bases;

    /** @param data offset of the first data segment in a WQE */
    ReceiveCall(int count, int limit, int stride, int data) {
        if (count == 0 || count > limit) {
            throw new VerbsException("post_recv", "requests=" + count + " queue=" + limit);
        }
        this.stride = stride;
        this.data = data;
        this.template = new byte[count * stride];
        this.wrIds = new long[count];
        this.sgeCounts = new int[count];
        this.bases = new long[count * (stride / Wqe.SEGMENT)];
        this.empties = new int[count];
        this.compact = new byte[stride];
    }

    /** Fills in the requests; the last thing that a constructor does. */
    final void fill(ReceiveRequest[] requests, int maxSge) {
        for (int wr = 0; wr < requests.length; wr++) {
            encode(wr, requests[wr].wrId(), requests[wr].sges(), maxSge);
        }
    }

    private void encode(int wr, long wrId, List<Sge> sges, int maxSge) {
        if (sges.size() > maxSge) {
            throw new VerbsException("post_recv", "sges=" + sges.size() + " maxReceiveSge=" + maxSge);
        }
        wrIds[wr] = wrId;
        changed(wr);
        sgeCounts[wr] = sges.size();
        empties[wr] = sges.size(); // until the lengths are set
        for (int sge = 0; sge < sges.size(); sge++) {
            Sge piece = sges.get(sge);
            address(wr, sge, piece.address()).length(wr, sge, piece.length()).lkey(wr, sge, piece.lkey());
        }
        end(template, wr * stride, data + sges.size() * Wqe.SEGMENT);
    }

    /** Notes that the bytes of a WQE change. */
    abstract void changed(int wr);

    /** Writes the end marker behind the data segments, when there is room for one more. */
    private void end(byte[] wqe, int at, int bytes) {
        if (bytes < stride) {
            BigEndian.putInt(wqe, at + bytes + Wqe.DATA_LKEY, Wqe.END_LKEY);
        }
    }

    /** Returns where an SGE that is about to be changed lies. */
    private int change(int wr, int sge) {
        Objects.checkIndex(sge, sgeCounts[wr]);
        changed(wr);
        return wr * stride + data + sge * Wqe.SEGMENT;
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

    /** Copies a WQE without its data segments of no bytes, which a device takes for 2 GiB. */
    final void compact(int wr) {
        Arrays.fill(compact, (byte) 0);
        int count = data;
        for (int sge = 0; sge < sgeCounts[wr]; sge++) {
            int at = wr * stride + data + sge * Wqe.SEGMENT;
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
    public void free() {
        freed = true;
    }
}
