package org.jvrpc.softrnic.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.mlx5.LocalMemory;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.VerbsException;

/** Keys of this process's regions: which are given out, and what each opens, to the byte. */
final class RegionTableTest {

    private static final int PD = 3;
    private static final int LENGTH = 4096;
    private static final int KEYS = RegionEntry.COUNT - RegionEntry.FIRST;

    private final ByteBuffer shared = ByteBuffer.allocateDirect((int) RegionEntry.TABLE_BYTES);
    private Arena arena;
    private boolean full;
    private final RegionTable table = new RegionTable(shared, this::memory);
    private final Slab slab = Slab.wrap(ByteBuffer.allocateDirect(2 * LENGTH), 4);
    private final long start = slab.base() + 512;

    @TempDir
    private Path folder;

    private Arena.Block memory(long bytes) {
        if (full) {
            throw new VerbsException("alloc", "no memory: bytes=" + bytes);
        }
        if (arena == null) {
            arena = new Arena(folder);
            arena.skipTo(1);
        }
        return arena.allocateTable(bytes);
    }

    private int keyForPeers(int key) {
        long at = OneSlab.entry(shared, key);
        ByteBuffer page = at < Slab.baseOf(1) ? shared : arena.find(at, RegionEntry.BYTES).window(at);
        return RegionEntry.key(page, Slab.index(at));
    }

    private LocalRegion publish(int access, boolean isShared) {
        LocalRegion region = new LocalRegion(table.claim(), PD, access, slab, start, LENGTH, isShared);
        table.publish(region);
        return region;
    }

    @Test
    void eachKeyIsGivenOutOnceUntilAllAreInUse() {
        Set<Integer> keys = new HashSet<>();
        for (int i = 0; i < KEYS; i++) {
            int key = table.claim();
            assertTrue(key >>> 8 >= RegionEntry.FIRST && key >>> 8 < RegionEntry.COUNT, "key=" + key);
            assertTrue(keys.add(key >>> 8), "key=" + key);
            table.publish(new LocalRegion(key, PD, 0, slab, start, LENGTH, false));
        }
        String message = assertThrows(VerbsException.class, table::claim).getMessage();
        assertTrue(message.contains("entries=" + RegionEntry.COUNT), message);
    }

    @Test
    void aKeyThatIsNotPublishedYetIsNobodyElses() {
        Set<Integer> keys = new HashSet<>();
        for (int i = 0; i < KEYS; i++) {
            assertTrue(keys.add(table.claim() >>> 8));
        }
        assertThrows(VerbsException.class, table::claim);
        int key = keys.iterator().next() << 8;
        table.retract(new LocalRegion(key, PD, 0, slab, start, LENGTH, true));
        assertEquals(key >>> 8, table.claim() >>> 8);
    }

    @Test
    void aFreedEntryIsUsedAgainUnderAnotherKey() {
        LocalRegion[] regions = new LocalRegion[KEYS];
        for (int i = 0; i < KEYS; i++) {
            regions[i] = publish(0, true);
        }
        for (LocalRegion freed : new LocalRegion[] {regions[KEYS - 1], regions[0], regions[77]}) {
            table.retract(freed);
            int key = table.claim();
            assertEquals(freed.key() >>> 8, key >>> 8, "the only free entry");
            assertNotEquals(freed.key(), key);
            assertNull(table.slab(freed.key(), PD, start, 1, 0), "the old key is dead");
            table.publish(new LocalRegion(key, PD, 0, slab, start, LENGTH, true));
        }
        table.retract(regions[5]);
        assertEquals(0, keyForPeers(regions[5].key()), "for peers, too");
        assertEquals(regions[KEYS - 2].key(), keyForPeers(regions[KEYS - 2].key()), "the others are there");
    }

    /** Takes a key after another, and gives it back at once. @return the highest entry */
    private int highest(int claims) {
        int highest = 0;
        for (int i = 0; i < claims; i++) {
            LocalRegion region = publish(0, true);
            highest = Math.max(highest, region.key() >>> 8);
            table.retract(region);
        }
        return highest;
    }

    @Test
    void entriesAreUsedInTurnSixteenTimesBeforeThereAreMore() {
        int first = RegionEntry.FIRST_PAGE - RegionEntry.FIRST;
        assertEquals(RegionEntry.FIRST_PAGE - 1, highest(16 * first));
        assertEquals(0, ArenaHeader.page(shared, 1));
        assertEquals(RegionEntry.FIRST_PAGE, highest(1), "the next is of another page");
    }

