package org.jvrpc.ibverbs.generic;

/**
 * The {@code wr_id} that a WR has for C: which place of which queue it took. The user's own is kept at that place, and
 * the opcode, which tells sends from receives, means nothing in a completion with an error.
 *
 * <pre>
 * 63 receive:1 | 62 shared:1 | 32 owner:30, serial number of the QP or of the SRQ | 0 place:32
 * </pre>
 */
final class WrId {

    /** Of a receive. */
    static final long RECEIVE = 1L << 63;
    /** Of a receive of an SRQ; together with {@link #RECEIVE}. */
    static final long SHARED = 1L << 62;
    private static final int OWNER_SHIFT = 32;
    private static final int OWNER_MASK = (1 << 30) - 1;
    private static final long PLACE_MASK = 0xffffffffL;

    private WrId() {
    }

    /** Returns the id of place 0 of an owner. */
    static long of(long kind, int owner) {
        return kind | (long) (owner & OWNER_MASK) << OWNER_SHIFT;
    }

    static long place(long id, int place) {
        return id | place & PLACE_MASK;
    }

    static boolean isReceive(long id) {
        return id < 0;
    }

    static boolean isShared(long id) {
        return (id & SHARED) != 0;
    }

    static int owner(long id) {
        return (int) (id >>> OWNER_SHIFT) & OWNER_MASK;
    }

    static int place(long id) {
        return (int) id;
    }
}
