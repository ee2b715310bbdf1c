package org.jvrpc.benchmarks.soak.role;

import java.nio.ByteBuffer;

/**
 * One direction of a session of messages: the next number that must come.
 *
 * <pre>
 * 0  number, 8 bytes | 8  length, 4 bytes | 12 ... bytes that follow from the number and their place
 * </pre>
 */
final class Frames {

    static final int HEADER = 12;

    private long next;

    /** Fills a frame up to its limit. */
    static void fill(ByteBuffer frame, long number) {
        int length = frame.limit();
        frame.putLong(0, number).putInt(8, length);
        for (int i = HEADER; i < length; i++) {
            frame.put(i, at(number, i));
        }
    }

    private static byte at(long number, int i) {
        return (byte) (number * 31 + i * 7L);
    }

    /** Returns what is wrong with a frame, or null. */
    String check(ByteBuffer frame) {
        int start = frame.position();
        int length = frame.remaining();
        long expected = next++;
        long number = frame.getLong(start);
        if (number != expected) {
            next = number + 1;
            return "number=" + number + " expected=" + expected;
        }
        if (length != frame.getInt(start + 8)) {
            return "number=" + number + " length=" + length + " expected=" + frame.getInt(start + 8);
        }
        for (int i = HEADER; i < length; i++) {
            if (frame.get(start + i) != at(number, i)) {
                return "number=" + number + " length=" + length + " wrong byte at=" + i;
            }
        }
        return null;
    }

    /** Returns how many have come. */
    long count() {
        return next;
    }
}
