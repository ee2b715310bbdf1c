package org.jvrpc.roce.congestion;

/**
 * Explicit congestion notification in IPv4's TOS and IPv6's traffic class, which are one byte of the same shape:
 *
 * <pre>
 * DSCP:6 ECN:2
 * </pre>
 * Source: RFC 3168, section 5; RFC 2474.
 */
public final class Ecn {

    /** The sender does not take part: switches drop where they would mark. */
    public static final int NOT_ECT = 0;
    /** The sender takes part; the value that experiments use. */
    public static final int ECT_1 = 1;
    /** The sender takes part; the value that RoCEv2 senders use. */
    public static final int ECT_0 = 2;
    /** Congestion experienced: a switch marked the packet. */
    public static final int CE = 3;

    /** DSCP of CNPs as NVIDIA's firmware has it (CNP_DSCP). */
    public static final int CNP_DSCP = 48;
    /** Priority of CNPs in 802.1p as NVIDIA's firmware has it (CNP_802P_PRIO). */
    public static final int CNP_PRIORITY = 6;

    private static final int MASK = 3;
    private static final int DSCP_SHIFT = 2;
    private static final int DSCP_MOST = 63;

    private Ecn() {
    }

    /**
     * Packs a traffic class.
     *
     * @param dscp 0 to 63
     * @param ecn one of the four values above
     */
    public static int trafficClass(int dscp, int ecn) {
        Rates.check("dscp", dscp, 0, DSCP_MOST);
        Rates.check("ecn", ecn, NOT_ECT, CE);
        return dscp << DSCP_SHIFT | ecn;
    }

    /** Returns the DSCP, 0 to 63, of a traffic class of which only the low eight bits count. */
    public static int dscp(int trafficClass) {
        return trafficClass >> DSCP_SHIFT & DSCP_MOST;
    }

    /** Returns the ECN field of a traffic class. */
    public static int ecn(int trafficClass) {
        return trafficClass & MASK;
    }

    /** Returns whether a switch may mark a packet: it is ECT(0), ECT(1), or marked already. */
    public static boolean isCapable(int trafficClass) {
        return ecn(trafficClass) != NOT_ECT;
    }

    /** Returns whether a switch marked a packet. */
    public static boolean isMarked(int trafficClass) {
        return ecn(trafficClass) == CE;
    }

    /** Returns the traffic class with a mark, or as it is when the sender does not take part. */
    public static int mark(int trafficClass) {
        return isCapable(trafficClass) ? trafficClass | CE : trafficClass;
    }
}
