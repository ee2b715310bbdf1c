package org.jvrpc.offload.table;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jvrpc.verbs.MemoryRegion;

/**
 * Published answers of a method by its arguments, for the program of a hash get: a cuckoo table of {@link Bucket}s that
 * point to {@link MethodChunk}s of one size. What is found is always the answer published last for exactly these
 * arguments; what is moved or overwritten meanwhile may be missed, which readers make up for by an ordinary call.
 * All of it lies in the region, so that a later process goes on with it. Any thread; one process at a time writes.
 *
 * <pre>
 *  0 {@link IndexHeader} | 32 magic:64 | 40 buckets:32 | 44 chunks:32 | 48 bytes of a chunk:32 | 52 zero:32
 * 56 sequence:64 | 64 buckets | chunks | as many bytes as a chunk has, for reads by the length of another
 * </pre>
 * Little-endian but for the buckets.
 */
public final class MethodTable {

    /** The most bytes of a table: views of memory end there. */
    public static final long MAX_BYTES = 1L << 30;
    private static final long MAGIC = 0x316c_6261_5464_684dL;
    private static final int HEADER = 64;
    private static final int MAGIC_AT = 32;
    private static final int BUCKETS = 40;
    private static final int CHUNKS = 44;
    private static final int CHUNK_BYTES = 48;
    private static final int SEQUENCE = 56;
    /** Chunks beyond the capacity: those that are written, and those that rest before they are used again. */
    private static final int SPARE = 64;
    private static final int MAX_MOVES = 255;
    private static final int STRIPES = 1024;
    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final ByteBuffer memory;
    private final long address;
    private final int capacity;
    private final int buckets;
    private final int chunks;
    private final int chunkBytes;
    private final int[] free;
    private int freeFrom;
    private int freeCount;
    private int size;
    private long sequence;
    /** When something was last removed, by keys' remainders: a publication that began before is out of date. */
    private final long[] removed = new long[STRIPES];
    private final CuckooPath ways = new CuckooPath(new Ways(), MAX_MOVES);
    private final CRC32C crc = new CRC32C();

    private MethodTable(MemoryRegion region, long offset, int capacity, int answerBytes) {
        this.capacity = capacity;
        this.buckets = buckets(capacity);
        this.chunks = capacity + SPARE;
        this.chunkBytes = chunkBytes(answerBytes);
        this.memory = region.buffer(offset, (int) bytes(capacity, answerBytes));
        this.address = region.address() + offset;
        this.free = new int[chunks];
    }

    private static int buckets(int capacity) {
        return Integer.highestOneBit(Math.max(4, capacity * 5 / 2) - 1) << 1;
    }

    private static int chunkBytes(int answerBytes) {
        return answerBytes + 63 & -64;
    }

    /**
     * Returns how many bytes a table takes.
     *
     * @param capacity answers, 1 to 16 million
     * @param answerBytes the longest answer with its arguments, see {@link MethodChunk#bytes}
     * @throws IllegalArgumentException when that is more than 1 GiB
     */
    public static long bytes(int capacity, int answerBytes) {
        if (capacity < 1 || capacity > 1 << 24 || answerBytes < MethodChunk.HEADER || answerBytes > 1 << 28) {
            throw new IllegalArgumentException("capacity=" + capacity + " must be 1 to " + (1 << 24)
                    + " and answerBytes=" + answerBytes + " " + MethodChunk.HEADER + " to " + (1 << 28));
        }
        long chunk = chunkBytes(answerBytes);
        long bytes = HEADER + (long) Bucket.BYTES * buckets(capacity) + chunk * (capacity + SPARE + 1L);
        if (bytes > MAX_BYTES) {
            throw new IllegalArgumentException("a table of capacity=" + capacity + " answerBytes=" + answerBytes
                    + " takes bytes=" + bytes + ", limit=" + MAX_BYTES);
        }
        return bytes;
    }

    /**
     * Goes on with the table that lies in a region, or makes an empty one where there is none of these measures.
     *
     * @param offset of the table in the region, a multiple of 64
     * @throws IndexOutOfBoundsException when it does not fit
     */
    public static MethodTable open(MemoryRegion region, long offset, int capacity, int answerBytes) {
        if ((offset & 63) != 0) {
            throw new IllegalArgumentException("offset=" + offset + " is no multiple of 64");
        }
        MethodTable table = new MethodTable(region, offset, capacity, answerBytes);
        if (table.isThere()) {
            table.attach();
        } else {
            table.format();
        }
        return table;
    }

