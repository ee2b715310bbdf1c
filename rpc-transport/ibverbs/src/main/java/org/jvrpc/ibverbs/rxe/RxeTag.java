package org.jvrpc.ibverbs.rxe;

/**
 * What stands in the wr_id of a WQE, and so in that of its CQE: whose it is, and which. The ids of users are kept by
 * the driver, because an error CQE of rxe tells neither whether a send or a receive failed, nor where it lay.
 *
 * <pre>
 * 63 receive:1 | 62 of an SRQ:1 | 32 id of QP or SRQ:30, as the driver counts them | 0 sequence number or SRQ slot:32
 * </pre>
 */
final class RxeTag {

    private static final long RECEIVE = 1L << 63;
    private static final long SHARED = 1L << 62;
    private static final int ID_MASK = (1 << 30) - 1;

    private RxeTag() {
    }

    static long ofSend(int id, int sequence) {
        return (long) (id & ID_MASK) << 32 | sequence & 0xffffffffL;
    }

    static long ofReceive(int id, int sequence) {
        return RECEIVE | ofSend(id, sequence);
    }

    static long ofShared(int id, int slot) {
        return RECEIVE | SHARED | ofSend(id, slot);
    }

    static boolean isReceive(long tag) {
        return tag < 0;
    }

    static boolean isShared(long tag) {
        return (tag & SHARED) != 0;
    }

    static int id(long tag) {
        return (int) (tag >>> 32) & ID_MASK;
    }

    static int sequence(long tag) {
        return (int) tag;
    }

    /** Returns the id of the n-th QP that a driver makes: the same again after 2<sup>30</sup>. */
    static int id(int count) {
        return count & ID_MASK;
    }
}
