package org.jvrpc.samples.kv.store;

import java.nio.ByteBuffer;
import org.jvrpc.offload.table.Bucket;
import org.jvrpc.offload.table.CuckooPath;
import org.jvrpc.offload.table.Hashes;
import org.jvrpc.offload.table.IndexHeader;

/**
 * The index that NIC programs and peers walk: an array of {@link Bucket}s in which a key has two candidate places. It
 * knows only some items: not those that are too long, whose 48-bit key another one has, or for which 64 displacements
 * made no room. Who misses a key here asks the server.
 *
 * <p>Readers look while it changes. A bucket's image is stored last, with release, and taken away first. A displaced
 * bucket stands in its new place before its old one is used again. When it has grown, the old array is emptied after
 * the new one is published, and never used again. An address may be seen with another item's length: the item's
 * checksum tells.
 */
final class OffloadIndex {

    private static final int MAX_MOVES = 64;
    private static final long EMPTY = Long.reverseBytes(Bucket.EMPTY);

    private final Memory memory;
    private final Superblock superblock;
    private final CuckooPath ways = new CuckooPath(new Ways(), MAX_MOVES);
    private long base;
    private long mask;

    OffloadIndex(Memory memory) {
        this.memory = memory;
        superblock = new Superblock(memory);
        load();
    }

    private void load() {
        base = memory.getLong(Superblock.OFFLOAD_ADDRESS) - memory.address();
        mask = memory.getLong(Superblock.OFFLOAD_BUCKETS) - 1;
    }

    void format(long buckets) {
        long offset = superblock.takeZone(buckets * Bucket.BYTES);
        if (offset == 0) {
            throw new IllegalArgumentException("region length=" + memory.length() + ": no room for offloadBuckets="
                    + buckets + " behind " + memory.getInt(Superblock.MAX_PAGES) + " pages");
        }
        base = offset;
        mask = buckets - 1;
        empty(base, buckets);
        publish();
    }

    private void publish() {
        memory.putLong(Superblock.NEXT_OFFLOAD_ADDRESS, memory.address() + base);
        memory.putLong(Superblock.NEXT_OFFLOAD_BUCKETS, mask + 1);
        long generation = memory.getLong(Superblock.OFFLOAD_GENERATION) + 1;
        long address = memory.address() + base;
        // Acquired by peers, in any order: the check tells them whether what they have is of one publication.
        memory.putLongRelease(Superblock.OFFLOAD_GENERATION, generation);
        memory.putLongRelease(Superblock.OFFLOAD_ADDRESS, address);
        memory.putLongRelease(Superblock.OFFLOAD_BUCKETS, mask + 1);
        memory.putLongRelease(Superblock.OFFLOAD_CHECK, IndexHeader.check(generation, address, mask + 1));
    }

    /** Returns true unless a publication was cut off. */
    boolean isWhole() {
        return memory.getLong(Superblock.OFFLOAD_CHECK) == IndexHeader.check(
                memory.getLong(Superblock.OFFLOAD_GENERATION), memory.getLong(Superblock.OFFLOAD_ADDRESS),
                memory.getLong(Superblock.OFFLOAD_BUCKETS));
    }

    /** Ends a publication that was cut off: the new array was whole before it began. */
    void recover() {
        if (!isWhole()) {
            base = memory.getLong(Superblock.NEXT_OFFLOAD_ADDRESS) - memory.address();
            mask = memory.getLong(Superblock.NEXT_OFFLOAD_BUCKETS) - 1;
            publish();
        }
        load();
    }

    private void empty(long offset, long buckets) {
        for (long b = 0; b < buckets; b++) {
            memory.putLongRelease(offset + b * Bucket.BYTES, EMPTY);
        }
    }

    long buckets() {
        return mask + 1;
    }

    long entries() {
        return memory.getLong(Superblock.OFFLOAD_ENTRIES);
    }

    /** Returns the key of a bucket, 0 when it is empty. */
    long key(long bucket) {
        return keyAt(base + bucket * Bucket.BYTES);
    }

    /** Returns the offset of the item that a bucket points to. */
    long item(long bucket) {
        return itemAt(base + bucket * Bucket.BYTES);
    }

    void clear(long bucket) {
        memory.putLongRelease(base + bucket * Bucket.BYTES, EMPTY);
    }

    private long keyAt(long bucket) {
        return Bucket.key(Long.reverseBytes(memory.getLong(bucket + Bucket.IMAGE)));
    }

    private long itemAt(long bucket) {
        return Long.reverseBytes(memory.getLong(bucket + Bucket.ADDRESS)) - memory.address();
    }

