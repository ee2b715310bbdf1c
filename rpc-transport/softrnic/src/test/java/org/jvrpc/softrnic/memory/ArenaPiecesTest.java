package org.jvrpc.softrnic.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.jvrpc.verbs.VerbsException;

/** Which slabs an arena's pieces lie in, and when their files come and go. */
class ArenaPiecesTest {

    private static final int SHARED = 1 << 20;
    private static final int LARGE = SHARED / 4;
    private static final int FIRST = 80 * 1024;
    private static final int KIB = 1024;

    @TempDir
    private Path folder;
    private Arena arena;

    @BeforeEach
    void begin() {
        arena = new Arena(folder);
    }

    private static int segment(Arena.Block block) {
        return Slab.segmentOf(block.address());
    }

    private boolean hasFile(int segment) {
        return Files.exists(folder.resolve(Integer.toString(segment)));
    }

    private long fileBytes(Arena.Block block) throws IOException {
        return Files.size(folder.resolve(Integer.toString(segment(block))));
    }

    @Test
    void smallPiecesShareASlabEachAtAMultipleOf128() throws IOException {
        Arena.Block one = arena.allocate(1);
        Arena.Block two = arena.allocate(129);
        Arena.Block three = arena.allocate(128);
        assertSame(one.slab(), two.slab());
        assertEquals(FIRST, fileBytes(one));
        assertEquals(one.slab().base(), one.address());
        assertEquals(one.address() + 128, two.address());
        assertEquals(two.address() + 256, three.address());
        assertEquals(256, two.length());
        assertSame(one.slab(), arena.allocate(FIRST - 4 * 128).slab());
        Arena.Block next = arena.allocate(128);
        assertNotSame(one.slab(), next.slab());
        assertSame(next.slab(), arena.allocate(FIRST - 128).slab());
    }

    @Test
    void eachSlabOfSmallPiecesIsAsLongAsAllBeforeItUpToAMebibyte() throws IOException {
        for (int bytes : new int[] {FIRST, FIRST, 2 * FIRST, 4 * FIRST, 8 * FIRST, SHARED, SHARED}) {
            for (int left = bytes; left > 0; left -= Math.min(left, FIRST / 2)) {
                assertEquals(bytes, fileBytes(arena.allocate(Math.min(left, FIRST / 2))), "left=" + left);
            }
        }
    }

    @Test
    void aPieceThatIsLongerThanTheFirstSlabSharesALongerOne() throws IOException {
        Arena.Block longer = arena.allocate(FIRST + 128);
        assertEquals(LARGE, fileBytes(longer));
        assertSame(longer.slab(), arena.allocate(LARGE - FIRST - 128).slab());
        assertEquals(LARGE, fileBytes(arena.allocate(LARGE - 128)), "the longest that shares");
    }

    @Test
    void theDevicesTableSharesSlab0ButNotWithPiecesWhereAHomeBeforeHadIts() throws IOException {
        Arena.Block table = arena.begin(4096, 0);
        assertSame(table.slab(), arena.allocate(1).slab());
        Arena moved = new Arena(Files.createDirectory(folder.resolve("moved")));
        Arena.Block alone = moved.begin(4096, 1);
        assertEquals(Slab.baseOf(0), alone.address());
        assertEquals(4096, alone.slab().length());
        Arena.Block piece = moved.allocate(1);
        assertEquals(1, segment(piece));
        piece.free();
        moved.end();
        assertTrue(Files.exists(folder.resolve("moved").resolve("0")), "it was given back with the device");
    }

    @Test
    void theFirstSlabOfSmallPiecesMayBeShorterAndTheSecondIsAsUsual() throws IOException {
        Arena small = new Arena(Files.createDirectory(folder.resolve("small")), null, 12 << 10);
        small.begin(4096, 1);
        Arena.Block one = small.allocate(8 << 10);
        assertEquals(12 << 10, one.slab().length());
        assertSame(one.slab(), small.allocate(4 << 10).slab());
        Arena.Block more = small.allocate(128);
        assertEquals(FIRST, more.slab().length());
        small.end();
        Arena other = new Arena(Files.createDirectory(folder.resolve("long")), null, 12 << 10);
        other.begin(4096, 1);
        assertEquals(FIRST, other.allocate((12 << 10) + 1).slab().length(), "what does not fit");
        other.end();
    }

