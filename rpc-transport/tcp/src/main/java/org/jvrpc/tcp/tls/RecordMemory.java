package org.jvrpc.tcp.tls;

import java.nio.ByteBuffer;
import org.jvrpc.tcp.link.Lender;

/** Memory for records of TLS, lent while there are some. Any thread. */
final class RecordMemory {

    /** In the place of memory that is not lent. */
    static final ByteBuffer NONE = ByteBuffer.allocate(0);
    /** Holds any record, and what comes of it. */
    static final int BYTES = 17 << 10;

    private static final int MOST_KEPT = 64;
    private static final Lender<ByteBuffer> MEMORY =
            new Lender<>(MOST_KEPT, () -> ByteBuffer.allocateDirect(BYTES), buffer -> { });

    private RecordMemory() {
    }

    /** Lends memory, of so many bytes at least. */
    static ByteBuffer lend(int bytes) {
        return bytes <= BYTES ? MEMORY.take().clear() : ByteBuffer.allocateDirect(bytes);
    }

    /** Takes memory back; returns what stands in its place. */
    static ByteBuffer giveBack(ByteBuffer memory) {
        if (memory.capacity() == BYTES) { // else there is none, or it is longer than any that is kept
            MEMORY.give(memory);
        }
        return NONE;
    }

    /** Returns memory of so many bytes at least that has what was filled in; the other one is given back. */
    static ByteBuffer grown(ByteBuffer filled, int capacity) {
        if (filled.capacity() >= capacity) {
            return filled;
        }
        ByteBuffer more = lend(capacity).put(filled.flip());
        giveBack(filled);
        return more;
    }

    /** Returns how many pieces are lent now. */
    static int lent() {
        return MEMORY.lent();
    }
}
