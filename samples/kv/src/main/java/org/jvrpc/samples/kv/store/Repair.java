package org.jvrpc.samples.kv.store;

import java.util.Arrays;
import org.jvrpc.offload.table.Hashes;

/**
 * Makes all links anew after an update was broken off, from what the chunks of all pages say. An item exists when it is
 * LIVE, fits its chunk and bears the right checksum; of two with one key the one of the higher version does. One that
 * is SEALED exists when there is none LIVE of its key: peers have seen what is LIVE. The offload index is corrected
 * entry by entry and never emptied, because peers go on reading it. Items come into COLD, in the order of their last
 * access.
 */
final class Repair {

    private static final int ORDER_BITS = 31;

    private final Items items;
    private final Memory memory;
    private final Superblock superblock;
    private final Slabs slabs;
    private final long now;
    private long sealed;

    Repair(Items items, Clock clock) {
        this.items = items;
        memory = items.memory;
        superblock = items.superblock;
        slabs = items.slabs;
        now = clock.nanos();
    }

    void run() {
        items.main.clear();
        items.offload.recover();
        memory.putLong(Superblock.ITEMS, 0);
        memory.putLong(Superblock.ITEM_BYTES, 0);
        for (int c = 0; c < SizeClasses.count(); c++) {
            clear(c);
        }
        for (int p = 0; p < slabs.pagesInUse(); p++) {
            adoptPage(p);
        }
        if (sealed != 0 && !isDiscarded(sealed)) {
            memory.putLongRelease(sealed + Item.STATE, Item.LIVE);
        }
        checkOffload();
        for (int c = 0; c < SizeClasses.count(); c++) {
            link(c);
        }
        indexTheRest();
    }

    private void clear(int sizeClass) {
        long record = ClassRecord.at(sizeClass);
        for (int i = ClassRecord.PAGES; i < ClassRecord.COUNTERS; i += Long.BYTES) {
            memory.putLong(record + i, 0);
        }
        memory.putLong(ClassRecord.counter(sizeClass, ClassCounter.MEM_REQUESTED), 0);
    }

    /** Only the last page can have been opened and not cut yet: it is closed again. */
    private void adoptPage(int page) {
        int sizeClass = slabs.classOf(page);
        if (sizeClass < 0) {
            memory.putInt(Superblock.PAGES, page);
            return;
        }
        memory.putLong(ClassRecord.at(sizeClass) + ClassRecord.PAGES, slabs.pagesOf(sizeClass) + 1);
        for (int i = 0; i < Slabs.PAGE / SizeClasses.chunk(sizeClass); i++) {
            long item = slabs.chunk(page, sizeClass, i);
            if (isWhole(item, sizeClass)) {
                adopt(item, sizeClass);
            } else {
                // Without a grace time, or every chunk would seem to be in use for a while.
                memory.putLongRelease(item + Item.STATE, Item.DEAD);
                slabs.freeAtOnce(item, sizeClass);
            }
        }
    }

    private boolean isWhole(long item, int sizeClass) {
        if (!isLiveOrSealed(item)) {
            return false;
        }
        int key = memory.getShort(item + Item.KEY_LENGTH);
        int value = memory.getInt(item + Item.VALUE_LENGTH);
        return key > 0 && key <= Keys.MAX_LENGTH && value >= 0
                && Item.footprint(key, value) <= SizeClasses.chunk(sizeClass)
                && memory.getInt(item + Item.CRC) == items.crcOf(item);
    }

    private boolean isLiveOrSealed(long item) {
        return memory.getLong(item + Item.STATE) == Item.LIVE || isSealed(item);
    }

    private boolean isSealed(long item) {
        return memory.getLong(item + Item.STATE) == Item.SEALED;
    }

    private boolean isOver(long item, long other) {
        return isSealed(item) == isSealed(other)
                ? memory.getLong(item + Item.VERSION) > memory.getLong(other + Item.VERSION) : isSealed(other);
    }

    private void adopt(long item, int sizeClass) {
        sealed = isSealed(item) ? item : sealed; // one at a time is
        long version = memory.getLong(item + Item.VERSION);
        if (version >= memory.getLong(Superblock.NEXT_VERSION)) {
            memory.putLong(Superblock.NEXT_VERSION, version + 1);
        }
        memory.putByte(item + Item.CLASS, sizeClass);
        long hash = items.main.hashOf(item);
        var key = memory.view(item + Item.KEY, memory.getShort(item + Item.KEY_LENGTH));
        long other = items.main.find(key, key.position(), key.remaining(), hash);
        if (other == 0) {
            items.main.insert(item, hash);
        } else if (isOver(item, other)) {
            items.main.replace(other, item, hash);
            discardLater(other);
        } else {
            discardLater(item);
        }
    }

