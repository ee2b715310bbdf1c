package org.jvrpc.runtime.stream.piece;

import java.nio.ByteBuffer;
import org.jvrpc.runtime.session.Link;

/** How a piece's body gets from where it lies to the link. Under the session's monitor. */
public final class Piece {

    /** Bytes of the lengths before the bytes of an element that is a buffer: of the element, and of the buffer. */
    public static final int BUFFER_HEAD_BYTES = 2 * Integer.BYTES;
    /** What is shorter is copied to its slot, so that one system call takes many. */
    private static final int LEAST_GATHERED_BYTES = 1 << 13;

    private Piece() {
    }

    /**
     * Sends a piece.
     *
     * @param slotBody of the slot, little-endian
     * @param buffer true where the bytes are those of a buffer, whose lengths are written before them
     */
    public static void send(Link link, ByteBuffer slotBody, int slot, long first, int more, boolean buffer,
            ByteBuffer from, int at, int length) {
        int head = 0;
        if (buffer) {
            head = BUFFER_HEAD_BYTES;
            slotBody.putInt(0, Integer.BYTES + length).putInt(Integer.BYTES, length);
        }
        long second = StreamHeader.second(head + length, more);
        if (length >= LEAST_GATHERED_BYTES && link.sendFrom(slot, first, second, head, from, at, length)) {
            return;
        }
        if (length > 0) {
            slotBody.put(head, from, at, length);
        }
        link.send(slot, first, second, head + length);
    }
}
