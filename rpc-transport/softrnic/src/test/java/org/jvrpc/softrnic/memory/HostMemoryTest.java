package org.jvrpc.softrnic.memory;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.testing.UnreapedChild;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.host.ProcessId;

/** Atomics on memory of the host, the head of an arena, and who the processes are that share it. */
class HostMemoryTest {

    /** No process has such a number. */
    private static final int NOBODY = 0x3ffff0;

    private final long[] found = new long[1];
    private final ByteBuffer memory = ByteBuffer.allocateDirect(24).order(ByteOrder.nativeOrder());

    private static Atomics atomics(boolean alone) {
        return alone ? Atomics.ALONE : Atomics.SHARED;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aSwapHappensWhereWhatIsComparedIsFound(boolean alone) {
        Atomics atomics = atomics(alone);
        Atomics.put(memory, 8, 5);
        assertEquals(5, memory.getLong(8));
        assertEquals(5, atomics.compareAndSwap(memory, 8, 4, 9));
        assertEquals(5, memory.getLong(8));
        assertEquals(5, atomics.compareAndSwap(memory, 8, 5, 9));
        assertEquals(9, atomics.fetchAndAdd(memory, 8, -10));
        assertEquals(-1, memory.getLong(8));
        assertTrue(memory.getLong(0) == 0 && memory.getLong(16) == 0, "its neighbours");
    }

    @ParameterizedTest
    @CsvSource({
        "0x1234,0x1200,0x00ff,0xff00,0xffff,0x00ff", // the high byte is compared, all is changed
        "0x1234,0x1200,0x00ff,0xff00,0x00ff,0x12ff",
        "0x1234,0x1300,0x00ff,0xff00,0xffff,0x1234",
        "0x1234,0x1300,0x00ff,0x0000,0x0f0f,0x103f", // nothing is compared
        "0x1234,0x1234,0x00ff,0xffff,0x0000,0x1234", // nothing is changed
    })
    void aMaskedSwapComparesAndChangesTheBitsOfItsMasks(
            String was, String compare, String swap, String compareMask, String swapMask, String becomes) {
        for (boolean alone : new boolean[] {false, true}) {
            Atomics.put(memory, 8, Long.decode(was));
            assertTrue(atomics(alone).maskedCompareAndSwap(memory, 8, Long.decode(compare), Long.decode(swap),
                    Long.decode(compareMask), Long.decode(swapMask), found));
            assertEquals(Long.decode(was), found[0]);
            assertEquals(Long.decode(becomes), memory.getLong(8));
        }
    }

    @ParameterizedTest
    @CsvSource({"0xff,0x01,0x00,0x100", "0xff,0x01,0x80,0x00", "0x7f,0x01,0x80,0x80", "0x80ff,0x8101,0x8080,0x0100",
        "0x01ff,0x01ff,0x0080,0x02fe", "0xc0,0xc0,0x80,0x80"})
    void aMaskedAddGivesNoCarryOutOfAField(String was, String add, String boundary, String becomes) {
        for (boolean alone : new boolean[] {false, true}) {
            Atomics.put(memory, 8, Long.decode(was));
            assertTrue(atomics(alone).maskedFetchAndAdd(memory, 8, Long.decode(add), Long.decode(boundary), found));
            assertEquals(Long.decode(was), found[0]);
            assertEquals(Long.decode(becomes), memory.getLong(8));
        }
    }

    private static String refusal(ByteBuffer arena) {
        return assertThrows(VerbsException.class,
                () -> ArenaHeader.check(Slab.wrap(arena, 0), Path.of("somewhere"))).getMessage();
    }

    @Test
    void anArenaIsKnownByItsHeadItsVersionAndItsLength() {
        ByteBuffer arena = ByteBuffer.allocateDirect((int) ArenaHeader.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        assertTrue(refusal(arena).contains("layout version=0"), "it has no head");
        ArenaHeader.write(arena, ArenaHeader.VERSION + 1);
        assertTrue(refusal(arena).contains("layout version=" + (ArenaHeader.VERSION + 1)), "it is another's");
        ArenaHeader.write(arena, ArenaHeader.VERSION);
        assertDoesNotThrow(() -> ArenaHeader.check(Slab.wrap(arena, 0), Path.of("somewhere")));
        assertEquals(0, arena.getInt(0), "the entry that it lies in is free");
        assertTrue(refusal(arena.slice(0, (int) ArenaHeader.BYTES - 1)).contains("too short"));
    }

    @Test
    void thisProcessAndThoseThatLiveAreNotDead() {
        assertEquals(ProcessHandle.current().pid(), ProcessId.NUMBER);
        assertEquals(ProcessId.SELF, ProcessId.of(ProcessId.NUMBER));
        assertEquals(ProcessId.NUMBER, ProcessId.number(ProcessId.SELF));
        assertFalse(ProcessId.isDead(ProcessId.SELF));
        assertFalse(ProcessId.isDead(0));
        assertFalse(ProcessId.isNumberOfDead(ProcessId.NUMBER));
        assertFalse(ProcessId.isNumberOfDead(0));
        assertFalse(ProcessId.isDead(ProcessId.of(1)));
        assertFalse(ProcessId.isNumberOfDead(1));
    }

    @Test
    void aProcessThatIsNotThereOrOfAnotherTimeIsDeadAndOneOfAnotherNamespaceIsNot() {
        assertTrue(ProcessId.isDead(ProcessId.of(NOBODY)));
        assertTrue(ProcessId.isNumberOfDead(NOBODY));
        assertFalse(ProcessId.isDead(ProcessId.of(NOBODY) ^ 1L << 44), "nothing is known of it");
        long started = 1L << 22;
        assertTrue(ProcessId.isDead(ProcessId.of(1) ^ started), "its number is another's now");
        assertTrue(ProcessId.isDead(ProcessId.SELF ^ started), "this process is another");
    }

    @Test
    void aProcessThatEndedAndThatNobodyWaitedForIsDead() {
        try (UnreapedChild child = UnreapedChild.start()) {
            long id = ProcessId.of(child.pid());
            assertFalse(ProcessId.isDead(id));
            assertFalse(ProcessId.isNumberOfDead((int) child.pid()));
            child.end();
            assertTrue(ProcessId.isDead(id));
            assertTrue(ProcessId.isNumberOfDead((int) child.pid()));
        }
    }
}
