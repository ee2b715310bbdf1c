package org.jvrpc.runtime.stream;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Puts the pieces of a message together. Whoever polls. */
final class Assembly {

    /** The longest message: arguments, a result that is no stream, a failure. */
    static final int MOST_BYTES = 1 << 20;

    private int kind;
    private ByteBuffer bytes;
    private int end;

    /**
     * Adds a piece.
     *
     * @param rest bytes of the message from this piece on
     * @return what is wrong with it, or null
     */
    String add(int pieceKind, ByteBuffer from, int offset, int length, int rest) {
        if (bytes == null) {
            if (rest < length || rest > MOST_BYTES) {
                return "message is longer than the limit: bytes=" + rest + " limit=" + MOST_BYTES;
            }
            kind = pieceKind;
            bytes = ByteBuffer.allocateDirect(Math.max(1, rest)).order(ByteOrder.LITTLE_ENDIAN).limit(rest);
            end = 0;
        } else if (kind != pieceKind || rest != bytes.limit() - end || length > rest) {
            return "pieces do not make a message: kind=" + pieceKind + " of=" + kind + " rest=" + rest + " expected="
                    + (bytes.limit() - end);
        }
        bytes.put(end, from, offset, length);
        end += length;
        return null;
    }

    /** Returns the message when it is whole, and forgets it; else null. */
    ByteBuffer takeWhole() {
        if (end < bytes.limit()) {
            return null;
        }
        ByteBuffer whole = bytes;
        bytes = null;
        return whole;
    }
}
