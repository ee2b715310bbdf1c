package org.jvrpc.roce.cm.message;

import java.nio.ByteBuffer;

/**
 * Layout of REP. Offsets from the MAD's body:
 *
 * <pre>
 *  0 local id:32 | 4 remote id:32 | 8 Q_Key:32 | 12 QPN:24, reserved:8 | 16 EECN:24, reserved:8
 * 20 starting PSN:24, reserved:8 | 24 responder resources:8 | 25 initiator depth:8
 * 26 target ACK delay:5, failover:2, flow control:1 | 27 RNR retry:3, SRQ:1, reserved:4
 * 28 CA GUID:64 | 36 private data:196 bytes
 * </pre>
 */
public final class Rep {

    /** Bytes of private data. */
    public static final int PRIVATE_BYTES = 196;

    static final int PRIVATE = Mad.BODY + 36;
    private static final int QPN = Mad.BODY + 12;
    private static final int PSN = Mad.BODY + 20;
    private static final int RESOURCES = Mad.BODY + 24;
    private static final int DEPTH = Mad.BODY + 25;
    private static final int RNR = Mad.BODY + 27;
    private static final int GUID = Mad.BODY + 28;

    private Rep() {
    }

    static ByteBuffer write(ConnectReply r) {
        ByteBuffer mad = Mad.create(Mad.REP, r.tid(), r.localId(), r.remoteId());
        mad.putInt(QPN, r.qpn() << 8).putInt(PSN, r.startingPsn() << 8);
        mad.put(RESOURCES, (byte) r.responderResources()).put(DEPTH, (byte) r.initiatorDepth());
        mad.put(RNR, (byte) (r.rnrRetry() << 5 | (r.srq() ? 0x10 : 0))).putLong(GUID, r.caGuid());
        return mad.put(PRIVATE, r.privateData());
    }

    /** Checks a REP whose header was accepted. */
    public static Verdict check(ByteBuffer mad) {
        if (Mad.localId(mad) == 0) {
            return Verdict.COMMUNICATION_ID;
        }
        return qpn(mad) <= 1 ? Verdict.QPN : Verdict.ACCEPTED;
    }

    public static int qpn(ByteBuffer mad) {
        return mad.getInt(QPN) >>> 8;
    }

    public static int startingPsn(ByteBuffer mad) {
        return mad.getInt(PSN) >>> 8;
    }

    public static int responderResources(ByteBuffer mad) {
        return mad.get(RESOURCES) & 0xff;
    }

    public static int initiatorDepth(ByteBuffer mad) {
        return mad.get(DEPTH) & 0xff;
    }

    public static int rnrRetry(ByteBuffer mad) {
        return mad.get(RNR) >> 5 & 7;
    }

    public static boolean srq(ByteBuffer mad) {
        return (mad.get(RNR) & 0x10) != 0;
    }

    public static long caGuid(ByteBuffer mad) {
        return mad.getLong(GUID);
    }
}
