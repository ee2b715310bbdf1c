package org.jvrpc.runtime.message;

import java.nio.ByteBuffer;

/** Puts the pieces of frames together. One thread. */
final class FrameAssembly {

    /** So much is allocated on the word of a frame's first piece; the rest as it comes. */
    private static final int FIRST_BYTES = 1 << 16;

    private final int maxFrameBytes;
    private ByteBuffer frame;
    private int missing;

    FrameAssembly(int maxFrameBytes) {
        this.maxFrameBytes = maxFrameBytes;
    }

    /**
     * Takes the next piece.
     *
     * @param rest bytes of the frame from this piece on
     * @return the frame, which is the piece itself where that is all of it; null when more must come
     * @throws IllegalStateException when the frame is too long, or the piece is not the next one of it
     */
    ByteBuffer add(ByteBuffer piece, int rest) {
        int length = piece.remaining();
        if (frame == null) {
            if (rest < length || rest > maxFrameBytes) {
                throw new IllegalStateException("frame is longer than this side takes: bytes=" + rest + " limit="
                        + maxFrameBytes);
            }
            if (rest == length) {
                return piece;
            }
            frame = ByteBuffer.allocate(Math.min(rest, Math.max(length, FIRST_BYTES)));
            missing = rest;
        }
        if (rest != missing || length > rest) {
            throw new IllegalStateException("pieces do not fit: rest=" + rest + " expected=" + missing);
        }
        if (length > frame.remaining()) {
            int bytes = (int) Math.min(2L * frame.capacity() + length, frame.position() + (long) rest);
            frame = ByteBuffer.allocate(bytes).put(frame.flip());
        }
        frame.put(piece);
        missing -= length;
        if (missing > 0) {
            return null;
        }
        ByteBuffer whole = frame.flip();
        frame = null;
        return whole;
    }
}
