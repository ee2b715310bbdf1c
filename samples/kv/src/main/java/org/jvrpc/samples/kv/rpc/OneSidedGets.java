package org.jvrpc.samples.kv.rpc;

import org.jvrpc.offload.lookup.ReadChain;
import org.jvrpc.samples.kv.rpc.KvCounts.Answered;
import org.jvrpc.samples.kv.store.Keys;
import org.jvrpc.samples.kv.store.ReadOutcome;

/**
 * Gets by READ of items whose place is known. An item that was replaced says so itself, and is forgotten. The client's
 * thread.
 */
final class OneSidedGets {

    private final LookupLinks links;
    private final LocationCache places;
    private final KeyHash hash = new KeyHash(Keys.random());
    private final int longest;
    private final int[] indices;
    private final int[] entries;
    private LookupLink last;

    OneSidedGets(LookupLinks links, KvClient.Settings settings) {
        this.links = links;
        this.places = new LocationCache(settings.places());
        this.longest = settings.longestRead();
        this.indices = new int[settings.chained()];
        this.entries = new int[settings.chained()];
    }

    /** Returns the connection; places of another one mean nothing. */
    private LookupLink link() {
        LookupLink link = links.link();
        if (link != last && link != null) {
            places.clear();
            last = link;
        }
        return link;
    }

    /** Notes where a call found an item. */
    void learn(byte[] key, long address, int length) {
        if (length <= longest && link() != null) {
            places.put(hash.of(key), address, length);
        }
    }

    /** Gets. @return DIRECT when the answer has the value, or why a call has to */
    Answered get(byte[] key, Answer answer) {
        LookupLink link = link();
        if (link == null) {
            return Answered.BROKEN;
        }
        int entry = places.find(hash.of(key));
        if (entry < 0) {
            return Answered.UNLEARNED;
        }
        int length = places.length(entry);
        int at = link.read(places.address(entry), length);
        if (at < 0) {
            links.giveBack(link);
            return Answered.BROKEN;
        }
        ReadOutcome outcome = answer.take(link.brought(), at, length, key);
        if (outcome == ReadOutcome.TORN) {
            at = link.read(places.address(entry), length);
            outcome = at < 0 ? ReadOutcome.DEAD : answer.take(link.brought(), at, length, key);
        }
        if (outcome != ReadOutcome.HIT) {
            places.remove(entry);
            return Answered.STALE;
        }
        return Answered.DIRECT;
    }

    /**
     * Gets as many as go in one chain of READs, one doorbell.
     *
     * @param from the first key
     * @param done is set for each key whose value was found
     * @return the first key that was not tried
     */
    int getAll(byte[][] keys, int from, int count, boolean[] done, Answer answer, KvVisitor visitor, KvCounts counts) {
        LookupLink link = link();
        if (link == null) {
            countAll(counts, Answered.BROKEN, count - from);
            return count;
        }
        int pieces = 0;
        int next = from;
        while (next < count && pieces < indices.length) {
            int entry = places.find(hash.of(keys[next]));
            if (entry < 0) {
                counts.count(Answered.UNLEARNED);
            } else {
                indices[pieces] = next;
                entries[pieces++] = entry;
            }
            next++;
        }
        if (pieces > 0) {
            read(link, keys, pieces, done, answer, visitor, counts);
        }
        return next;
    }

    private void read(LookupLink link, byte[][] keys, int pieces, boolean[] done, Answer answer, KvVisitor visitor,
            KvCounts counts) {
        ReadChain chain = link.chain();
        chain.begin(pieces);
        for (int i = 0; i < pieces; i++) {
            chain.piece(i, places.address(entries[i]), places.length(entries[i]));
        }
        if (!chain.run()) {
            links.giveBack(link);
            countAll(counts, Answered.BROKEN, pieces);
            return;
        }
        for (int i = 0; i < pieces; i++) {
            int index = indices[i];
            ReadOutcome outcome =
                    answer.take(chain.bytes(), chain.at(i), places.length(entries[i]), keys[index]);
            if (outcome == ReadOutcome.HIT) {
                done[index] = true;
                counts.count(Answered.DIRECT);
                visitor.found(index, answer.bytes, answer.offset, answer.length, answer.flags, answer.version);
            } else {
                places.remove(entries[i]);
                counts.count(Answered.STALE);
            }
        }
    }

    private static void countAll(KvCounts counts, Answered how, int times) {
        for (int i = 0; i < times; i++) {
            counts.count(how);
        }
    }
}
