package org.jvrpc.mlx5;

import java.nio.ByteBuffer;

/**
 * Layout of a WQE of an SRQ: a segment that names the WQE after it, then data segments as in a receive WQE, up to the
 * stride or to an end marker. A message takes the WQE that the one before it names; the first is index 0.
 *
 * <pre>
 *  0 zero:16 | 2 index of the next WQE:16 | 4 signature:8 | 5 zero:88 | 16 data…
 * </pre>
 * WQEs are given back in any order, so the free ones make a list: the producer links one behind the last as it is
 * posted. One WQE is always held back, since the last that is posted must name the next. Source: rdma-core,
 * providers/mlx5/wqe.h, struct mlx5_wqe_srq_next_seg; srq.c.
 */
public final class SharedReceiveWqe {

    /** Offset of the index of the next WQE. */
    public static final int NEXT = 2;
    /** Offset of the first data segment. */
    public static final int DATA = Wqe.SEGMENT;

    private SharedReceiveWqe() {
    }

    /** Reads which WQE is taken after the one at {@code offset}. */
    public static int next(ByteBuffer ring, int offset) {
        return BigEndian.getShort(ring, offset + NEXT);
    }

    static void next(ByteBuffer ring, int offset, int index) {
        BigEndian.putShort(ring, offset + NEXT, index);
    }
}