    private long first(long key48) {
        return base + Hashes.first(key48, mask) * Bucket.BYTES;
    }

    private long second(long key48) {
        return base + Hashes.second(key48, mask) * Bucket.BYTES;
    }

    private long bucketOf(long key48) {
        long first = first(key48);
        if (keyAt(first) == key48) {
            return first;
        }
        long second = second(key48);
        return keyAt(second) == key48 ? second : 0;
    }

    /** Returns the offset of the item that a key's bucket points to, or 0. */
    long find(long key48) {
        long bucket = bucketOf(key48);
        return bucket == 0 ? 0 : itemAt(bucket);
    }

    /** Points a new key at an item. @return false when the index does not take it */
    boolean insert(long key48, long item, int length) {
        if (bucketOf(key48) != 0) {
            return false;
        }
        growIfCrowded();
        long bucket = room(key48);
        if (bucket == 0) {
            return false;
        }
        write(bucket, key48, item, length);
        memory.putLong(Superblock.OFFLOAD_ENTRIES, entries() + 1);
        return true;
    }

    private void write(long bucket, long key48, long item, int length) {
        point(bucket, item, length);
        memory.putLongRelease(bucket + Bucket.IMAGE, Long.reverseBytes(Bucket.image(key48)));
    }

    private void point(long bucket, long item, int length) {
        // Acquired by peers that find the key already: they see the item as LIVE and whole.
        memory.putLongRelease(bucket + Bucket.ADDRESS, Long.reverseBytes(memory.address() + item));
        memory.putLong(bucket + Bucket.LENGTH, Integer.toUnsignedLong(Integer.reverseBytes(length)));
    }

    /** Points a key that is there at another item. */
    void update(long key48, long item, int length) {
        point(bucketOf(key48), item, length);
    }

    void remove(long key48) {
        memory.putLongRelease(bucketOf(key48) + Bucket.IMAGE, EMPTY);
        memory.putLong(Superblock.OFFLOAD_ENTRIES, entries() - 1);
    }

    /** Returns an empty candidate of a key, after having moved others away where both were taken; 0 when none is. */
    private long room(long key48) {
        return Math.max(0, ways.room(first(key48), second(key48)));
    }

    /** How entries give way to others. Buckets are named by their offsets, of which none is 0. */
    private final class Ways implements CuckooPath.Buckets {

        @Override
        public boolean isEmpty(long bucket) {
            return keyAt(bucket) == 0;
        }

        @Override
        public long other(long bucket) {
            long key = keyAt(bucket);
            long first = first(key);
            return first == bucket ? second(key) : first;
        }

        @Override
        public void move(long from, long to) {
            memory.putLong(to + Bucket.ADDRESS, memory.getLong(from + Bucket.ADDRESS));
            memory.putLong(to + Bucket.LENGTH, memory.getLong(from + Bucket.LENGTH));
            memory.putLongRelease(to + Bucket.IMAGE, memory.getLong(from + Bucket.IMAGE));
            memory.putLongRelease(from + Bucket.IMAGE, EMPTY);
        }
    }

    private void growIfCrowded() {
        if (entries() * 2 < buckets()) {
            return;
        }
        long oldBase = base;
        long oldBuckets = buckets();
        long offset = superblock.takeZone(oldBuckets * 2 * Bucket.BYTES);
        if (offset == 0) {
            return;
        }
        base = offset;
        mask = oldBuckets * 2 - 1;
        empty(base, buckets());
        long kept = 0;
        for (long b = 0; b < oldBuckets; b++) {
            kept += takeOver(oldBase + b * Bucket.BYTES) ? 1 : 0;
        }
        memory.putLong(Superblock.OFFLOAD_ENTRIES, kept);
        publish();
        empty(oldBase, oldBuckets);
    }

    private boolean takeOver(long old) {
        long key = keyAt(old);
        if (key == 0) {
            return false;
        }
        long item = itemAt(old);
        long bucket = room(key);
        if (bucket == 0) {
            memory.putShort(item + Item.MARKS, memory.getShort(item + Item.MARKS) & ~Item.INDEXED);
            return false;
        }
        write(bucket, key, item, Integer.reverseBytes(memory.getInt(old + Bucket.LENGTH)));
        return true;
    }

    /** Copies a bucket, as a peer would READ it. */
    void copy(long bucket, ByteBuffer to, int at) {
        memory.copyOut(base + bucket * Bucket.BYTES, to, at, Bucket.BYTES);
    }
}