    @Test
    void entriesAreUsedAgainWhereThereIsNoMemoryForMoreUntilThereIs() {
        full = true;
        int first = RegionEntry.FIRST_PAGE - RegionEntry.FIRST;
        assertEquals(RegionEntry.FIRST_PAGE - 1, highest(40 * first));
        for (int i = 0; i < first; i++) {
            publish(0, true);
        }
        String message = assertThrows(VerbsException.class, table::claim).getMessage();
        assertTrue(message.contains("bytes=" + RegionEntry.pageBytes(1)), message);
        assertThrows(VerbsException.class, table::claim);
        full = false;
        assertEquals(RegionEntry.FIRST_PAGE, publish(0, true).key() >>> 8);
    }

    @Test
    void aTableTakesNoMoreMemoryThanItsRegionsNeed() {
        int last = 0;
        for (int i = 0; i < KEYS; i++) {
            int index = publish(0, true).key() >>> 8;
            assertEquals(last == 0 ? RegionEntry.FIRST : last + 1, index);
            for (int page = 1; page < RegionEntry.PAGES; page++) {
                assertEquals(index >= RegionEntry.countUpTo(page - 1), ArenaHeader.page(shared, page) != 0, "" + index);
            }
            last = index;
        }
    }

    @Test
    void peersSeeWhatIsSharedAndOnlyThat() {
        LocalRegion region = publish(Access.REMOTE_READ, true);
        int at = RegionEntry.offset(region.key());
        assertEquals(region.key(), RegionEntry.key(shared, at));
        assertEquals(PD, RegionEntry.pd(shared, at));
        assertEquals(Access.REMOTE_READ, RegionEntry.access(shared, at));
        assertEquals(start, RegionEntry.address(shared, at));
        assertEquals(LENGTH, RegionEntry.length(shared, at));
        LocalRegion own = publish(0, false);
        assertEquals(0, RegionEntry.key(shared, RegionEntry.offset(own.key())));
        assertSame(slab, table.slab(own.key(), PD, start, LENGTH, 0));
    }

    @Test
    void aKeyOpensItsBytesForItsDomainAndRightsOnly() {
        int key = publish(Access.LOCAL_WRITE | Access.REMOTE_READ, false).key();
        assertSame(slab, table.slab(key, PD, start, LENGTH, Access.LOCAL_WRITE));
        assertSame(slab, table.slab(key, PD, start + LENGTH, 0, 0));
        assertNull(table.slab(key, PD, start + LENGTH + 1, 0, 0));
        assertNull(table.slab(key, PD, start - 1, 0, 0));
        assertNull(table.slab(key, PD, start, LENGTH + 1, 0));
        assertNull(table.slab(key, PD, start + 1, LENGTH, 0));
        assertNull(table.slab(key, PD, start, -1, 0));
        assertNull(table.slab(key, PD, start + 1, Long.MAX_VALUE, 0));
        assertNull(table.slab(key, PD + 1, start, 1, 0));
        assertNull(table.slab(key, PD, start, 1, Access.LOCAL_WRITE | Access.REMOTE_WRITE));
        assertNull(table.slab(key + 1, PD, start, 1, 0));
        assertNull(table.slab(key + 256, PD, start, 1, 0));
        assertNull(table.slab(RegionEntry.COUNT << 8 | key & 0xff, PD, start, 1, 0));
        assertNull(table.slab(-1, PD, start, 1, 0));
        assertNull(table.window(key, PD, start, LENGTH + 1));
        assertSame(slab.window(start), table.window(key, PD, start, LENGTH));
    }

    @Test
    void theRoomOfAKeyIsWhatIsLeftOfItsRegion() {
        LocalRegion region = publish(0, false);
        int key = region.key();
        assertEquals(LENGTH, table.room(key, PD, start));
        assertEquals(1, table.room(key, PD, start + LENGTH - 1));
        assertEquals(0, table.room(key, PD, start + LENGTH));
        assertEquals(-1, table.room(key, PD, start + LENGTH + 1));
        assertEquals(-1, table.room(key, PD, start - 1));
        assertEquals(-1, table.room(key, PD + 1, start), "another domain");
        table.retract(region);
        assertEquals(-1, table.room(key, PD, start), "it is gone");
    }

