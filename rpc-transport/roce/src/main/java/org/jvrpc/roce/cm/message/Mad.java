package org.jvrpc.roce.cm.message;

import java.nio.ByteBuffer;

/**
 * Header of a management datagram, and the attributes of connection management.
 *
 * <pre>
 * 0 base version:8 | 1 class:8 | 2 class version:8 | 3 method:8 | 4 status:16 | 6 class specific:16
 * 8 TID:64 | 16 attribute:16 | 18 reserved:16 | 20 attribute modifier:32 | 24 body:232 bytes
 * </pre>
 */
public final class Mad {

    /** Bytes in a MAD. */
    public static final int BYTES = 256;
    /** Offset of the message, behind the header. */
    public static final int BODY = 24;
    /** Q_Key of QP 1. */
    public static final int QKEY = 0x80010000;
    public static final int REQ = 0x10;
    public static final int MRA = 0x11;
    public static final int REJ = 0x12;
    public static final int REP = 0x13;
    public static final int RTU = 0x14;
    public static final int DREQ = 0x15;
    public static final int DREP = 0x16;

    private static final int START = 0x01070203;
    private static final int TID = 8;
    private static final int ATTRIBUTE = 16;
    private static final int LOCAL_ID = BODY;
    private static final int REMOTE_ID = BODY + 4;

    private Mad() {
    }

    /** Returns a new, zeroed MAD with its header written. */
    public static ByteBuffer create(int attribute, long tid) {
        ByteBuffer mad = ByteBuffer.allocate(BYTES);
        mad.putInt(0, START).putLong(TID, tid).putShort(ATTRIBUTE, (short) attribute);
        return mad;
    }

    /** Returns a new MAD whose message starts with its sender's and its receiver's communication ids. */
    static ByteBuffer create(int attribute, long tid, int localId, int remoteId) {
        return create(attribute, tid).putInt(LOCAL_ID, localId).putInt(REMOTE_ID, remoteId);
    }

    public static long tid(ByteBuffer mad) {
        return mad.getLong(TID);
    }

    public static int attribute(ByteBuffer mad) {
        return mad.getShort(ATTRIBUTE) & 0xffff;
    }

    /** Returns the sender's communication id: the first field of each message. */
    public static int localId(ByteBuffer mad) {
        return mad.getInt(LOCAL_ID);
    }

    /** Returns the receiver's communication id: the second field of each message but REQ. */
    public static int remoteId(ByteBuffer mad) {
        return mad.getInt(REMOTE_ID);
    }

    /** Returns whether length, versions, class, method and attribute are those of connection management. */
    public static Verdict check(ByteBuffer mad) {
        if (mad.limit() != BYTES) {
            return Verdict.LENGTH;
        }
        if (mad.getInt(0) != START) {
            return Verdict.HEADER;
        }
        int attribute = attribute(mad);
        return attribute < REQ || attribute > DREP ? Verdict.ATTRIBUTE : Verdict.ACCEPTED;
    }

    static byte[] copy(ByteBuffer mad, int at, int length) {
        byte[] bytes = new byte[length];
        mad.get(at, bytes);
        return bytes;
    }

    static void checkPrivateData(byte[] data, int limit) {
        if (data.length > limit) {
            throw new IllegalArgumentException("privateDataLength=" + data.length + " limit=" + limit);
        }
    }
}
