package org.jvrpc.samples.kv.store;

import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import org.jvrpc.offload.table.Bucket;
import org.jvrpc.offload.table.Hashes;

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
    private final long[] path = new long[MAX_MOVES + 1];
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
        // Acquired by peers, who read the words from the first to the last: the second generation changes first.
        memory.putLongRelease(Superblock.OFFLOAD_GENERATION_AGAIN, generation);
        VarHandle.storeStoreFence();
        memory.putLongRelease(Superblock.OFFLOAD_ADDRESS, memory.address() + base);
        memory.putLongRelease(Superblock.OFFLOAD_BUCKETS, mask + 1);
        memory.putLongRelease(Superblock.OFFLOAD_GENERATION, generation);
    }

    /** Ends a publication that was cut off: the new array was whole before it began. */
    void recover() {
        if (memory.getLong(Superblock.OFFLOAD_GENERATION) != memory.getLong(Superblock.OFFLOAD_GENERATION_AGAIN)) {
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

    /**
     * Returns an empty candidate of a key, after having moved others away where both were taken; 0 when it cannot be.
     */
    private long room(long key48) {
        long first = first(key48);
        long second = second(key48);
        if (keyAt(first) == 0) {
            return first;
        }
        if (keyAt(second) == 0) {
            return second;
        }
        return displace(first) ? first : displace(second) ? second : 0;
    }

    /**
     * Finds the way from a bucket, each to its entry's other place, to an empty one, and moves all on it from the end.
     */
    private boolean displace(long from) {
        path[0] = from;
        for (int steps = 1; steps <= MAX_MOVES; steps++) {
            long bucket = path[steps - 1];
            long key = keyAt(bucket);
            long other = first(key) == bucket ? second(key) : first(key);
            if (isOnPath(other, steps)) {
                return false;
            }
            path[steps] = other;
            if (keyAt(other) == 0) {
                for (int i = steps; i > 0; i--) {
                    moveTo(path[i], path[i - 1]);
                }
                return true;
            }
        }
        return false;
    }

    private boolean isOnPath(long bucket, int steps) {
        for (int i = 0; i < steps; i++) {
            if (path[i] == bucket) {
                return true;
            }
        }
        return false;
    }

    private void moveTo(long to, long from) {
        memory.putLong(to + Bucket.ADDRESS, memory.getLong(from + Bucket.ADDRESS));
        memory.putLong(to + Bucket.LENGTH, memory.getLong(from + Bucket.LENGTH));
        memory.putLongRelease(to + Bucket.IMAGE, memory.getLong(from + Bucket.IMAGE));
        memory.putLongRelease(from + Bucket.IMAGE, EMPTY);
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
