package org.jvrpc.mlx5;

import java.nio.ByteBuffer;

/**
 * Layout of the address vector of a UD WQE, 48 bytes between ctrl and data.
 *
 * <pre>
 *  0 qkey:32 zero:32 | 8 extended:1 zero:7 qpn:24 | 12 rate:4 sl:4 | 13 flow label's low bits:8 | 14 remote LID:16
 * 16 zero:32 | 20 remote MAC:48 | 26 traffic class:8 | 27 hop limit:8
 * 28 zero:1 grh:1 zero:2 source GID index:8 flow label:20 | 32 remote GID, 16 bytes
 * </pre>
 * An address handle holds all but qkey and qpn, which come with each send. Source: rdma-core,
 * providers/mlx5/mlx5dv.h, struct mlx5_wqe_av; qp.c, set_datagram_seg.
 */
public final class AddressVector {

    /** Bytes in an address vector. */
    public static final int BYTES = 48;
    /** Offset of the qkey. */
    public static final int QKEY = 0;
    /** Offset of the number of the remote QP. */
    public static final int QPN = 8;
    /** Offset of the remote LID. */
    public static final int LID = 14;
    /** Offset of the hop limit. */
    public static final int HOP_LIMIT = 27;
    /** Offset of the word with the GRH bit, the index of the source GID and the flow label. */
    public static final int GRH = 28;
    /** Offset of the remote GID. */
    public static final int GID = 32;
    /** In the word of the remote QP: all 48 bytes are there. */
    public static final int EXTENDED = 0x80000000;
    /** In the word at {@link #GRH}: packets have a GRH. */
    public static final int GRH_PRESENT = 1 << 30;

    private static final int QPN_MASK = 0xffffff;

    private AddressVector() {
    }

    /** Reads the qkey of the vector at {@code offset}. */
    public static int qkey(ByteBuffer ring, int offset) {
        return BigEndian.getInt(ring, offset + QKEY);
    }

    /** Reads the number of the remote QP. */
    public static int qpn(ByteBuffer ring, int offset) {
        return BigEndian.getInt(ring, offset + QPN) & QPN_MASK;
    }

    /** Reads the remote LID. */
    public static int lid(ByteBuffer ring, int offset) {
        return BigEndian.getShort(ring, offset + LID);
    }

    /** Reads the first half of the remote GID. */
    public static long gidHigh(ByteBuffer ring, int offset) {
        return BigEndian.getLong(ring, offset + GID);
    }

    /** Reads the second half of the remote GID. */
    public static long gidLow(ByteBuffer ring, int offset) {
        return BigEndian.getLong(ring, offset + GID + 8);
    }

    /** Writes a vector as the big-endian longs of a WQE. */
    static void write(long[] words, int at, long[] handle, int qpn, int qkey) {
        System.arraycopy(handle, 0, words, at, BYTES / 8);
        words[at + QKEY / 8] = (long) qkey << 32;
        words[at + QPN / 8] = (long) (qpn | EXTENDED) << 32 | handle[QPN / 8] & 0xffffffffL;
    }
}
