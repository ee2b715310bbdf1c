package org.jvrpc.roce.cm.message;

import java.nio.ByteBuffer;

/**
 * Layout of MRA: the receiver of a message needs longer to answer. Offsets from the MAD's body:
 *
 * <pre>
 * 0 local id:32 | 4 remote id:32 | 8 message:2, reserved:6
 * 9 service timeout:5, reserved:3 | 10 private data:222 bytes
 * </pre>
 */
public final class Mra {

    private static final int MESSAGE = Mad.BODY + 8;
    private static final int TIMEOUT = Mad.BODY + 9;

    private Mra() {
    }

    /** Returns an MRA; the timeout's code {@code t} (0 to 31) stands for 4.096 us * 2^t. */
    public static ByteBuffer create(long tid, int localId, int remoteId, int message, int timeout) {
        ByteBuffer mad = Mad.create(Mad.MRA, tid, localId, remoteId);
        return mad.put(MESSAGE, (byte) (message << 6)).put(TIMEOUT, (byte) (timeout << 3));
    }

    public static int message(ByteBuffer mad) {
        return mad.get(MESSAGE) >> 6 & 3;
    }

    public static int timeout(ByteBuffer mad) {
        return mad.get(TIMEOUT) >> 3 & 0x1f;
    }
}