    /** Whoever keeps what was found looks at this, and nothing else, before it is used again. */
    @Test
    void theEpochRisesWithEachRegionThatGoes() {
        LocalRegion first = publish(0, true);
        LocalRegion second = publish(0, false);
        long before = table.epoch();
        table.retract(second);
        assertEquals(before + 1, table.epoch());
        table.retract(first);
        assertEquals(before + 2, table.epoch());
        publish(0, true);
        assertEquals(before + 2, table.epoch(), "what was found is still there");
    }

    @Test
    void driversReadAndWriteWithinTheirRegions() {
        slab.window(start).put(512, new byte[] {1, 2, 3, 4});
        int key = publish(0, false).key();
        LocalMemory memory = table.of(PD);
        byte[] read = new byte[6];
        assertTrue(memory.read(start, key, read, 1, 4));
        assertEquals(0x0001020304L, ByteBuffer.wrap(new byte[8]).put(3, read, 0, 5).getLong(0));
        assertEquals(0, read[5]);
        assertFalse(memory.read(start, key, read, 0, LENGTH + 1));
        assertFalse(table.of(PD + 1).read(start, key, read, 0, 1), "another domain");
        ByteBuffer source = ByteBuffer.wrap(new byte[] {9, 8, 7, 6});
        assertFalse(memory.write(start, key, source, 0, 1), "it is read only");
        int writable = publish(Access.LOCAL_WRITE, false).key();
        assertTrue(memory.write(start + 2, writable, source, 1, 2));
        assertEquals(0x01020807, Integer.reverseBytes(slab.window(start).getInt(512)));
        assertFalse(memory.write(start + LENGTH, writable, source, 0, 1));
    }

    @Test
    void driversReadAndWriteAcrossWindows() throws IOException {
        try (RandomAccessFile sparse = new RandomAccessFile(folder.resolve("windows").toFile(), "rw")) {
            sparse.setLength(Slab.WINDOW + 4096);
            Slab large = Slab.wrap(
                    sparse.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, sparse.length()), 4);
            int key = table.claim();
            long address = large.base() + Slab.WINDOW - 3;
            table.publish(new LocalRegion(key, PD, Access.LOCAL_WRITE, large, address, 6, false));
            assertNull(table.window(key, PD, address, 1), "it lies in two windows");
            assertEquals(-1, table.room(key, PD, address), "it lies in two windows");
            ByteBuffer source = ByteBuffer.wrap(new byte[] {0, 1, 2, 3, 4, 5, 6, 0});
            assertTrue(table.of(PD).write(address, key, source, 1, 6));
            byte[] read = new byte[7];
            assertTrue(table.of(PD).read(address, key, read, 1, 6));
            assertEquals(0x00010203040506L, ByteBuffer.wrap(new byte[8]).put(1, read).getLong(0));
            int whole = table.claim();
            table.publish(new LocalRegion(whole, PD, 0, large, address, 3, false));
            assertSame(large.window(address), table.window(whole, PD, address, 3), "it ends with its window");
        }
    }

    @Test
    void anArenaOfAnotherLayoutIsRefused() {
        Slab arena = Slab.wrap(ByteBuffer.allocateDirect((int) ArenaHeader.BYTES), 0);
        assertThrows(VerbsException.class, () -> ArenaHeader.check(arena, folder), "nobody has written it");
        ArenaHeader.write(arena.window(arena.base()), ArenaHeader.VERSION);
        ArenaHeader.check(arena, folder);
        ArenaHeader.write(arena.window(arena.base()), ArenaHeader.VERSION + 1);
        String message = assertThrows(VerbsException.class, () -> ArenaHeader.check(arena, folder)).getMessage();
        assertTrue(message.contains("version=" + (ArenaHeader.VERSION + 1)), message);
        arena.window(arena.base()).putInt(8, 1);
        message = assertThrows(VerbsException.class, () -> ArenaHeader.check(arena, folder)).getMessage();
        assertTrue(message.contains("version=0"), message);
        Slab shorter = Slab.wrap(ByteBuffer.allocateDirect((int) ArenaHeader.BYTES - 1), 0);
        ArenaHeader.write(shorter.window(shorter.base()), ArenaHeader.VERSION);
        assertThrows(VerbsException.class, () -> ArenaHeader.check(shorter, folder), "it is too short");
    }
}
