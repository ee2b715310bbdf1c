package org.jvrpc.verbs;

/** What may be done to a memory region, as a set of bits. Source: ibv_reg_mr(3). */
public final class Access {

    /** The device may write it for its owner: receives, READ results. */
    public static final int LOCAL_WRITE = 1;
    /** A peer may write it by RDMA WRITE; needs {@link #LOCAL_WRITE}. */
    public static final int REMOTE_WRITE = 2;
    /** A peer may read it by RDMA READ. */
    public static final int REMOTE_READ = 4;
    /** A peer may change it by atomics; needs {@link #LOCAL_WRITE}. */
    public static final int REMOTE_ATOMIC = 8;

    private static final int ALL = 15;

    private Access() {
    }

    /**
     * Checks a set of bits.
     *
     * @throws IllegalArgumentException for unknown bits, and for remote writing without local writing
     */
    public static int check(int access) {
        boolean remoteChange = (access & (REMOTE_WRITE | REMOTE_ATOMIC)) != 0;
        if ((access & ~ALL) != 0 || remoteChange && (access & LOCAL_WRITE) == 0) {
            throw new IllegalArgumentException("access=0x" + Integer.toHexString(access)
                    + ": unknown bits, or REMOTE_WRITE or REMOTE_ATOMIC without LOCAL_WRITE");
        }
        return access;
    }
}
