package org.jvrpc.samples.kv.store;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Makes items and ties them into the indexes and the LRU. A change of links stands between {@link Superblock#begin()}
 * and {@link Superblock#end()}. What decides whether an item exists is its state alone: LIVE is stored before the links
 * are made and DEAD before the chunk is given away, so that repair needs nothing else. One that replaces another is
 * SEALED until that is DEAD: a peer that finds the new one would otherwise be followed by another that, knowing where
 * the old one lies, takes that, and for as long as nobody repairs the store if the process died between.
 */
final class Items {

    private static final int RESERVE_SHARE = 16;
    private static final int TRIES = 50;
    private static final int RECLAIM_TRIES = 5;

    final Memory memory;
    final Superblock superblock;
    final Slabs slabs;
    final Lru lru;
    final MainIndex main;
    final OffloadIndex offload;
    private final Clock clock;
    private final CRC32C crc = new CRC32C();

    Items(Memory memory, Clock clock) {
        this.memory = memory;
        this.clock = clock;
        superblock = new Superblock(memory);
        slabs = new Slabs(memory);
        lru = new Lru(memory);
        main = new MainIndex(memory);
        offload = new OffloadIndex(memory);
    }

    /**
     * Takes a chunk for an item, which is DEAD until it is sealed.
     *
     * @param pinned an item that must not be evicted for it, or 0
     * @return 0 when there is no memory
     */
    long allocate(StoreRequest request, int valueLength, long pinned) {
        int sizeClass = SizeClasses.of(Item.footprint(request.keyLength, valueLength));
        long now = clock.nanos();
        long item = slabs.take(sizeClass, now);
        if (item == 0) {
            item = takeFromFull(sizeClass, pinned, now);
        }
        if (item == 0) {
            count(sizeClass, ClassCounter.OUT_OF_MEMORY, 1);
            return 0;
        }
        memory.putLongRelease(item + Item.STATE, Item.DEAD);
        memory.putByte(item + Item.CLASS, sizeClass);
        memory.putShort(item + Item.MARKS, request.keyBinary ? Item.KEY_BINARY : 0);
        memory.putInt(item + Item.ACCESSED, (int) clock.seconds());
        memory.putInt(item + Item.VALUE_LENGTH, valueLength);
        memory.putInt(item + Item.KEY_LENGTH, request.keyLength);
        memory.putInt(item + Item.KEY_LENGTH + Integer.BYTES, 0);
        memory.copyIn(item + Item.KEY, request.key, request.keyOffset, request.keyLength);
        return item;
    }

    /**
     * A full store keeps some chunks in quarantine by evicting twice, so that most are left alone for the grace time.
     */
    private long takeFromFull(int sizeClass, long pinned, long now) {
        long record = ClassRecord.at(sizeClass);
        long reserve = slabs.pagesOf(sizeClass) * memory.getInt(record + ClassRecord.PER_PAGE) / RESERVE_SHARE;
        for (int i = 0; i < 2 && memory.getLong(record + ClassRecord.QUARANTINE_COUNT) <= reserve; i++) {
            if (!evict(sizeClass, pinned)) {
                break;
            }
        }
        long item = slabs.take(sizeClass, now);
        if (item == 0) {
            item = slabs.takeFromQuarantine(sizeClass);
            if (item != 0) {
                superblock.count(Counter.QUARANTINE_CUT);
            } else if (reassignPage(sizeClass, pinned)) {
                item = slabs.take(sizeClass, now);
            }
        }
        return item;
    }

    private boolean evict(int sizeClass, long pinned) {
        for (int list = Lru.COLD; list >= Lru.HOT; list--) {
            int tries = TRIES;
            long item = lru.last(sizeClass, list);
            while (item != 0 && tries-- > 0) {
                long before = memory.getLong(item + Item.PREVIOUS);
                if (item != pinned && endOf(item, list == Lru.COLD && tries > 0)) {
                    return true;
                }
                item = before;
            }
        }
        return false;
    }

    /**
     * Evicts an item at a list's end, or moves it away when it was read and may be spared. @return true when it is gone
     */
    private boolean endOf(long item, boolean spare) {
        int sizeClass = memory.getByte(item + Item.CLASS);
        boolean fetched = (memory.getShort(item + Item.MARKS) & Item.FETCHED) != 0;
        if (isExpired(item)) {
            reclaim(item);
            return true;
        }
        if (memory.getInt(Superblock.EVICT) == 0) {
            return false;
        }
        if (spare && lru.isActive(item)) {
            lru.move(item, Lru.WARM);
            superblock.count(Counter.MOVES_TO_WARM);
            return false;
        }
        countEviction(item, sizeClass, fetched);
        unlink(item);
        return true;
    }

    private boolean isExpired(long item) {
        return Item.isExpired(memory.getInt(item + Item.EXPIRY), clock.seconds());
    }

    private void reclaim(long item) {
        int sizeClass = memory.getByte(item + Item.CLASS);
        superblock.count(Counter.RECLAIMED);
        count(sizeClass, ClassCounter.RECLAIMED, 1);
        if ((memory.getShort(item + Item.MARKS) & Item.FETCHED) == 0) {
            superblock.count(Counter.EXPIRED_UNFETCHED);
            count(sizeClass, ClassCounter.EXPIRED_UNFETCHED, 1);
        }
        unlink(item);
    }

    /** Removes items whose time is over from the ends of all lists, past a few that live, as memcached's maintainer. */
    void reclaimExpired(int most) {
        int remaining = most;
        for (int c = 0; c < SizeClasses.count(); c++) {
            for (int list = Lru.HOT; list < Lru.LISTS; list++) {
                int tries = RECLAIM_TRIES;
                long item = lru.last(c, list);
                while (item != 0 && tries > 0 && remaining > 0) {
                    long before = memory.getLong(item + Item.PREVIOUS);
                    if (isExpired(item)) {
                        superblock.begin();
                        reclaim(item);
                        remaining--;
                    } else {
                        tries--;
                    }
                    item = before;
                }
            }
        }
    }

    private void countEviction(long item, int sizeClass, boolean fetched) {
        superblock.count(Counter.EVICTIONS);
        count(sizeClass, ClassCounter.EVICTED, 1);
        if (!fetched) {
            superblock.count(Counter.EVICTED_UNFETCHED);
            count(sizeClass, ClassCounter.EVICTED_UNFETCHED, 1);
        }
        if (lru.isActive(item)) {
            superblock.count(Counter.EVICTED_ACTIVE);
            count(sizeClass, ClassCounter.EVICTED_ACTIVE, 1);
        }
    }

    /** Takes a page from the class that has the most, for one that has nothing to evict. */
    private boolean reassignPage(int sizeClass, long pinned) {
        if (memory.getInt(Superblock.EVICT) == 0) {
            return false;
        }
        int richest = -1;
        for (int c = 0; c < SizeClasses.count(); c++) {
            if (c != sizeClass && slabs.pagesOf(c) > 0
                    && (richest < 0 || slabs.pagesOf(c) > slabs.pagesOf(richest))) {
                richest = c;
            }
        }
        for (int p = 0; richest >= 0 && p < slabs.pagesInUse(); p++) {
            boolean holdsPinned = pinned >= slabs.page(p) && pinned < slabs.page(p) + Slabs.PAGE;
            if (slabs.classOf(p) == richest && !holdsPinned) {
                empty(p, richest);
                slabs.cut(p, sizeClass);
                superblock.count(Counter.SLABS_MOVED);
                return true;
            }
        }
        return false;
    }

    private void empty(int page, int sizeClass) {
        int chunks = Slabs.PAGE / SizeClasses.chunk(sizeClass);
        for (int i = 0; i < chunks; i++) {
            long item = slabs.chunk(page, sizeClass, i);
            if (memory.getLong(item + Item.STATE) == Item.LIVE) {
                countEviction(item, sizeClass, (memory.getShort(item + Item.MARKS) & Item.FETCHED) != 0);
                unlink(item);
            }
        }
        slabs.dropChunksOf(page, sizeClass);
    }

    /** Writes the last fields and the checksum, after which the item is SEALED. */
    void seal(long item, long version, int flags, int expiry) {
        memory.putLong(item + Item.VERSION, version);
        memory.putInt(item + Item.FLAGS, flags);
        memory.putInt(item + Item.EXPIRY, expiry);
        memory.putInt(item + Item.CRC, crcOf(item));
        // Acquired by repair: an item that is SEALED is whole.
        memory.putLongRelease(item + Item.STATE, Item.SEALED);
    }

    int crcOf(long item) {
        int length = lengthOf(item) - Item.CHECKED;
        ByteBuffer checked = memory.view(item + Item.CHECKED, length);
        return Item.crc(crc, checked);
    }

    int lengthOf(long item) {
        return Item.length(memory.getShort(item + Item.KEY_LENGTH), memory.getInt(item + Item.VALUE_LENGTH));
    }

    /** Ties a sealed item in whose key is not there. */
    void link(long item, long hash) {
        // Acquired by peers.
        memory.putLongRelease(item + Item.STATE, Item.LIVE);
        main.insert(item, hash);
        lru.insert(item, Lru.HOT);
        index(item, Keys.key48(hash));
        int length = lengthOf(item);
        superblock.add(Superblock.ITEMS, 1);
        superblock.add(Superblock.ITEM_BYTES, length);
        superblock.count(Counter.TOTAL_ITEMS);
        int sizeClass = memory.getByte(item + Item.CLASS);
        count(sizeClass, ClassCounter.MEM_REQUESTED, length);
        main.growIfCrowded(memory.getLong(Superblock.ITEMS));
        lru.balance(sizeClass);
    }

    /** Ties a sealed item in, in place of another one of its key. */
    void replace(long old, long item, long hash) {
        long key48 = Keys.key48(hash);
        if (!isIndexed(old)) {
            index(item, key48);
        } else if (lengthOf(item) <= memory.getInt(Superblock.OFFLOAD_LIMIT)) {
            mark(item, Item.INDEXED);
            offload.update(key48, item, lengthOf(item));
        } else {
            offload.remove(key48);
        }
        // The instant of the change. Acquired by peers: they take the one or the other.
        memory.putLongRelease(old + Item.STATE, Item.DEAD);
        memory.putLongRelease(item + Item.STATE, Item.LIVE);
        main.replace(old, item, hash);
        kill(old);
        lru.insert(item, Lru.HOT);
        int length = lengthOf(item);
        superblock.add(Superblock.ITEMS, 1);
        superblock.add(Superblock.ITEM_BYTES, length);
        superblock.count(Counter.TOTAL_ITEMS);
        int sizeClass = memory.getByte(item + Item.CLASS);
        count(sizeClass, ClassCounter.MEM_REQUESTED, length);
        lru.balance(sizeClass);
    }

    /** Removes an item. */
    void unlink(long item) {
        unlink(item, main.hashOf(item));
    }

    void unlink(long item, long hash) {
        if (isIndexed(item)) {
            offload.remove(Keys.key48(hash));
        }
        main.remove(item, hash);
        kill(item);
    }

    private void kill(long item) {
        // Acquired by peers: they have read the item before this, or see it DEAD or torn.
        memory.putLongRelease(item + Item.STATE, Item.DEAD);
        lru.remove(item);
        superblock.add(Superblock.ITEMS, -1);
        superblock.add(Superblock.ITEM_BYTES, -lengthOf(item));
        count(memory.getByte(item + Item.CLASS), ClassCounter.MEM_REQUESTED, -lengthOf(item));
        slabs.free(item, clock.nanos());
    }

    private void index(long item, long key48) {
        int length = lengthOf(item);
        if (length > memory.getInt(Superblock.OFFLOAD_LIMIT)) {
            return;
        }
        // Before the insertion, because it may find no room while it grows, and take the mark away again.
        mark(item, Item.INDEXED);
        if (!offload.insert(key48, item, length)) {
            memory.putShort(item + Item.MARKS, memory.getShort(item + Item.MARKS) & ~Item.INDEXED);
            superblock.count(Counter.OFFLOAD_REFUSED);
        }
    }

    /** Gives an item that the offload index does not have another chance. */
    void indexAgain(long item) {
        if (!isIndexed(item)) {
            index(item, Keys.key48(main.hashOf(item)));
        }
    }

    private boolean isIndexed(long item) {
        return (memory.getShort(item + Item.MARKS) & Item.INDEXED) != 0;
    }

    void mark(long item, int mark) {
        memory.putShort(item + Item.MARKS, memory.getShort(item + Item.MARKS) | mark);
    }

    void count(int sizeClass, ClassCounter counter, long by) {
        long at = ClassRecord.counter(sizeClass, counter);
        memory.putLong(at, memory.getLong(at) + by);
    }

    void countOf(long item, ClassCounter counter) {
        count(memory.getByte(item + Item.CLASS), counter, 1);
    }
}
