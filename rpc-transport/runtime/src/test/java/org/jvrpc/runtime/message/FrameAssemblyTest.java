package org.jvrpc.runtime.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class FrameAssemblyTest {

    private static final int LIMIT = 1 << 20;

    private final FrameAssembly assembly = new FrameAssembly(LIMIT);

    private static ByteBuffer piece(int length, int content) {
        byte[] bytes = new byte[length];
        java.util.Arrays.fill(bytes, (byte) content);
        return ByteBuffer.wrap(bytes);
    }

    private void refused(String text, ByteBuffer piece, int rest) {
        assertEquals(text, assertThrows(IllegalStateException.class, () -> assembly.add(piece, rest)).getMessage());
    }

    @Test
    void aPieceThatIsAllOfItsFrameIsTheFrame() {
        ByteBuffer piece = piece(10, 1);
        assertSame(piece, assembly.add(piece, 10));
        ByteBuffer longest = ByteBuffer.allocate(LIMIT);
        assertSame(longest, assembly.add(longest, LIMIT));
    }

    @Test
    void piecesMakeAFrameAndTheNextOneBeginsAnew() {
        for (int content = 1; content <= 2; content++) {
            assertNull(assembly.add(piece(4, content), 9));
            assertNull(assembly.add(piece(4, content), 5));
            assertEquals(piece(9, content), assembly.add(piece(1, content), 1));
        }
    }

    @Test
    void aFrameUpToTheLimitIsTakenAndALongerOneIsNot() {
        assertNull(assembly.add(piece(4, 1), LIMIT));
        FrameAssembly other = new FrameAssembly(LIMIT);
        assertEquals("frame is longer than this side takes: bytes=1048577 limit=1048576",
                assertThrows(IllegalStateException.class, () -> other.add(piece(4, 1), LIMIT + 1)).getMessage());
    }

    @Test
    void aFrameOfOnePieceIsNotLongerThanTheLimitEither() {
        refused("frame is longer than this side takes: bytes=1048577 limit=1048576", ByteBuffer.allocate(LIMIT + 1),
                LIMIT + 1);
    }

    @Test
    void aFirstPieceIsNotLongerThanItsFrame() {
        refused("frame is longer than this side takes: bytes=9 limit=1048576", piece(10, 1), 9);
        refused("frame is longer than this side takes: bytes=-1 limit=1048576", piece(10, 1), -1);
    }

    @Test
    void aPieceIsTheNextOneOfItsFrame() {
        assembly.add(piece(4, 1), 9);
        refused("pieces do not fit: rest=4 expected=5", piece(4, 1), 4);
        refused("pieces do not fit: rest=6 expected=5", piece(4, 1), 6);
        refused("pieces do not fit: rest=5 expected=5", piece(6, 1), 5);
    }

    /** A frame is given no more memory than its bytes have shown it to need, up to the double. */
    @Test
    void memoryGrowsWithWhatComes() {
        int[] lengths = {1, 131_000, 100_000, 300_000};
        int rest = 531_001;
        for (int i = 0; i < 3; i++) {
            assertNull(assembly.add(piece(lengths[i], i), rest));
            rest -= lengths[i];
        }
        ByteBuffer frame = assembly.add(piece(lengths[3], 3), rest);
        assertEquals(531_001, frame.remaining());
        for (int i = 0; i < 4; i++) {
            assertEquals(piece(lengths[i], i), frame.slice(frame.position(), lengths[i]), "piece=" + i);
            frame.position(frame.position() + lengths[i]);
        }
    }

    @Test
    void aFrameHasNoMoreMemoryThanItsLength() {
        assertNull(assembly.add(piece(40_000, 1), 70_000));
        assertEquals(70_000, assembly.add(piece(30_000, 1), 30_000).capacity());
    }
}
