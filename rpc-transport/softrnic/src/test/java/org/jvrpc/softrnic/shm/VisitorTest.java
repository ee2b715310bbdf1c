package org.jvrpc.softrnic.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.softrnic.memory.Arena;
import org.jvrpc.softrnic.memory.Quarantine;
import org.jvrpc.softrnic.queue.QpContext;

/** When the memory of a QP is used again that an initiator may have written to: told by the address that comes next. */
class VisitorTest {

    private static final int BYTES = 1 << 19;
    private static final long INITIATOR = 77;

    private final ByteBuffer memory = ByteBuffer.allocateDirect(256).order(ByteOrder.LITTLE_ENDIAN);
    private final Quarantine quarantine = new Quarantine();
    private final Visitor visitor = new Visitor(memory, 128);
    private Arena arena;
    private Arena.Block block;

    @BeforeEach
    void begin(@TempDir Path folder) {
        arena = new Arena(folder);
        block = arena.allocate(BYTES);
        visitor.expect(List.of(quarantine));
    }

    private void comes() {
        assertEquals(INITIATOR, QpContext.claim(memory, 128, INITIATOR));
    }

    private void close(boolean certain) {
        visitor.release(block, Set.of(quarantine), certain);
    }

    private void used(boolean again) {
        Arena.Block next = arena.allocate(BYTES);
        next.free();
        if (again) {
            assertEquals(block.address(), next.address(), "its memory is free");
        } else {
            assertNotEquals(block.address(), next.address(), "its memory may be written to still");
        }
    }

    /** Returns true when what the domain gives back then is used again at once. */
    private boolean isDomainQuiet() {
        Arena.Block young = arena.allocate(BYTES);
        Quarantine.free(young, List.of(quarantine));
        Arena.Block next = arena.allocate(BYTES);
        next.free();
        return next.address() == young.address();
    }

    @Test
    void ofAQpThatNobodyCameToMemoryIsFreeAndNobodyComesAnyMore() {
        close(true);
        used(true);
        assertNotEquals(INITIATOR, QpContext.claim(memory, 128, INITIATOR));
    }

    @Test
    void ofAQpThatOthersMayHaveWrittenToMemoryIsNeverUsedAgainButTheDomainGoesOn() {
        close(false);
        used(false);
        assertTrue(isDomainQuiet());
    }

    @Test
    void aVisitorThatIsWatchedIsWaitedFor() {
        comes();
        visitor.watch();
        close(true);
        used(false);
        assertFalse(isDomainQuiet());
        visitor.leave(true);
        used(true);
        visitor.leave(false);
        assertTrue(isDomainQuiet(), "it has left already");
    }

    @Test
    void aVisitorThatLeftBeforeLeavesNothingToWaitFor() {
        comes();
        visitor.watch();
        visitor.leave(true);
        assertFalse(isDomainQuiet(), "the QP lives");
        close(true);
        used(true);
    }

    @Test
    void whatAVisitorOfUncertainEndKnewIsNeverUsedAgain() {
        comes();
        visitor.watch();
        visitor.leave(false);
        visitor.leave(true);
        close(true);
        used(false);
        assertTrue(isDomainQuiet());
    }

    @Test
    void aVisitorThatNobodyWatchesIsNotWaitedForAndWhatItKnewIsNeverUsedAgain() {
        comes();
        close(true);
        used(false);
        assertTrue(isDomainQuiet());
    }

    @Test
    void fromTheBeginningOfTheCloseTheDomainKnowsThatTheVisitorMayBeAtWork() {
        comes();
        visitor.watch();
        assertFalse(quarantine.isNeeded(block));
        visitor.beginLeaving();
        assertTrue(quarantine.isNeeded(block));
        close(true);
        assertTrue(quarantine.isNeeded(block));
        visitor.leave(true);
        assertFalse(quarantine.isNeeded(block));
    }
}
