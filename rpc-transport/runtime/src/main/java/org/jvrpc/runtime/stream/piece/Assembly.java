package org.jvrpc.runtime.stream.piece;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Puts the pieces of a message together. Whoever polls. */
public final class Assembly {

    /** The longest message: arguments, a result that is no stream, a failure. */
    public static final int MOST_BYTES = 1 << 20;

    /** Memory for what has not come is made as it comes: others say how much that is. */
    private static final int FIRST_BYTES = 1 << 14;

    private int kind;
    private ByteBuffer bytes;
    private int end;
    private int whole;
    private volatile int held;
    private boolean grown;

    /**
     * Adds a piece.
     *
     * @param rest bytes of the message from this piece on
     * @return what is wrong with it, or null
     */
    public String add(int pieceKind, ByteBuffer from, int offset, int length, int rest) {
        if (bytes == null) {
            if (rest < length || rest > MOST_BYTES) {
                return "message is longer than the limit: bytes=" + rest + " limit=" + MOST_BYTES;
            }
            kind = pieceKind;
            bytes = make(Math.min(rest, FIRST_BYTES));
            end = 0;
            whole = rest;
        } else if (kind != pieceKind || rest != whole - end || length > rest) {
            return "pieces do not make a message: kind=" + pieceKind + " of=" + kind + " rest=" + rest + " expected="
                    + (whole - end);
        }
        if (end + length > bytes.capacity()) {
            bytes = make(Math.min(whole, Math.max(2 * bytes.capacity(), end + length))).put(0, bytes, 0, end);
        }
        bytes.put(end, from, offset, length);
        end += length;
        return null;
    }

    private ByteBuffer make(int length) {
        held += length - (bytes == null ? 0 : bytes.capacity());
        grown = true;
        return ByteBuffer.allocateDirect(Math.max(1, length)).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Returns how many bytes all of its messages took. Any thread. */
    public int held() {
        return held;
    }

    /** Returns true when that is more than when this was asked last. */
    public boolean hasGrown() {
        boolean more = grown;
        grown = false;
        return more;
    }

    /** Returns the message when it is whole, and forgets it; else null. */
    public ByteBuffer takeWhole() {
        if (end < whole) {
            return null;
        }
        ByteBuffer message = bytes.limit(whole);
        bytes = null;
        return message;
    }
}
