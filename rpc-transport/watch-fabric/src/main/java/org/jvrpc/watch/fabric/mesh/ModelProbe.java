package org.jvrpc.watch.fabric.mesh;

import java.nio.ByteBuffer;

/**
 * The bytes of a probe in the model, big-endian: no seal, as nobody forges here.
 *
 * <pre>
 * 0 kind:8 (1 probe, 2 ack, 3 times) | 1 service level:4 place in its group:4 | 2 flow:16 | 4 group:32
 * 8 value:64 | pattern
 * </pre>
 * Value of an ack: bit i is set when the probe at place i of the group had come. Of times: T4 - T3 in nanoseconds.
 */
final class ModelProbe {

    static final int PROBE = 1;
    static final int ACK = 2;
    static final int TIMES = 3;
    /** Of an answer, as of the agent's. */
    static final int ANSWER_BYTES = 64;
    /** Probes to one target with one flow, of one size each. */
    static final int PLACES = 3;

    private static final int PLACE_AT = 1;
    private static final int FLOW_AT = 2;
    private static final int GROUP_AT = 4;
    private static final int VALUE_AT = 8;
    private static final int[] BYTES = {64, 512, 1400};

    private ModelProbe() {
    }

    static int bytes(int size) {
        return BYTES[size];
    }

    static void write(ByteBuffer to, int length, int kind, int place, int level, int flow, int group,
            long value) {
        to.clear().limit(length);
        to.put(0, (byte) kind).put(PLACE_AT, (byte) (level << 4 | place)).putShort(FLOW_AT, (short) flow)
                .putInt(GROUP_AT, group).putLong(VALUE_AT, value);
    }

    static int kind(ByteBuffer from, int at) {
        return from.get(at);
    }

    static int place(ByteBuffer from, int at) {
        return from.get(at + PLACE_AT) & 15;
    }

    static int level(ByteBuffer from, int at) {
        return from.get(at + PLACE_AT) >> 4 & 15;
    }

    static int flow(ByteBuffer from, int at) {
        return from.getShort(at + FLOW_AT) & 0xffff;
    }

    static int group(ByteBuffer from, int at) {
        return from.getInt(at + GROUP_AT);
    }

    static long value(ByteBuffer from, int at) {
        return from.getLong(at + VALUE_AT);
    }
}
