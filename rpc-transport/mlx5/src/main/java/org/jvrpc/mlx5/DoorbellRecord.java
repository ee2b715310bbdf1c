package org.jvrpc.mlx5;

/**
 * Layout of doorbell records, 8 bytes each.
 *
 * <pre>
 * QP  0 receive counter:32 (low 16 bits used) | 4 send counter:32 (low 16 bits used)
 * CQ  0 consumer index:32 (low 24 bits used)  | 4 arm: sequence:4 command:4 consumer index:24
 * </pre>
 */
public final class DoorbellRecord {

    /** Offset of a QP's receive counter. */
    public static final int RECEIVE = 0;
    /** Offset of a QP's send counter. */
    public static final int SEND = 4;
    /** Offset of a CQ's consumer index. */
    public static final int CONSUMER = 0;
    /** Offset of a CQ's arm word. */
    public static final int ARM = 4;
    /** Bits of a QP's counters. */
    public static final int COUNTER_MASK = 0xffff;
    /** Bits of a CQ's consumer index. */
    public static final int CONSUMER_MASK = 0xffffff;

    private DoorbellRecord() {
    }
}
