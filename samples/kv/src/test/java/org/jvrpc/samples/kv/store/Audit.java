package org.jvrpc.samples.kv.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;
import org.jvrpc.offload.table.Hashes;

/** Checks every link of a store. */
final class Audit {

    private final Items items;
    private final Memory memory;
    private final Set<Long> listed = new HashSet<>();
    private final Set<Long> live = new HashSet<>();
    private long bytes;

    private Audit(Items items) {
        this.items = items;
        memory = items.memory;
    }

    static void check(Store store) {
        Audit audit = new Audit(store.items());
        assertFalse(audit.items.superblock.isDirty(), "dirty");
        for (int c = 0; c < SizeClasses.count(); c++) {
            audit.lists(c);
        }
        audit.pages();
        audit.index();
        audit.offload();
        assertEquals(audit.live.size(), audit.memory.getLong(Superblock.ITEMS), "items");
        assertEquals(audit.bytes, audit.memory.getLong(Superblock.ITEM_BYTES), "bytes of items");
    }

    private void lists(int sizeClass) {
        for (int list = 0; list < Lru.LISTS; list++) {
            long before = 0;
            long count = 0;
            for (long item = items.lru.first(sizeClass, list); item != 0; item = memory.getLong(item + Item.NEXT)) {
                assertTrue(listed.add(item) && live.add(item), "listed twice: item=" + item);
                assertEquals(Item.LIVE, memory.getLong(item), "state of a listed item=" + item);
                assertEquals(before, memory.getLong(item + Item.PREVIOUS), "previous of item=" + item);
                assertEquals(sizeClass, memory.getByte(item + Item.CLASS), "class of item=" + item);
                assertEquals(list, memory.getByte(item + Item.LIST), "list of item=" + item);
                assertEquals(memory.getInt(item + Item.CRC), items.crcOf(item), "checksum of item=" + item);
                bytes += items.lengthOf(item);
                before = item;
                count++;
            }
            assertEquals(before, items.lru.last(sizeClass, list), "last of class=" + sizeClass + " list=" + list);
            assertEquals(count, items.lru.count(sizeClass, list), "count of class=" + sizeClass + " list=" + list);
        }
        long record = ClassRecord.at(sizeClass);
        unused(record + ClassRecord.FREE, record + ClassRecord.FREE_COUNT);
        long last = unused(record + ClassRecord.QUARANTINE_FIRST, record + ClassRecord.QUARANTINE_COUNT);
        assertEquals(last, memory.getLong(record + ClassRecord.QUARANTINE_LAST), "last of the quarantine");
    }

    private long unused(long first, long countAt) {
        long count = 0;
        long last = 0;
        for (long item = memory.getLong(first); item != 0; item = memory.getLong(item + Item.NEXT)) {
            assertTrue(listed.add(item), "listed twice: free item=" + item);
            assertEquals(Item.DEAD, memory.getLong(item), "state of a free item=" + item);
            last = item;
            count++;
        }
        assertEquals(count, memory.getLong(countAt), "count of free ones");
        return last;
    }

    private void pages() {
        long chunks = 0;
        for (int p = 0; p < items.slabs.pagesInUse(); p++) {
            int sizeClass = items.slabs.classOf(p);
            for (int i = 0; i < Slabs.PAGE / SizeClasses.chunk(sizeClass); i++) {
                long item = items.slabs.chunk(p, sizeClass, i);
                assertTrue(listed.contains(item), "lost chunk: item=" + item);
                assertEquals(p, items.slabs.pageOf(item));
                chunks++;
            }
        }
        assertEquals(chunks, listed.size(), "chunks in lists");
    }

    private void index() {
        Set<Long> found = new HashSet<>();
        for (long b = 0; b < items.main.buckets(); b++) {
            for (long item = items.main.head(b); item != 0; item = memory.getLong(item + Item.CHAIN)) {
                assertTrue(found.add(item), "twice in the main index: item=" + item);
                int length = memory.getShort(item + Item.KEY_LENGTH);
                ByteBuffer key = ByteBuffer.allocate(length);
                memory.copyOut(item + Item.KEY, key, 0, length);
                assertEquals(item, items.main.find(key, 0, length, items.superblock.keys().hash(key, 0, length)));
            }
        }
        assertEquals(live, found, "main index against lists");
    }

    private void offload() {
        Set<Long> indexed = new HashSet<>();
        long mask = items.offload.buckets() - 1;
        for (long b = 0; b <= mask; b++) {
            long key48 = items.offload.key(b);
            if (key48 != 0) {
                long item = items.offload.item(b);
                assertTrue(live.contains(item), "bucket of no item: item=" + item);
                assertEquals(key48, Keys.key48(items.main.hashOf(item)));
                assertTrue(b == Hashes.first(key48, mask) || b == Hashes.second(key48, mask), "in a wrong place");
                assertTrue(indexed.add(item), "twice in the offload index: item=" + item);
            }
        }
        for (long item : live) {
            assertEquals(indexed.contains(item), (memory.getShort(item + Item.MARKS) & Item.INDEXED) != 0,
                    "mark of item=" + item);
        }
        assertEquals(indexed.size(), items.offload.entries(), "entries");
        assertTrue(items.offload.isWhole(), "the words that say where the offload index is do not belong together");
    }
}