    private boolean isThere() {
        return memory.getLong(MAGIC_AT) == MAGIC && memory.getInt(BUCKETS) == buckets
                && memory.getInt(CHUNKS) == chunks && memory.getInt(CHUNK_BYTES) == chunkBytes
                && IndexHeader.address(memory, 0) == address + HEADER && IndexHeader.count(memory, 0) == buckets
                && IndexHeader.isWhole(memory, 0);
    }

    private void format() {
        memory.putLong(MAGIC_AT, 0);
        IndexHeader.withdraw(memory, 0);
        for (int bucket = 0; bucket < buckets; bucket++) {
            Bucket.clear(memory, at(bucket));
        }
        for (int chunk = 0; chunk < chunks; chunk++) {
            LONG.setRelease(memory, chunkAt(chunk) + MethodChunk.LIVE, 0L);
            giveBack(chunk);
        }
        memory.putInt(BUCKETS, buckets).putInt(CHUNKS, chunks).putInt(CHUNK_BYTES, chunkBytes);
        IndexHeader.publish(memory, 0, address + HEADER, buckets);
        LONG.setRelease(memory, MAGIC_AT, MAGIC);
    }

    /** Takes what a process left: drops what it did not finish, and ends what it did. */
    private void attach() {
        boolean[] used = new boolean[chunks];
        sequence = memory.getLong(SEQUENCE);
        for (int bucket = 0; bucket < buckets; bucket++) {
            int chunk = chunkOf(bucket);
            if (chunk < 0 || used[chunk] || !isSound(bucket, chunk)) {
                Bucket.clear(memory, at(bucket)); // the second place of one that was being moved, too
                continue;
            }
            used[chunk] = true;
            size++;
            sequence = Math.max(sequence, MethodChunk.sequence(memory, chunkAt(chunk)));
            MethodChunk.live(memory, chunkAt(chunk), true);
        }
        for (int chunk = 0; chunk < chunks; chunk++) {
            if (!used[chunk]) {
                MethodChunk.live(memory, chunkAt(chunk), false);
                giveBack(chunk);
            }
        }
    }

    private boolean isSound(int bucket, int chunk) {
        long key = keyAt(bucket);
        int length = Bucket.length(memory, at(bucket));
        if (MethodChunk.keyOfWhole(memory, chunkAt(chunk), chunkBytes, crc) != key
                || MethodHash.first(key, buckets) != bucket && MethodHash.second(key, buckets) != bucket) {
            return false;
        }
        if (length != MethodChunk.length(memory, chunkAt(chunk))) { // killed between address and length
            Bucket.publish(memory, at(bucket), key, address + chunkAt(chunk),
                    MethodChunk.length(memory, chunkAt(chunk)));
        }
        return true;
    }

    /** Returns how long an answer with its arguments may be, in bytes. */
    public int answerBytes() {
        return chunkBytes;
    }

    /** Returns how many answers are published. */
    public synchronized int size() {
        return size;
    }

    /** Begins a publication or removal; what was begun later counts more, whichever ends first. */
    public synchronized long begin() {
        sequence++;
        memory.putLong(SEQUENCE, sequence);
        return sequence;
    }

    /** Publishes an answer in the place of the last one for its arguments. @param begun what {@link #begin()} gave */
    public synchronized MethodPublished publish(MethodAnswer answer, long begun) {
        long key = MethodHash.key(answer.arguments(), answer.argumentsAt(), answer.argumentBytes());
        int bucket = find(key);
        if (bucket >= 0 && MethodChunk.sequence(memory, chunkAt(chunkOf(bucket))) > begun) {
            return MethodPublished.SUPERSEDED;
        }
        MethodPublished refusal = refusal(answer, key, bucket, begun);
        int place = bucket >= 0 || refusal != null ? bucket : makePlace(key);
        if (refusal == null && place < 0) {
            return MethodPublished.NO_ROOM;
        }
        int old = bucket >= 0 ? chunkOf(bucket) : -1;
        if (refusal == null) {
            int chunk = take();
            int at = chunkAt(chunk);
            MethodChunk.write(memory, at, answer, begun, crc);
            Bucket.publish(memory, at(place), key, address + at,
                    (int) MethodChunk.bytes(answer.argumentBytes(), answer.resultBytes()));
            MethodChunk.live(memory, at, true);
            size += old >= 0 ? 0 : 1;
        } else if (old >= 0) {
            Bucket.clear(memory, at(bucket));
            size--;
        }
        if (old >= 0) {
            retire(old);
        }
        return refusal == null ? MethodPublished.PUBLISHED : refusal;
    }

