package org.jvrpc.samples.kv.rpc;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jvrpc.offload.lookup.OffloadClient;
import org.jvrpc.offload.lookup.Outcome;
import org.jvrpc.offload.lookup.ReadChain;
import org.jvrpc.offload.table.Bucket;
import org.jvrpc.offload.table.Hashes;
import org.jvrpc.offload.table.IndexHeader;
import org.jvrpc.samples.kv.store.Keys;

/**
 * One connection to a host of lookups, and where the index was when it was last looked for. The client's thread;
 * allocates nothing once made.
 */
final class LookupLink {

    private static final int TRIES = 16;

    private final OffloadClient client;
    private final ReadChain chain;
    private final ByteBuffer answer;
    private final ByteBuffer brought;
    private final KeyHash hash;
    private final long timeoutNs;
    private long generation;
    private long base;
    private long mask;

    /**
     * Makes one.
     *
     * @param keys the hash that the store has for keys
     * @param longest item that is read one-sided
     * @param chained READs of a chain
     * @param timeoutNs the longest wait for a program
     */
    LookupLink(OffloadClient client, Keys keys, int longest, int chained, long timeoutNs) {
        this.hash = new KeyHash(keys);
        this.client = client;
        this.answer = client.answer();
        this.brought = client.request().duplicate().order(ByteOrder.LITTLE_ENDIAN);
        this.chain = chained == 0 ? null : client.reads(chained, longest);
        this.timeoutNs = timeoutNs;
    }

    /** Reads where the index is. @return true when it is not where it was */
    boolean refresh() {
        for (int i = 0; i < TRIES; i++) {
            int at = client.read(client.header(), IndexHeader.BYTES);
            if (at < 0) {
                return false;
            }
            brought.clear();
            if (IndexHeader.isWhole(brought, at)) {
                long before = generation;
                generation = IndexHeader.generation(brought, at);
                base = IndexHeader.address(brought, at);
                mask = IndexHeader.count(brought, at) - 1;
                return generation != before;
            }
        }
        return false;
    }

    /** Has a program look a key up; the item is in {@link #answer()} then. */
    Outcome lookUp(byte[] key) {
        long key48 = Keys.key48(hash.of(key));
        return client.hashGet(Bucket.image(key48), base + Hashes.first(key48, mask) * Bucket.BYTES,
                base + Hashes.second(key48, mask) * Bucket.BYTES, timeoutNs);
    }

    /** Returns where lookups write to. */
    ByteBuffer answer() {
        return answer;
    }

    /** Reads an item. @return where it lies in {@link #brought()}, or -1 */
    int read(long address, int length) {
        return client.read(address, length);
    }

    /** Returns where single READs bring to. */
    ByteBuffer brought() {
        return brought;
    }

    ReadChain chain() {
        return chain;
    }

    boolean isBroken() {
        return client.isBroken();
    }

    void close() {
        client.close();
    }
}
