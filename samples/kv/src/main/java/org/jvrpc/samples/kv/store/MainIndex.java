package org.jvrpc.samples.kv.store;

import java.nio.ByteBuffer;

/**
 * The index that knows every item: an array of offsets by the hash's upper bits, and chains by {@link Item#CHAIN}. When
 * there are more than one and a half items a bucket, the array doubles as a whole where the index zone has room.
 */
final class MainIndex {

    private final Memory memory;
    private final Superblock superblock;
    private final Keys keys;
    private long base;
    private long mask;

    MainIndex(Memory memory) {
        this.memory = memory;
        superblock = new Superblock(memory);
        keys = superblock.keys();
        load();
    }

    private void load() {
        base = memory.getLong(Superblock.MAIN_OFFSET);
        mask = memory.getLong(Superblock.MAIN_BUCKETS) - 1;
    }

    void format(long buckets) {
        long offset = superblock.takeZone(buckets * Long.BYTES);
        if (offset == 0) {
            throw new IllegalArgumentException("region length=" + memory.length() + ": no room for mainBuckets="
                    + buckets + " behind " + memory.getInt(Superblock.MAX_PAGES) + " pages");
        }
        publish(offset, buckets);
    }

    private void publish(long offset, long buckets) {
        memory.putLong(Superblock.MAIN_OFFSET, offset);
        memory.putLong(Superblock.MAIN_BUCKETS, buckets);
        clear();
    }

    /** Forgets all items, in whatever array the superblock names. */
    void clear() {
        load();
        for (long b = 0; b <= mask; b++) {
            memory.putLong(base + b * Long.BYTES, 0);
        }
    }

    long buckets() {
        return mask + 1;
    }

    long head(long bucket) {
        return memory.getLong(base + bucket * Long.BYTES);
    }

    private long bucket(long hash) {
        return base + (hash >>> 20 & mask) * Long.BYTES;
    }

    /** Returns the item of a key, or 0. */
    long find(ByteBuffer key, int keyOffset, int keyLength, long hash) {
        for (long item = memory.getLong(bucket(hash)); item != 0; item = memory.getLong(item + Item.CHAIN)) {
            if (memory.getShort(item + Item.KEY_LENGTH) == keyLength
                    && memory.equal(item + Item.KEY, key, keyOffset, keyLength)) {
                return item;
            }
        }
        return 0;
    }

    void insert(long item, long hash) {
        long bucket = bucket(hash);
        memory.putLong(item + Item.CHAIN, memory.getLong(bucket));
        memory.putLong(bucket, item);
    }

    /** Puts an item into another one's place in its chain. */
    void replace(long old, long item, long hash) {
        memory.putLong(item + Item.CHAIN, memory.getLong(old + Item.CHAIN));
        memory.putLong(linkTo(old, hash), item);
    }

    void remove(long item, long hash) {
        memory.putLong(linkTo(item, hash), memory.getLong(item + Item.CHAIN));
    }

    private long linkTo(long item, long hash) {
        long link = bucket(hash);
        for (long at = memory.getLong(link); at != item; at = memory.getLong(link)) {
            if (at == 0) {
                throw new IllegalStateException("item=" + item + ": not in its chain of the main index");
            }
            link = at + Item.CHAIN;
        }
        return link;
    }

    /** Returns the hash of an item's key. */
    long hashOf(long item) {
        int length = memory.getShort(item + Item.KEY_LENGTH);
        ByteBuffer key = memory.view(item + Item.KEY, length);
        return keys.hash(key, key.position(), length);
    }

    /** Doubles the array when it is crowded and there is room for another one. */
    void growIfCrowded(long items) {
        if (items <= buckets() + (buckets() >> 1)) {
            return;
        }
        long old = base;
        long oldBuckets = buckets();
        long offset = superblock.takeZone(oldBuckets * 2 * Long.BYTES);
        if (offset == 0) {
            return;
        }
        publish(offset, oldBuckets * 2);
        for (long b = 0; b < oldBuckets; b++) {
            long item = memory.getLong(old + b * Long.BYTES);
            while (item != 0) {
                long next = memory.getLong(item + Item.CHAIN);
                insert(item, hashOf(item));
                item = next;
            }
        }
    }
}