    @ParameterizedTest
    @CsvSource({"262144,262144", "262017,262144", "262145,266240", "300000,303104"})
    void aLargePieceHasASlabOfItsOwnOfWholePages(int bytes, int slabBytes) throws IOException {
        Arena.Block small = arena.allocate(1);
        Arena.Block large = arena.allocate(bytes);
        assertNotSame(small.slab(), large.slab());
        assertEquals(slabBytes, fileBytes(large));
        assertSame(small.slab(), arena.allocate(1).slab());
    }

    @Test
    void aSlabWithoutAPieceIsUsedAgainByWhatFitsAndIsNotMuchSmaller() {
        Arena.Block least = arena.allocate(300 * KIB);
        Arena.Block most = arena.allocate(700 * KIB);
        Arena.Block middle = arena.allocate(400 * KIB);
        List.of(least, most, middle).forEach(Arena.Block::free);
        Arena.Block first = arena.allocate(350 * KIB);
        assertEquals(middle.address(), first.address(), "the smallest that fits");
        Arena.Block second = arena.allocate(350 * KIB);
        assertEquals(most.address(), second.address(), "twice as large");
        second.free();
        assertEquals(3, segment(arena.allocate(350 * KIB - 128)), "the free ones are too small or too large");
        assertEquals(least.address(), arena.allocate(300 * KIB).address());
    }

    @Test
    void aFreedSlabOfTheRightSizeServesSmallPiecesAndNotLargeOnesMeanwhile() {
        Arena.Block large = arena.allocate(SHARED);
        large.free();
        Arena.Block small = arena.allocate(1);
        assertEquals(segment(large), segment(small));
        assertFalse(segment(large) == segment(arena.allocate(SHARED)), "a piece lies in it");
        small.free();
        assertEquals(segment(large), segment(arena.allocate(SHARED)));
    }

    @Test
    void whatIsGivenBackIsZeroWhenItComesAgain() {
        Arena.Block block = arena.allocate(300 * KIB);
        ByteBuffer memory = block.slab().window(block.address());
        memory.put(0, (byte) 1).put(300 * KIB - 1, (byte) 2);
        block.free();
        Arena.Block again = arena.allocate(300 * KIB);
        assertSame(block.slab(), again.slab());
        assertTrue(memory.get(0) == 0 && memory.get(300 * KIB - 1) == 0);
    }

    @Test
    void whatIsGivenBackTwiceIsGivenBackOnce() {
        Arena.Block one = arena.allocate(128);
        Arena.Block two = arena.allocate(128);
        one.free();
        one.free();
        one.abandon();
        assertEquals(one.address(), arena.allocate(128).address());
        assertEquals(two.address() + 128, arena.allocate(128).address(), "two has its own still");
    }

    @Test
    void anAbandonedPieceIsNeverUsedAgainAndItsSlabGoesWithTheLastPiece() {
        Arena.Block lost = arena.allocate(128);
        Arena.Block beside = arena.allocate(128);
        lost.abandon();
        assertTrue(hasFile(0), "another piece lies there");
        assertEquals(1, segment(arena.allocate(128)), "nothing more is taken from it");
        assertSame(beside.slab(), arena.find(beside.address(), 128));
        beside.free();
        assertFalse(hasFile(0));
        assertNull(arena.find(beside.address(), 128));
        arena.allocate(300 * KIB).abandon();
        assertFalse(hasFile(2), "it was alone");
    }

    @Test
    void slabsWithoutAPieceAreKeptUpToALimit() {
        Arena.Block most = arena.allocate(Arena.KEPT_BYTES);
        Arena.Block more = arena.allocate(LARGE);
        most.free();
        assertTrue(hasFile(0), "as much as is kept");
        more.free();
        assertFalse(hasFile(1), "beyond it");
        assertNull(arena.find(more.address(), 1));
        assertSame(most.slab(), arena.find(most.address(), Arena.KEPT_BYTES));
    }

