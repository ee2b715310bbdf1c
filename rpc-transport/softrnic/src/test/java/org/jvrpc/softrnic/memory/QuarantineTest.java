package org.jvrpc.softrnic.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When memory that was given back is given out again: told by the address that comes next. */
class QuarantineTest {

    private static final int BYTES = 1 << 19;

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
        try (var files = java.nio.file.Files.list(folder)) {
            long bytes = files.mapToLong(file -> file.toFile().length()).sum();
            assertEquals(true, bytes <= 34L << 20, "bytes that have a name: " + bytes);
        }
        visit.end(true);
    }
}
