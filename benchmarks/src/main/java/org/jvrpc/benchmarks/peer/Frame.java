package org.jvrpc.benchmarks.peer;

import java.nio.ByteBuffer;

/**
 * Messages on a byte stream.
 *
 * <pre>
 * 0        length of the payload, 4 bytes
 * 4        payload
 * </pre>
 */
final class Frame {

    static final int HEADER_BYTES = 4;
    /** Room for the largest payload and for many small ones in a row. */
    static final int BUFFER_BYTES = 256 * 1024;

    private Frame() {
    }

    /** Returns the number of bytes from the buffer's position on that are whole frames. */
    static int wholeBytes(ByteBuffer buffer) {
        int at = buffer.position();
        while (buffer.limit() - at >= HEADER_BYTES) {
            int next = at + HEADER_BYTES + buffer.getInt(at);
            if (next > buffer.limit()) {
                break;
            }
            at = next;
        }
        return at - buffer.position();
    }
}
