package org.jvrpc.offload.table;

import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.function.LongSupplier;
import java.util.zip.CRC32C;
import org.jvrpc.verbs.MemoryRegion;

/**
 * A table in which a key has two candidate buckets, wholly in one region, so that it outlives who writes it.
 *
 * <pre>
 * region  0 {@link IndexHeader} | 64 chunks: values ({@link Value}), arrays of {@link Bucket}s | … room for one value
 * array   0 bytes of the chunk:32 | 4 marker:32 | 8 how many buckets:64 | 64 buckets
 * </pre>
 * Programs and peers look while it changes. A value is written to a new chunk, then published; the chunk before it is
 * used again after a time of grace, and its checksum tells who read it until then. A bucket that is moved stands in its
 * new place, and the header's generation has changed, before its old place is cleared: who misses a key in both and
 * finds another generation looks again. An array that was outgrown is emptied, and never used again.
 *
 * <p>One thread writes.
 */
public abstract class HashTable {

    private static final int HEADER = 64;
    private static final int ARRAY = 64;
    /** Behind the chunks' own header. */
    private static final int FIRST_ARRAY = 2 * HEADER + ARRAY;
    private static final int MARKER = -1;
    private static final int MAX_MOVES = 64;
    private static final int SMALLEST = 8;
    /** No more buckets for each key: keys that share low bits find no room in more of them either. */
    private static final int BUCKETS_A_KEY = 64;
    private static final int DOUBLED_TWICE = 4;
    /** Of the region, for one array: the smaller ones before it take as much again. */
    private static final int SHARE = 4;

    private final MemoryRegion region;
    private final ByteBuffer memory;
    private final int maxValue;
    private final CuckooPath ways = new CuckooPath(new Ways(), MAX_MOVES);
    private final CRC32C crc = new CRC32C();
    private Chunks chunks;
    private int base;
    private int mask;
    private int size;
    private long version;
    private boolean growing;

    HashTable(MemoryRegion region, int maxValue) {
        if (region.length() > 1 << 30 || maxValue < 1 || maxValue > region.length() / 4) {
            throw new IllegalArgumentException("a table takes up to 1 GiB, with values of a quarter of it at most: "
                    + "region=" + region.length() + " maxValue=" + maxValue);
        }
        this.region = region;
        this.maxValue = maxValue;
        this.memory = region.buffer(0, (int) region.length());
    }

    abstract long second(long key, long bucketMask);

    private int chunksEnd() {
        // Who sees a new address with the length of an older value must not read past the region.
        return (int) region.length() - Value.HEADER - maxValue;
    }

    final void format(int buckets, long graceNs, LongSupplier clock) {
        if (Integer.bitCount(buckets) != 1 || buckets < SMALLEST) {
            throw new IllegalArgumentException("buckets must be a power of two, " + SMALLEST + " at least, buckets="
                    + buckets);
        }
        chunks = Chunks.create(memory, HEADER, chunksEnd(), graceNs, clock);
        base = array(buckets);
        if (base < 0) {
            throw new IllegalArgumentException("no room for buckets=" + buckets + " region=" + region.length());
        }
        mask = buckets - 1;
        publish();
    }

    final void takeUp(long graceNs, LongSupplier clock) {
        long address = IndexHeader.liveAddress(memory, 0) - region.address();
        boolean inside = address >= FIRST_ARRAY && address < region.length();
        // Not the header's, whose publication may have been cut off between the two.
        long count = inside ? memory.getLong((int) address - ARRAY + 8) : 0;
        if (count < SMALLEST || Long.bitCount(count) != 1 || count > (region.length() - address) / Bucket.BYTES) {
            throw new IllegalArgumentException("no table in the region: buckets=" + count + " at=" + address);
        }
        base = (int) address;
        mask = (int) count - 1;
        publish(); // ends a publication that was cut off; the array was whole before it began
        BitSet used = new BitSet();
        for (int bucket = 0; bucket <= mask; bucket++) {
            if (isTaken(at(bucket))) {
                removeTwin(bucket);
                int value = (int) (Bucket.address(memory, at(bucket)) - region.address());
                used.set(value / HEADER);
                version = Math.max(version, Value.version(memory, value));
            }
        }
        size = used.cardinality();
        chunks = Chunks.attach(memory, HEADER, chunksEnd(), graceNs, clock,
                at -> memory.getInt(at + 4) == MARKER || used.get(at / HEADER));
    }

    /** Clears the bucket when its key is in the other one, too: a move was cut off. */
    private void removeTwin(int bucket) {
        long key = Bucket.key(Bucket.image(memory, at(bucket)));
        int first = (int) Hashes.first(key, mask);
        if (bucket != first && isTaken(at(first)) && Bucket.key(Bucket.image(memory, at(first))) == key) {
            Bucket.publish(memory, at(first), key, Bucket.address(memory, at(bucket)),
                    Bucket.length(memory, at(bucket)));
            publish();
            Bucket.clear(memory, at(bucket));
        }
    }

    private int array(int buckets) {
        int chunk = chunks.take(ARRAY + buckets * Bucket.BYTES);
        if (chunk < 0) {
            return -1;
        }
        memory.putInt(chunk + 4, MARKER);
        memory.putLong(chunk + 8, buckets);
        for (int i = 0; i < buckets; i++) {
            Bucket.clear(memory, chunk + ARRAY + i * Bucket.BYTES);
        }
        return chunk + ARRAY;
    }

    private void publish() {
        IndexHeader.publish(memory, 0, region.address() + base, mask + 1L);
    }

