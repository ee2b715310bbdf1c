package org.jvrpc.offload.lookup;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jvrpc.offload.table.Bucket;
import org.jvrpc.offload.table.Hashes;
import org.jvrpc.offload.table.IndexHeader;
import org.jvrpc.offload.table.Value;

/**
 * Gets values from a host's {@link org.jvrpc.offload.table.HopscotchTable} or
 * {@link org.jvrpc.offload.table.CuckooTable} by its program, while the host changes them: a value is whole and the
 * key's, or not given out. One thread; allocates nothing.
 */
public final class TableReader {

    /** Where a key may be besides its first bucket. */
    public enum Hashing {
        /** In the bucket behind it. */
        HOPSCOTCH,
        /** Where another hash says. */
        CUCKOO
    }

    private final OffloadClient client;
    private final Hashing hashing;
    private final ByteBuffer answer;
    private final CRC32C crc = new CRC32C();
    private long generation;
    private long base;
    private long mask;
    private long repeats;

    /**
     * Reads where the table is.
     *
     * @param client of a lookup of kind {@link LookupKind#HASH_GET} or {@link LookupKind#HASH_GET_PARALLEL}, whose
     *     answers have room for the longest value and 32 bytes
     * @throws IllegalArgumentException when the lookup is of another kind
     */
    public TableReader(OffloadClient client, Hashing hashing) {
        if (client.kind() != LookupKind.HASH_GET && client.kind() != LookupKind.HASH_GET_PARALLEL) {
            throw new IllegalArgumentException("the lookup's kind must be a hash get, kind=" + client.kind());
        }
        this.client = client;
        this.hashing = hashing;
        this.answer = client.answer().duplicate().order(client.answer().order());
    }

    /** Returns the memory of the last value that was found, from {@link Value#HEADER} on. */
    public ByteBuffer answer() {
        return answer;
    }

    /** Returns the length of the last value that was found, in bytes. */
    public int length() {
        return Value.length(answer, 0);
    }

    /** Returns the version of the last value that was found. */
    public long version() {
        return Value.version(answer, 0);
    }

    /** Returns how often it had to look again since it was made. */
    public long repeats() {
        return repeats;
    }

    /**
     * Gets a value.
     *
     * @param key of 48 bits
     * @param timeoutNs how long to wait for the program, each time
     * @return UNFINISHED also when it was changed again and again for so long
     */
    public Outcome get(long key, long timeoutNs) {
        long image = Bucket.image(key);
        long startNs = 0;
        if (generation == 0 && !refresh()) {
            return Outcome.BROKEN;
        }
        while (true) {
            long second = hashing == Hashing.CUCKOO ? Hashes.second(key, mask) : Hashes.next(key, mask);
            Outcome outcome = client.hashGet(image, base + Hashes.first(key, mask) * Bucket.BYTES,
                    base + second * Bucket.BYTES, timeoutNs);
            if (outcome == Outcome.FOUND && Value.isWhole(answer, 0, answer.capacity(), key, crc)) {
                return Outcome.FOUND;
            }
            if (outcome == Outcome.MISSED) {
                long seen = generation;
                if (!refresh()) {
                    return Outcome.BROKEN;
                }
                if (generation == seen) {
                    return Outcome.MISSED; // nothing was moved while the program looked
                }
            } else if (outcome != Outcome.FOUND) {
                return outcome;
            }
            repeats++;
            long nowNs = System.nanoTime();
            startNs = startNs == 0 ? nowNs : startNs;
            if (nowNs - startNs > timeoutNs) {
                return Outcome.UNFINISHED;
            }
        }
    }

    /** Reads where the table is, until it is told whole; false when the connection is gone. */
    private boolean refresh() {
        while (true) {
            int at = client.read(client.header(), IndexHeader.BYTES);
            if (at < 0) {
                return false;
            }
            if (IndexHeader.isWhole(client.request(), at)) {
                generation = IndexHeader.generation(client.request(), at);
                base = IndexHeader.address(client.request(), at);
                mask = IndexHeader.count(client.request(), at) - 1;
                return true;
            }
            Thread.onSpinWait();
        }
    }
}
