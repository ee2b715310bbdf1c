package org.jvrpc.watch.rperf.verbs;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jvrpc.verbs.ServiceClass;

/**
 * What a prober says as it connects, in the connection's private data; big-endian. Some connection managers add zeros.
 *
 * <pre>
 *  0 magic:32 | 4 version:8 | 5 service level:8 | 6 traffic class:8 | 7 zero:8 | 8 bytes:32, the longest message | 12
 * </pre>
 *
 * @param version {@link #VERSION}; the one before where the class of service is the default, which has none
 * @param bytes of the longest message
 * @param service what both sides' packets ask for
 */
record Greeting(int version, int bytes, ServiceClass service) {

    static final int VERSION = 2;
    static final int FIRST_VERSION = 1;

    private static final int MAGIC = 0x52504631; // RPF1
    private static final int AT_VERSION = 4;
    private static final int AT_LEVEL = 5;
    private static final int AT_TRAFFIC_CLASS = 6;
    private static final int AT_BYTES = 8;
    private static final int MOST_LEVEL = 15;
    private static final int LENGTH = 12;

    static Greeting of(int bytes, ServiceClass service) {
        return new Greeting(service.isDefault() ? FIRST_VERSION : VERSION, bytes, service);
    }

    byte[] encode() {
        ByteBuffer out = ByteBuffer.allocate(LENGTH).order(ByteOrder.BIG_ENDIAN);
        out.putInt(0, MAGIC).put(AT_VERSION, (byte) version).putInt(AT_BYTES, bytes)
                .put(AT_LEVEL, (byte) service.level()).put(AT_TRAFFIC_CLASS, (byte) service.trafficClass());
        return out.array();
    }

    /** Returns what it says; null when it is no greeting. */
    static Greeting decode(byte[] privateData) {
        if (privateData.length < LENGTH) {
            return null;
        }
        ByteBuffer in = ByteBuffer.wrap(Arrays.copyOf(privateData, LENGTH)).order(ByteOrder.BIG_ENDIAN);
        if (in.getInt(0) != MAGIC || in.get(AT_LEVEL) < 0 || in.get(AT_LEVEL) > MOST_LEVEL) {
            return null;
        }
        return new Greeting(in.get(AT_VERSION) & 0xff, in.getInt(AT_BYTES),
                new ServiceClass(in.get(AT_LEVEL), in.get(AT_TRAFFIC_CLASS) & 0xff));
    }
}
