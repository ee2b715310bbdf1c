package org.jvrpc.runtime.message;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Pieces of frames that came while their receiver takes none. At most a window of them, since no credit is given back
 * before its piece is delivered. One thread.
 */
final class HeldPieces {

    private final int window;
    private final Deque<Piece> pieces = new ArrayDeque<>();

    /**
     * A piece of a frame.
     *
     * @param rest bytes of the frame from this piece on
     */
    record Piece(ByteBuffer bytes, int rest) {
    }

    HeldPieces(int window) {
        this.window = window;
    }

    /** Keeps a copy. @throws IllegalStateException when the peer sends more than it has credits for */
    void add(ByteBuffer bytes, int rest) {
        if (pieces.size() == window) {
            throw new IllegalStateException("peer sends more than it has credits for: window=" + window);
        }
        pieces.add(new Piece(ByteBuffer.allocate(bytes.remaining()).put(bytes).flip(), rest));
    }

    /** Returns the oldest, of which there is one. */
    Piece remove() {
        return pieces.remove();
    }

    boolean isEmpty() {
        return pieces.isEmpty();
    }

    void clear() {
        pieces.clear();
    }
}