    private void discard(long item, int sizeClass) {
        memory.putLongRelease(item + Item.STATE, Item.DEAD);
        memory.putByte(item + Item.CLASS, sizeClass);
        slabs.free(item, now);
    }

    /** The offload index may point to the older one of two still: it dies only when that is corrected. */
    private void discardLater(long item) {
        memory.putLong(item + Item.CHAIN, item);
    }

    private boolean isDiscarded(long item) {
        return memory.getLong(item + Item.CHAIN) == item;
    }

    private void checkOffload() {
        OffloadIndex offload = items.offload;
        long entries = 0;
        for (long b = 0; b < offload.buckets(); b++) {
            long key48 = offload.key(b);
            if (key48 == 0) {
                continue;
            }
            long item = offload.item(b);
            long current = isChunk(item) && isLiveOrSealed(item) ? currentOf(item) : 0;
            if (current == 0 || Keys.key48(items.main.hashOf(current)) != key48 || !isAt(key48, b)
                    || items.lengthOf(current) > memory.getInt(Superblock.OFFLOAD_LIMIT)) {
                offload.clear(b);
            } else {
                offload.update(key48, current, items.lengthOf(current));
                entries++;
            }
        }
        memory.putLong(Superblock.OFFLOAD_ENTRIES, entries);
    }

    /** A key that stands twice, because it was being moved, stays where it is found first. */
    private boolean isAt(long key48, long bucket) {
        long mask = items.offload.buckets() - 1;
        long first = Hashes.first(key48, mask);
        long second = Hashes.second(key48, mask);
        return bucket == first || bucket == second && items.offload.key(first) != key48;
    }

    private long currentOf(long item) {
        var key = memory.view(item + Item.KEY, memory.getShort(item + Item.KEY_LENGTH));
        return items.main.find(key, key.position(), key.remaining(), items.main.hashOf(item));
    }

    private boolean isChunk(long item) {
        int page = slabs.pageOf(item);
        if (page < 0) {
            return false;
        }
        int chunk = SizeClasses.chunk(slabs.classOf(page));
        long within = item - Item.SERVER_HEADER - slabs.page(page);
        return within % chunk == 0 && within / chunk < Slabs.PAGE / chunk;
    }

    private void link(int sizeClass) {
        int perPage = Slabs.PAGE / SizeClasses.chunk(sizeClass);
        long[] order = new long[Math.toIntExact(slabs.pagesOf(sizeClass) * perPage)];
        int count = 0;
        for (int p = 0; p < slabs.pagesInUse(); p++) {
            for (int i = 0; slabs.classOf(p) == sizeClass && i < perPage; i++) {
                long item = slabs.chunk(p, sizeClass, i);
                if (!isLiveOrSealed(item)) {
                    continue;
                }
                if (isDiscarded(item)) {
                    discard(item, sizeClass);
                } else {
                    long accessed = Integer.toUnsignedLong(memory.getInt(item + Item.ACCESSED));
                    order[count++] = accessed << ORDER_BITS | (long) p * perPage + i;
                }
            }
        }
        Arrays.sort(order, 0, count);
        for (int n = 0; n < count; n++) {
            long place = order[n] & (1L << ORDER_BITS) - 1;
            adoptLinked(slabs.chunk((int) (place / perPage), sizeClass, (int) (place % perPage)), sizeClass);
        }
    }

    private void adoptLinked(long item, int sizeClass) {
        items.lru.insert(item, Lru.COLD);
        int length = items.lengthOf(item);
        superblock.add(Superblock.ITEMS, 1);
        superblock.add(Superblock.ITEM_BYTES, length);
        items.count(sizeClass, ClassCounter.MEM_REQUESTED, length);
        memory.putShort(item + Item.MARKS, memory.getShort(item + Item.MARKS) & ~Item.INDEXED);
    }

    private void indexTheRest() {
        for (long b = 0; b < items.offload.buckets(); b++) {
            if (items.offload.key(b) != 0) {
                items.mark(items.offload.item(b), Item.INDEXED);
            }
        }
        for (int c = 0; c < SizeClasses.count(); c++) {
            for (long item = items.lru.first(c, Lru.COLD); item != 0; item = memory.getLong(item + Item.NEXT)) {
                items.indexAgain(item);
            }
        }
    }
}