    private int at(int bucket) {
        return base + bucket * Bucket.BYTES;
    }

    private boolean isTaken(int at) {
        return Bucket.image(memory, at) != Bucket.EMPTY;
    }

    /** Returns how many keys there are. */
    public final int size() {
        return size;
    }

    /** Returns how many buckets there are. */
    public final int buckets() {
        return mask + 1;
    }

    /** Returns the longest value, in bytes; clients take answers of 32 bytes more. */
    public final int maxValue() {
        return maxValue;
    }

    /** Returns the bucket of a key, or -1. */
    private int find(long key) {
        long image = Bucket.image(key);
        int first = (int) Hashes.first(key, mask);
        if (Bucket.image(memory, at(first)) == image) {
            return first;
        }
        int second = (int) second(key, mask);
        return Bucket.image(memory, at(second)) == image ? second : -1;
    }

    /**
     * Puts a value, its bytes from position to limit, in the place of the one that the key had.
     *
     * @param key of 48 bits
     * @return the value's version, which is larger than any before; 0, and nothing was changed, when the region is full
     *         or the key and others share so many low bits that even 64 buckets for each key have no room for it
     * @throws IllegalArgumentException when the value is too long, or the key has more than 48 bits
     */
    public final long put(long key, ByteBuffer value) {
        if (value.remaining() > maxValue) {
            throw new IllegalArgumentException("value=" + value.remaining() + " bytes, at most " + maxValue);
        }
        int bucket = find(key);
        boolean isNew = bucket < 0;
        if (isNew) {
            bucket = roomOrGrow(key);
        }
        int chunk = bucket < 0 ? -1 : chunks.take(Value.HEADER + value.remaining());
        if (chunk < 0) {
            return 0;
        }
        version++;
        Value.write(memory, chunk, Value.chunk(memory, chunk), key, version, value, crc);
        int old = (int) (Bucket.address(memory, at(bucket)) - region.address());
        Bucket.publish(memory, at(bucket), key, region.address() + chunk, Value.HEADER + value.remaining());
        if (isNew) {
            size++;
        } else {
            chunks.free(old);
        }
        return version;
    }

    /** Returns where a key's value lies in the region, header first, or -1. */
    public final int get(long key) {
        int bucket = find(key);
        return bucket < 0 ? -1 : (int) (Bucket.address(memory, at(bucket)) - region.address());
    }

    /** Removes a key; false when it is not there. */
    public final boolean remove(long key) {
        int bucket = find(key);
        if (bucket < 0) {
            return false;
        }
        int old = (int) (Bucket.address(memory, at(bucket)) - region.address());
        Bucket.clear(memory, at(bucket));
        chunks.free(old);
        size--;
        return true;
    }

    private int roomOrGrow(long key) {
        int bucket = size * 2 > mask ? -1 : room(key);
        if (bucket < 0) {
            growFor(key);
            bucket = room(key);
        }
        return bucket;
    }

    private int room(long key) {
        return (int) ways.room(Hashes.first(key, mask), second(key, mask));
    }

    /** How entries give way to others. */
    private final class Ways implements CuckooPath.Buckets {

        @Override
        public boolean isEmpty(long bucket) {
            return !isTaken(at((int) bucket));
        }

        @Override
        public long other(long bucket) {
            long key = Bucket.key(Bucket.image(memory, at((int) bucket)));
            long first = Hashes.first(key, mask);
            return first == bucket ? second(key, mask) : first;
        }

        @Override
        public void move(long from, long to) {
            copy(at((int) from), at((int) to));
            if (!growing) {
                publish();
            }
            Bucket.clear(memory, at((int) from));
        }
    }

    private void copy(int from, int to) {
        Bucket.publish(memory, to, Bucket.key(Bucket.image(memory, from)), Bucket.address(memory, from),
                Bucket.length(memory, from));
    }

    /** Makes twice the buckets, or more, unless there is no room for them or no number of them has room for the key. */
    private void growFor(long key) {
        int oldBase = base;
        int oldMask = mask;
        long most = Math.max((long) BUCKETS_A_KEY * (size + 1), (long) DOUBLED_TWICE * (oldMask + 1));
        most = Math.min(most, region.length() / SHARE / Bucket.BYTES);
        for (long buckets = 2L * (oldMask + 1); buckets <= most; buckets *= 2) {
            int newBase = array((int) buckets);
            if (newBase < 0) {
                return;
            }
            base = newBase;
            mask = (int) buckets - 1;
            if (takeOver(oldBase, oldMask, key)) {
                publish();
                for (int i = 0; i <= oldMask; i++) {
                    Bucket.clear(memory, oldBase + i * Bucket.BYTES);
                }
                return;
            }
            base = oldBase;
            mask = oldMask;
            memory.putInt(newBase - ARRAY + 4, 0);
            chunks.giveBack(newBase - ARRAY);
        }
    }

    /** Copies what is in the old array; false when that does not fit, or has no room for the key. */
    private boolean takeOver(int oldBase, int oldMask, long key) {
        growing = true;
        try {
            for (int i = 0; i <= oldMask; i++) {
                int old = oldBase + i * Bucket.BYTES;
                if (isTaken(old)) {
                    int bucket = room(Bucket.key(Bucket.image(memory, old)));
                    if (bucket < 0) {
                        return false;
                    }
                    copy(old, at(bucket));
                }
            }
            return room(key) >= 0;
        } finally {
            growing = false;
        }
    }
}
