package org.jvrpc.softrnic.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.verbs.Access;

/** What a key opens, to the byte, and what is kept of it. */
class KeyBoundsTest {

    private static final int PD = 3;
    private static final int LENGTH = 4096;
    private static final int KEY = 5 << 8 | 1;

    private final Slab slab = Slab.wrap(ByteBuffer.allocateDirect(1 << 20), 0);
    private final SharedKeys keys = new SharedKeys(new OneSlab(slab), PD);
    private final long start = slab.base() + (1 << 19);

    @TempDir
    private Path folder;

    private void publish(int key, long length) {
        publish(key, length, 0);
    }

    private void publish(int key, long length, int access) {
        RegionEntry.publish(slab.window(slab.base()), RegionEntry.offset(key), key, access, PD, start, length);
    }

    @Test
    void noBytesAreFoundFromTheFirstByteToBehindTheLast() {
        publish(KEY, LENGTH);
        assertSame(slab, keys.find(KEY, start, 0, 0));
        assertSame(slab, keys.find(KEY, start + LENGTH, 0, 0));
        assertNull(keys.find(KEY, start - 1, 0, 0));
        assertNull(keys.find(KEY, start + LENGTH + 1, 0, 0));
    }

    @Test
    void allBytesAreFoundAndNotOneMore() {
        publish(KEY, LENGTH);
        assertSame(slab, keys.find(KEY, start, LENGTH, 0));
        assertNull(keys.find(KEY, start, LENGTH + 1, 0));
        assertNull(keys.find(KEY, start, -1, 0));
        SharedKeys.Region region = keys.region(KEY, 0);
        assertEquals(LENGTH, region.room(start));
        assertEquals(1, region.room(start + LENGTH - 1));
        assertEquals(0, region.room(start + LENGTH));
        assertEquals(0, region.room(start - 1));
    }

    @Test
    void aRegionWithoutBytesIsFoundButNotKept() {
        publish(KEY, 0);
        assertSame(slab, keys.find(KEY, start, 0, 0));
        assertNull(keys.region(KEY, 0));
    }

    @Test
    void whatIsKeptOfAKeyIsNotLookedUpAnew() {
        publish(KEY, LENGTH);
        SharedKeys.Region kept = keys.region(KEY, 0);
        int other = 6 << 8 | 1;
        publish(other, LENGTH);
        assertNotNull(keys.region(other, 0));
        assertSame(kept, keys.region(KEY, 0), "another key's region took its place");
    }

    @Test
    void aKeyOfEachEntryIsKept() {
        long pages = slab.base() + RegionEntry.TABLE_BYTES;
        for (int page = 1; page < RegionEntry.PAGES; page++) {
            ArenaHeader.enterPage(slab.window(slab.base()), page, pages);
            pages += RegionEntry.pageBytes(page);
        }
        for (int index = RegionEntry.FIRST; index < RegionEntry.COUNT; index++) {
            int key = index << 8;
            assertEquals(slab.base() + (long) index * RegionEntry.BYTES,
                    OneSlab.entry(slab.window(slab.base()), key), "they lie one behind the other");
            RegionEntry.publish(slab.window(slab.base()), index * RegionEntry.BYTES, key, 0, PD, start, LENGTH);
            assertNotNull(keys.region(key, 0), "index=" + index);
        }
        assertEquals(-1, RegionEntry.offset(RegionEntry.COUNT << 8));
    }

    @Test
    void aPageIsFoundFromWhenItIsThereAndOneThatCannotBeIsNone() {
        int key = RegionEntry.FIRST_PAGE << 8 | 1;
        ByteBuffer header = slab.window(slab.base());
        long page = slab.base() + RegionEntry.TABLE_BYTES;
        RegionEntry.publish(header, (int) RegionEntry.TABLE_BYTES, key, 0, PD, start, LENGTH);
        for (long wrong : new long[] {0, page + 8, slab.base() + slab.length(), -64, Long.MIN_VALUE,
            slab.base() + slab.length() - RegionEntry.pageBytes(1) + 64}) {
            ArenaHeader.enterPage(header, 1, wrong);
            assertNull(keys.find(key, start, LENGTH, 0), "address=" + wrong);
            assertNull(keys.region(key, 0), "address=" + wrong);
        }
        ArenaHeader.enterPage(header, 1, page);
        assertSame(slab, keys.find(key, start, LENGTH, 0));
        assertNotNull(keys.region(key, 0));
        ArenaHeader.enterPage(header, 1, -1);
        assertSame(slab, keys.find(key, start, LENGTH, 0), "where it was found it stays");
    }

    @Test
    void aRegionThatEndsWithItsWindowIsKeptAndOneByteMoreIsNot() throws IOException {
        try (RandomAccessFile sparse = new RandomAccessFile(folder.resolve("window").toFile(), "rw")) {
            sparse.setLength(Slab.WINDOW + 4096);
            Slab large = Slab.wrap(sparse.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, sparse.length()), 0);
            SharedKeys found = new SharedKeys(new OneSlab(large), PD);
            ByteBuffer table = large.window(large.base());
            long last = large.base() + Slab.WINDOW - LENGTH;
            RegionEntry.publish(table, RegionEntry.offset(KEY), KEY, 0, PD, last, LENGTH);
            RegionEntry.publish(table, RegionEntry.offset(KEY + 256), KEY + 256, 0, PD, last, LENGTH + 1);
            assertNotNull(found.region(KEY, 0));
            assertNull(found.region(KEY + 256, 0));
        }
    }

    @Test
    void aKeyThatAllowsMoreThanIsAskedForIsGoodAndOneThatAllowsLessIsNot() {
        int none = 6 << 8;
        publish(KEY, LENGTH, Access.REMOTE_READ | Access.REMOTE_WRITE);
        publish(none, LENGTH, 0);
        assertSame(slab, keys.find(KEY, start, 1, Access.REMOTE_READ));
        assertNotNull(keys.region(KEY, Access.REMOTE_READ));
        assertNull(keys.find(KEY, start, 1, Access.REMOTE_READ | Access.REMOTE_ATOMIC));
        assertNull(keys.region(KEY, Access.REMOTE_READ | Access.REMOTE_ATOMIC));
        assertNull(keys.find(none, start, 1, Access.REMOTE_READ));
        assertNull(keys.region(none, Access.REMOTE_READ));
    }

    @Test
    void fromAPlaceWithinTheRestIsFoundAndNotOneByteMore() {
        publish(KEY, LENGTH);
        assertSame(slab, keys.find(KEY, start + 8, LENGTH - 8, 0));
        assertNull(keys.find(KEY, start + 8, LENGTH - 7, 0));
    }

    @Test
    void aLocalKeyIsThatOfItsDomainOnly() {
        publish(KEY, LENGTH);
        assertSame(slab, keys.slab(KEY, PD, start, LENGTH, 0));
        assertNull(keys.slab(KEY, PD + 1, start, LENGTH, 0), "another domain");
        assertNull(keys.slab(KEY, PD, start, LENGTH, Access.LOCAL_WRITE), "it is read only");
    }

    @Test
    void whatIsKeptOfAKeyLiesInItsWindow() {
        publish(KEY, LENGTH);
        assertSame(slab.window(start), keys.region(KEY, 0).window());
    }
}
