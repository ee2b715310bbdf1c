package org.jvrpc.roce.cm.message;

import java.nio.ByteBuffer;

/**
 * Layout of REJ. Offsets from the MAD's body:
 *
 * <pre>
 * 0 local id:32 | 4 remote id:32 | 8 message:2, reserved:6 | 9 ARI length:7, reserved:1 | 10 reason:16
 * 12 ARI:72 bytes | 84 private data:148 bytes
 * </pre>
 */
public final class Rej {

    /** Bytes of private data. */
    public static final int PRIVATE_BYTES = 148;
    /** A REJ of a REQ. */
    public static final int OF_REQ = 0;
    /** A REJ of a REP. */
    public static final int OF_REP = 1;
    /** A REJ of another message. */
    public static final int OF_OTHER = 2;

    private static final int MESSAGE = Mad.BODY + 8;
    private static final int ARI_LENGTH = Mad.BODY + 9;
    private static final int REASON = Mad.BODY + 10;
    private static final int ARI = Mad.BODY + 12;
    private static final int PRIVATE = Mad.BODY + 84;

    private Rej() {
    }

    /** Returns a REJ. The side that has no id of its own yet gives {@code localId} 0. */
    public static ByteBuffer create(long tid, int localId, int remoteId, int message, int reason, byte[] data) {
        Mad.checkPrivateData(data, PRIVATE_BYTES);
        ByteBuffer mad = Mad.create(Mad.REJ, tid, localId, remoteId);
        return mad.put(MESSAGE, (byte) (message << 6)).putShort(REASON, (short) reason).put(PRIVATE, data);
    }

    /** Returns a REJ of one who gave up: without private data, its additional information is the sender's CA GUID. */
    public static ByteBuffer create(long tid, int localId, int remoteId, int message, int reason, long caGuid) {
        ByteBuffer mad = create(tid, localId, remoteId, message, reason, new byte[0]);
        return mad.put(ARI_LENGTH, (byte) (Long.BYTES << 1)).putLong(ARI, caGuid);
    }

    public static int message(ByteBuffer mad) {
        return mad.get(MESSAGE) >> 6 & 3;
    }

    public static int reason(ByteBuffer mad) {
        return mad.getShort(REASON) & 0xffff;
    }

    public static byte[] privateData(ByteBuffer mad) {
        return Mad.copy(mad, PRIVATE, PRIVATE_BYTES);
    }
}
