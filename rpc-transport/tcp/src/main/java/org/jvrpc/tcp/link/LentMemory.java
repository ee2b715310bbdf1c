package org.jvrpc.tcp.link;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Memory that links have while bytes come: thousands that are silent have none. Its sizes are powers of two and
 * a bit for what goes before bodies; of each as much is kept as one MiB holds, or one. Any thread.
 */
public final class LentMemory {

    private static final int LEAST_SHIFT = 13;
    private static final int MOST_SHIFT = 21;
    private static final int HEADS_BYTES = 64;
    private static final int KEPT_BYTES = 1 << 20;
    @SuppressWarnings({"unchecked", "rawtypes"})
    private static final Lender<ByteBuffer>[] LENDERS = IntStream.rangeClosed(LEAST_SHIFT, MOST_SHIFT)
            .mapToObj(LentMemory::make).toArray(Lender[]::new);

    private LentMemory() {
    }

    private static Lender<ByteBuffer> make(int shift) {
        return new Lender<>(Math.max(1, KEPT_BYTES >> shift),
                () -> ByteBuffer.allocateDirect((1 << shift) + HEADS_BYTES).order(ByteOrder.LITTLE_ENDIAN),
                buffer -> { });
    }

    private static int shift(int bytes) {
        return Math.max(LEAST_SHIFT, Integer.SIZE - Integer.numberOfLeadingZeros(bytes - HEADS_BYTES - 1));
    }

    /** Returns the bytes of what is lent to somebody who wants so many. */
    static int size(int bytes) {
        return (1 << shift(bytes)) + HEADS_BYTES;
    }

    /** Lends little-endian memory, of so many bytes at least, and of 2 MiB and a bit at most. */
    static ByteBuffer take(int bytes) {
        return LENDERS[shift(bytes) - LEAST_SHIFT].take().clear();
    }

    static void give(ByteBuffer memory) {
        LENDERS[shift(memory.capacity()) - LEAST_SHIFT].give(memory);
    }

    /** Returns how many pieces the links of this process have now. */
    public static int lent() {
        return Stream.of(LENDERS).mapToInt(Lender::lent).sum();
    }
}
