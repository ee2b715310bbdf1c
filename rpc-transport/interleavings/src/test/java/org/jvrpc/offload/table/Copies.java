package org.jvrpc.offload.table;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Reads as a card makes them: word by word, in any order, with no order among them. */
final class Copies {

    private Copies() {
    }

    /** Copies from the first word to the last. */
    static ByteBuffer forwards(ByteBuffer memory, int at, int bytes) {
        ByteBuffer copy = copy(bytes);
        for (int i = 0; i < bytes; i += Long.BYTES) {
            copy.putLong(i, memory.getLong(at + i));
        }
        return copy;
    }

    /** Copies from the last word to the first. */
    static ByteBuffer backwards(ByteBuffer memory, int at, int bytes) {
        ByteBuffer copy = copy(bytes);
        for (int i = bytes - Long.BYTES; i >= 0; i -= Long.BYTES) {
            copy.putLong(i, memory.getLong(at + i));
        }
        return copy;
    }

    private static ByteBuffer copy(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