    @Test
    void addressesAreFoundInTheirSlabAndNowhereElse() {
        Arena.Block block = arena.allocate(LARGE);
        assertSame(block.slab(), arena.find(block.address(), LARGE));
        assertNull(arena.find(block.address(), LARGE + 1));
        assertNull(arena.find(block.address() - 1, 1));
        assertNull(arena.find(0, 0), "no segment has it");
        assertNull(arena.find(-1, 0));
        for (int segment = 1; segment < 10; segment++) {
            assertNull(arena.find(Slab.baseOf(segment), 1), "segment " + segment);
        }
    }

    @Test
    void manySlabsAreFoundEachInItsSegment() {
        Arena.Block[] blocks = new Arena.Block[10];
        for (int i = 0; i < blocks.length; i++) {
            blocks[i] = arena.allocate(LARGE);
            assertEquals(i, segment(blocks[i]));
            for (int j = 0; j <= i; j++) {
                assertSame(blocks[j].slab(), arena.find(blocks[j].address(), LARGE), i + " " + j);
            }
        }
    }

    @Test
    void segmentsAreNumberedOnAndEnd() {
        assertEquals(0, arena.claimSegment());
        arena.skipTo(7);
        arena.skipTo(3);
        assertEquals(7, arena.nextSegment());
        assertEquals(7, arena.claimSegment());
        assertEquals(8, segment(arena.allocate(1)));
        arena.skipTo(Slab.MAX_SEGMENTS - 1);
        assertEquals(Slab.MAX_SEGMENTS - 1, arena.claimSegment());
        String message = assertThrows(VerbsException.class, arena::claimSegment).getMessage();
        assertTrue(message.contains("segments=" + Slab.MAX_SEGMENTS), message);
    }

    @Test
    void aPieceLongerThanARegionCanBeIsRefused() {
        String message = assertThrows(VerbsException.class, () -> arena.allocate((1L << 39) + 1)).getMessage();
        assertTrue(message.contains("limit=" + (1L << 39)), message);
        assertEquals(0, arena.nextSegment(), "nothing was tried");
        message = assertThrows(VerbsException.class, () -> arena.allocate(1L << 39)).getMessage();
        assertTrue(message.contains("no memory"), message); // no machine has so much
    }

    @Test
    void whenASlabCannotBeMadeThoseWithoutAPieceAreReturnedAndItIsTriedAgain() throws IOException {
        Arena.Block used = arena.allocate(LARGE);
        Arena.Block empty = arena.allocate(LARGE);
        empty.free();
        Files.createDirectory(folder.resolve("2"));
        Arena.Block made = arena.allocate(2 * LARGE + 4096);
        assertEquals(2, segment(made));
        assertFalse(hasFile(1), "it was returned");
        assertNull(arena.find(empty.address(), 1));
        assertSame(used.slab(), arena.find(used.address(), 1));
        assertTrue(hasFile(0));
    }

    @Test
    void aSlabThatCannotBeMadeAtAllIsSaid() throws IOException {
        Files.createDirectories(folder.resolve("0").resolve("full"));
        String message = assertThrows(VerbsException.class, () -> arena.allocate(1)).getMessage();
        assertTrue(message.contains("no memory: bytes=" + FIRST), message);
    }

    @Test
    void aDeviceThatEndsTakesTheNamesOfWhatIsInUseAndLeavesTheRestToTheLast() {
        arena.allocateTable(LARGE);
        Arena.Block kept = arena.allocate(LARGE);
        Arena.Block back = arena.allocate(LARGE);
        back.free();
        arena.end();
        assertTrue(hasFile(0), "the tables were given back with the device");
        assertFalse(hasFile(1), "views of it may be in use");
        assertTrue(hasFile(2));
        kept.slab().window(kept.address()).put(0, (byte) 1);
        kept.abandon();
        assertSame(kept.slab(), arena.find(kept.address(), LARGE), "nothing is dropped any more");
        assertEquals(folder.toString(), arena.place());
    }

    @Test
    void ofSlabsOfOneLengthTheOldestIsUsedAgain() {
        Arena.Block first = arena.allocate(300 * KIB);
        Arena.Block second = arena.allocate(300 * KIB);
        second.free();
        first.free();
        assertEquals(first.address(), arena.allocate(300 * KIB).address());
        assertEquals(second.address(), arena.allocate(300 * KIB).address());
    }
}
