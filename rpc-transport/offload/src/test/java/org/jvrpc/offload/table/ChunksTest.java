package org.jvrpc.offload.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pieces of memory: their sizes, their rest, and what the next owner finds of them. */
final class ChunksTest {

    private static final int START = 64;
    private static final int FIRST = 128;
    private static final int END = 4096;
    private static final long GRACE = 100;

    private final ByteBuffer memory = ByteBuffer.allocateDirect(END).order(ByteOrder.LITTLE_ENDIAN);
    private long nowNs = Long.MAX_VALUE - 50; // the clock may turn over while a chunk rests

    private Chunks create(int end) {
        return Chunks.create(memory, START, end, GRACE, () -> nowNs);
    }

    private Chunks attach(Integer... inUse) {
        return Chunks.attach(memory, START, END, GRACE, () -> nowNs, List.of(inUse)::contains);
    }

    @Test
    void sizesArePowersOfTwoOf64AtLeastAndOneFollowsTheOther() {
        Chunks chunks = create(END);
        int at = FIRST;
        int[][] sizes = {{1, 64}, {63, 64}, {64, 64}, {65, 128}, {128, 128}, {129, 256}, {1024, 1024}, {1025, 2048}};
        for (int[] size : sizes) {
            assertEquals(at, chunks.take(size[0]), "bytes=" + size[0]);
            assertEquals(size[1], memory.getInt(at), "bytes=" + size[0]);
            at += size[1];
            assertEquals(at, memory.getLong(START), "the end of what was given out");
        }
    }

    @Test
    void theLastBytesAreGivenOutAndNoneBehindThem() {
        Chunks chunks = create(FIRST + 192);
        assertEquals(-1, chunks.take(193));
        assertEquals(FIRST, chunks.take(128));
        assertEquals(-1, chunks.take(128));
        assertEquals(FIRST + 128, chunks.take(64));
        assertEquals(-1, chunks.take(1));
        assertEquals(-1, chunks.take((1 << 30) + 1), "no chunk has so many bytes");
        assertEquals(-1, chunks.take(1 << 30));
    }

    @Test
    void whatIsGivenBackIsUsedAtOnceAndTheLastOfAllByAnySize() {
        Chunks chunks = create(END);
        int first = chunks.take(100);
        int second = chunks.take(1000);
        chunks.giveBack(first);
        assertEquals(first, chunks.take(100));
        chunks.giveBack(second);
        assertEquals(second, memory.getLong(START));
        assertEquals(second, chunks.take(64));
        assertEquals(second + 64, chunks.take(1000));
    }

    @Test
    void aFreedChunkRestsAndIsThenUsedBeforeNewOnes() {
        Chunks chunks = create(END);
        assertEquals(FIRST, chunks.take(100));
        chunks.free(FIRST);
        nowNs += GRACE - 1;
        assertEquals(FIRST + 128, chunks.take(100), "it rests");
        nowNs++;
        assertEquals(FIRST + 256, chunks.take(64), "of another size");
        assertEquals(FIRST, chunks.take(100));
        assertEquals(FIRST + 320, chunks.take(100), "it is used once");
    }

    @Test
    void whatWasFreedFirstIsUsedFirst() {
        Chunks chunks = create(END);
        chunks.take(64);
        chunks.take(64);
        chunks.free(FIRST + 64);
        nowNs += 10;
        chunks.free(FIRST);
        nowNs += GRACE;
        assertEquals(FIRST + 64, chunks.take(64));
        assertEquals(FIRST, chunks.take(64));
    }

    @Test
    void theNextOwnerFindsChunksInUseAndHasTheOthersAfterTheirRest() {
        Chunks before = create(END);
        before.take(64);
        before.take(256);
        before.take(64);
        Chunks chunks = attach(FIRST + 64);
        assertEquals(FIRST + 384, chunks.take(64), "the others rest");
        nowNs += GRACE;
        assertEquals(FIRST, chunks.take(64));
        assertEquals(FIRST + 320, chunks.take(64));
        assertEquals(FIRST + 448, chunks.take(256), "one is in use");
    }

    @Test
    void anEmptyAreaIsTakenUpAndSoIsAFullOne() {
        create(END);
        assertEquals(FIRST, attach().take(64));
        memory.putLong(START, FIRST);
        Chunks chunks = attach();
        int taken = 0;
        while (chunks.take(64) >= 0) {
            taken++;
        }
        assertEquals((END - FIRST) / 64, taken);
        assertEquals(END, memory.getLong(START));
        assertEquals(-1, attach(FIRST).take(64), "the others rest");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, FIRST - 1, END + 1, -1})
    void anEndOutsideTheAreaIsRefused(long used) {
        create(END);
        memory.putLong(START, used);
        String message = assertThrows(IllegalArgumentException.class, this::attach).getMessage();
        assertTrue(message.contains("used=" + used), message);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 32, 96, 512, -64, Integer.MIN_VALUE})
    void aSizeThatIsNoneIsRefused(int size) {
        Chunks before = create(END);
        before.take(64);
        before.take(256);
        memory.putInt(FIRST + 64, size);
        String message = assertThrows(IllegalArgumentException.class, this::attach).getMessage();
        assertTrue(message.contains("at=" + (FIRST + 64)) && message.contains("size=" + size), message);
    }

    @Test
    void anAreaHasRoomForOneChunkAtLeastAndBeginsAtAMultipleOf64() {
        assertEquals(FIRST, create(FIRST + 64).take(64));
        assertThrows(IllegalArgumentException.class, () -> create(FIRST + 63));
        assertThrows(IllegalArgumentException.class,
                () -> Chunks.create(memory, START + 32, END, GRACE, () -> nowNs));
    }
}
