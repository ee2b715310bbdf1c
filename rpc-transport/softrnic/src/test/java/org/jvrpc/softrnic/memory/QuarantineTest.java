package org.jvrpc.softrnic.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When memory that was given back is given out again: told by the address that comes next. */
class QuarantineTest {

    private static final int BYTES = 1 << 19;
    private static final long LIMIT = 32L << 20;

    @TempDir
    private Path folder;
    private final Quarantine quarantine = new Quarantine();
    private Arena arena;

    @BeforeEach
    void begin() {
        arena = new Arena(folder);
    }

    private void free(Arena.Block block) {
        Quarantine.free(block, List.of(quarantine));
    }

    /** Returns the address that the next allocation gets, without taking it. */
    private long next() {
        Arena.Block block = arena.allocate(BYTES);
        block.free();
        return block.address();
    }

    @Test
    void withoutAVisitMemoryIsUsedAgainAtOnce() {
        Arena.Block block = arena.allocate(BYTES);
        free(block);
        assertEquals(block.address(), next());
    }

    @Test
    void memoryWaitsForTheVisitsThatWereGoingOnAndForNoOthers() {
        Quarantine.Visit first = quarantine.begin();
        Quarantine.Visit second = quarantine.begin();
        Arena.Block block = arena.allocate(BYTES);
        free(block);
        Quarantine.Visit third = quarantine.begin();
        second.end(true);
        assertNotEquals(block.address(), next());
        first.end(true);
        Arena.Block again = arena.allocate(BYTES);
        Arena.Block other = arena.allocate(BYTES);
        assertEquals(List.of(true, true), List.of(
                again.address() == block.address() || other.address() == block.address(),
                again.address() != other.address()), "while the third visit goes on");
        third.end(true);
    }

    @Test
    void whatAVisitorMayKnowThatNobodyKnowsTheEndOfIsNeverUsedAgainAndWhatCameLaterIs() {
        Quarantine.Visit lost = quarantine.begin();
        Arena.Block known = arena.allocate(BYTES);
        Arena.Block kept = arena.allocate(BYTES);
        free(known);
        lost.end(false);
        Arena.Block young = arena.allocate(BYTES);
        assertNotEquals(known.address(), young.address());
        free(kept);
        free(young);
        assertEquals(young.address(), next());
    }

    @Test
    void memoryThatPeersOfTwoDomainsKnowWaitsForBoth() {
        Quarantine other = new Quarantine();
        Quarantine.Visit one = quarantine.begin();
        Quarantine.Visit two = other.begin();
        Arena.Block block = arena.allocate(BYTES);
        Quarantine.free(block, List.of(quarantine, other));
        one.end(true);
        assertNotEquals(block.address(), next());
        two.end(true);
        Arena.Block first = arena.allocate(BYTES);
        Arena.Block second = arena.allocate(BYTES);
        assertEquals(true, first.address() == block.address() || second.address() == block.address());
    }

    @Test
    void whatWaitsHasABoundSoThatALongVisitCostsNoMoreThanThat() throws IOException {
        Quarantine.Visit visit = quarantine.begin();
        for (int i = 0; i < 200; i++) {
            free(arena.allocate(BYTES));
        }
        try (var files = Files.list(folder)) {
            long bytes = files.mapToLong(file -> file.toFile().length()).sum();
            assertEquals(true, bytes <= 34L << 20, "bytes that have a name: " + bytes);
        }
        visit.end(true);
    }

    @Test
    void memoryWaitsForTheVisitThatBeganLastBeforeItWasGivenBack() {
        Quarantine.Visit first = quarantine.begin();
        Quarantine.Visit last = quarantine.begin();
        Arena.Block block = arena.allocate(BYTES);
        free(block);
        first.end(true);
        assertNotEquals(block.address(), next());
        last.end(true);
        Arena.Block one = arena.allocate(BYTES);
        Arena.Block two = arena.allocate(BYTES);
        assertTrue(one.address() == block.address() || two.address() == block.address(), "it has waited enough");
    }

    @Test
    void theYoungestBlockThatALostVisitorMayKnowIsNeverUsedAgain() {
        Quarantine.Visit lost = quarantine.begin();
        Arena.Block known = arena.allocate(BYTES);
        free(known);
        lost.end(false);
        assertNotEquals(known.address(), next());
    }

    @Test
    void whatIsGivenBackTwiceWaitsForThePeersOfAllDomainsStill() {
        Quarantine other = new Quarantine();
        Quarantine.Visit one = quarantine.begin();
        Quarantine.Visit two = other.begin();
        Arena.Block block = arena.allocate(BYTES);
        Quarantine.free(block, List.of(quarantine, other));
        Quarantine.free(block, List.of(quarantine, other));
        one.end(true);
        assertNotEquals(block.address(), next());
        two.end(true);
    }

    @Test
    void asMuchAsTheLimitWaitsAndWhatIsBeyondItIsGone() {
        Quarantine.Visit visit = quarantine.begin();
        Arena.Block most = arena.allocate(LIMIT);
        Path file = folder.resolve(Integer.toString(Slab.segmentOf(most.address())));
        free(most);
        assertTrue(Files.exists(file), "the limit itself is within it");
        free(arena.allocate(1));
        assertFalse(Files.exists(file), "beyond the limit");
        visit.end(true);
    }

    @Test
    void blocksAreNeededWhileAQpIsLeavingAndNoLonger() {
        Arena.Block block = arena.allocate(BYTES);
        Quarantine.Visit one = quarantine.begin();
        Quarantine.Visit two = quarantine.begin();
        Quarantine.Visit other = quarantine.begin();
        assertFalse(quarantine.isNeeded(block), "nobody leaves");
        one.beginLeaving();
        two.beginLeaving();
        other.end(true);
        assertTrue(quarantine.isNeeded(block), "two leave");
        one.end(true);
        assertTrue(quarantine.isNeeded(block), "one leaves");
        one.end(true);
        assertTrue(quarantine.isNeeded(block), "that one had ended");
        two.end(true);
        assertFalse(quarantine.isNeeded(block), "all have left");
    }

    @Test
    void blocksThatALostVisitorMayKnowAreNeededForEverAndYoungerOnesAreNot() {
        Quarantine.Visit lost = quarantine.begin();
        Arena.Block known = arena.allocate(BYTES);
        lost.end(false);
        assertTrue(quarantine.isNeeded(known));
        assertFalse(quarantine.isNeeded(arena.allocate(BYTES)));
    }
}
