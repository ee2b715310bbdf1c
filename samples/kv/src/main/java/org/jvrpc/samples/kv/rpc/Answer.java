package org.jvrpc.samples.kv.rpc;

import java.nio.ByteBuffer;
import org.jvrpc.samples.kv.store.ItemReader;
import org.jvrpc.samples.kv.store.ReadOutcome;

/** A value that was found, where it landed. Reused. */
final class Answer {

    private static final int FOR_EVER = 0;

    final ItemReader reader = new ItemReader();
    ByteBuffer bytes;
    int offset;
    int length;
    int flags;
    long version;

    /** Judges a copy of an item, and takes its value when it is a hit. @param lent whose position and limit change */
    ReadOutcome take(ByteBuffer lent, int at, int count, byte[] key) {
        lent.clear();
        // The clock is asked only for items that have an expiry.
        ReadOutcome outcome = reader.verify(lent, at, count, key, 0, key.length, 0);
        if (outcome != ReadOutcome.HIT) {
            return outcome;
        }
        int expiry = reader.expiry();
        if (expiry != FOR_EVER && Integer.toUnsignedLong(expiry) <= System.currentTimeMillis() / 1000) {
            return ReadOutcome.EXPIRED;
        }
        bytes = lent;
        offset = reader.valueOffset();
        length = reader.valueLength();
        flags = reader.flags();
        version = reader.version();
        return ReadOutcome.HIT;
    }

    /** Takes what a call brought. */
    void take(ByteBuffer fetched, int at) {
        bytes = fetched;
        offset = at + FetchLayout.VALUE;
        length = fetched.getInt(at + FetchLayout.VALUE_LENGTH);
        flags = fetched.getInt(at + FetchLayout.FLAGS);
        version = fetched.getLong(at + FetchLayout.VERSION);
    }
}