    private MethodPublished refusal(MethodAnswer answer, long key, int bucket, long begun) {
        if (MethodChunk.bytes(answer.argumentBytes(), answer.resultBytes()) > chunkBytes) {
            return MethodPublished.TOO_LONG;
        }
        if (removed[stripe(key)] > begun) {
            return MethodPublished.SUPERSEDED;
        }
        return bucket < 0 && size == capacity ? MethodPublished.NO_ROOM : null;
    }

    /** Has programs find nothing for some arguments. @return false when there was nothing */
    public synchronized boolean remove(ByteBuffer arguments, int at, int length, long begun) {
        long key = MethodHash.key(arguments, at, length);
        removed[stripe(key)] = Math.max(removed[stripe(key)], begun);
        int bucket = find(key);
        int chunk = bucket < 0 ? -1 : chunkOf(bucket);
        if (bucket < 0 || MethodChunk.sequence(memory, chunkAt(chunk)) > begun
                || !MethodChunk.isFor(memory, chunkAt(chunk), arguments, at, length)) {
            return false;
        }
        Bucket.clear(memory, at(bucket));
        retire(chunk);
        size--;
        return true;
    }

    /** Has programs find nothing at all. */
    public synchronized void clear() {
        long begun = begin();
        Arrays.fill(removed, begun);
        for (int bucket = 0; bucket < buckets; bucket++) {
            int chunk = chunkOf(bucket);
            if (chunk >= 0) {
                Bucket.clear(memory, at(bucket));
                retire(chunk);
            }
        }
        size = 0;
    }

    // ---- buckets

    private static int stripe(long key) {
        return (int) (key >>> 24) & STRIPES - 1;
    }

    private static int at(int bucket) {
        return HEADER + bucket * Bucket.BYTES;
    }

    private long keyAt(int bucket) {
        return Bucket.key(Bucket.image(memory, at(bucket)));
    }

    private boolean isEmpty(int bucket) {
        return Bucket.image(memory, at(bucket)) == Bucket.EMPTY;
    }

    private int find(long key) {
        long image = Bucket.image(key);
        int first = MethodHash.first(key, buckets);
        if (Bucket.image(memory, at(first)) == image) {
            return first;
        }
        int second = MethodHash.second(key, buckets);
        return Bucket.image(memory, at(second)) == image ? second : -1;
    }

    /** Returns a bucket of a key that may be written over, after moving others away; -1 when there is none. */
    private int makePlace(long key) {
        return (int) ways.room(MethodHash.first(key, buckets), MethodHash.second(key, buckets));
    }

    /** How entries give way to others. What has moved stays in its old place, too, until that is written over. */
    private final class Ways implements CuckooPath.Buckets {

        @Override
        public boolean isEmpty(long bucket) {
            return MethodTable.this.isEmpty((int) bucket);
        }

        @Override
        public long other(long bucket) {
            long key = keyAt((int) bucket);
            int first = MethodHash.first(key, buckets);
            return first == bucket ? MethodHash.second(key, buckets) : first;
        }

        @Override
        public void move(long from, long to) {
            int source = at((int) from);
            Bucket.publish(memory, at((int) to), keyAt((int) from), Bucket.address(memory, source),
                    Bucket.length(memory, source));
        }
    }

    // ---- chunks

    private int chunkAt(int chunk) {
        return HEADER + buckets * Bucket.BYTES + chunk * chunkBytes;
    }

    /** Returns the chunk that a bucket points to, or -1. */
    private int chunkOf(int bucket) {
        long offset = Bucket.address(memory, at(bucket)) - address - chunkAt(0);
        return isEmpty(bucket) || offset < 0 || offset % chunkBytes != 0 || offset / chunkBytes >= chunks
                ? -1 : (int) (offset / chunkBytes);
    }

    private int take() {
        int chunk = free[freeFrom];
        freeFrom = freeFrom + 1 == chunks ? 0 : freeFrom + 1;
        freeCount--;
        return chunk;
    }

    private void giveBack(int chunk) {
        int at = freeFrom + freeCount++;
        free[at >= chunks ? at - chunks : at] = chunk;
    }

    /** Has a chunk be no answer any more; it is used again after all that are free now. */
    private void retire(int chunk) {
        MethodChunk.live(memory, chunkAt(chunk), false);
        giveBack(chunk);
    }
}
