package org.jvrpc.roce.cm.message;

import java.nio.ByteBuffer;

/**
 * Layout of DREQ. Offsets from the MAD's body:
 *
 * <pre>
 * 0 local id:32 | 4 remote id:32 | 8 remote QPN:24, reserved:8 | 12 private data:220 bytes
 * </pre>
 */
public final class Dreq {

    private static final int QPN = Mad.BODY + 8;

    private Dreq() {
    }

    public static ByteBuffer create(long tid, int localId, int remoteId, int remoteQpn) {
        return Mad.create(Mad.DREQ, tid, localId, remoteId).putInt(QPN, remoteQpn << 8);
    }

    /** Returns the QPN of the DREQ's receiver. */
    public static int remoteQpn(ByteBuffer mad) {
        return mad.getInt(QPN) >>> 8;
    }
}
