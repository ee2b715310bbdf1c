package org.jvrpc.tcp.link;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * What each frame of a stream begins with: kind:4 and length:28 of what follows, little-endian.
 *
 * <pre>
 * MESSAGE  header:128 | body                  a message of the session
 * FETCH    number:64 | source:64 | key:32 | length:32     asks for a piece of a long body
 * DATA     number:64 | bytes                  the piece
 * REFUSED  number:64                          there is no such body, or none so long
 * PING, PONG  number:64                       a sign of life is wanted, and given: all before it was taken
 * </pre>
 */
final class FrameHead {

    static final int BYTES = 4;
    static final int MESSAGE = 0;
    static final int FETCH = 1;
    static final int DATA = 2;
    static final int REFUSED = 3;
    static final int PING = 4;
    static final int PONG = 5;

    static final int FETCH_BYTES = 24;
    static final int NUMBER_BYTES = 8;
    private static final int KIND_SHIFT = 28;
    private static final int MAX_LENGTH = (1 << KIND_SHIFT) - 1;

    private FrameHead() {
    }

    /** @param length at most 2^28 - 1 */
    static int of(int kind, int length) {
        if (length < 0 || length > MAX_LENGTH) {
            throw new IllegalArgumentException("frame of bytes=" + length + ": 0 to " + MAX_LENGTH);
        }
        return kind << KIND_SHIFT | length;
    }

    /** Makes a frame without a body of its own, with its head. */
    static ByteBuffer frame(int kind, int bytes) {
        return ByteBuffer.allocateDirect(BYTES + bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(0, of(kind, bytes));
    }

    static int kind(int head) {
        return head >>> KIND_SHIFT;
    }

    static int length(int head) {
        return head & MAX_LENGTH;
    }
}
