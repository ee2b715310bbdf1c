package org.jvrpc.watch.rperf.verbs;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * What a prober says as it connects, in the connection's private data; big-endian. Some connection managers add zeros.
 *
 * <pre>
 *  0 magic:32 | 4 version:8 | 5 zero:24 | 8 bytes:32, the longest message | 12
 * </pre>
 */
record Greeting(int version, int bytes) {

    static final int VERSION = 1;

    private static final int MAGIC = 0x52504631; // RPF1
    private static final int AT_VERSION = 4;
    private static final int AT_BYTES = 8;
    private static final int LENGTH = 12;

    byte[] encode() {
        ByteBuffer out = ByteBuffer.allocate(LENGTH).order(ByteOrder.BIG_ENDIAN);
        out.putInt(0, MAGIC).put(AT_VERSION, (byte) version).putInt(AT_BYTES, bytes);
        return out.array();
    }

    /** Returns what it says; null when it is no greeting. */
    static Greeting decode(byte[] privateData) {
        if (privateData.length < LENGTH) {
            return null;
        }
        ByteBuffer in = ByteBuffer.wrap(Arrays.copyOf(privateData, LENGTH)).order(ByteOrder.BIG_ENDIAN);
        return in.getInt(0) == MAGIC ? new Greeting(in.get(AT_VERSION) & 0xff, in.getInt(AT_BYTES)) : null;
    }
}
