package org.jvrpc.samples.kv.store;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * Judges bytes that a READ or a NIC program copied from an item's published address on, while the store may have been
 * changing them. The buffer is little-endian. Reused; one thread.
 */
public final class ItemReader {

    private final CRC32C crc = new CRC32C();
    private int begin;
    private int keyLength;
    private int valueLength;
    private long version;
    private int flags;
    private int expiry;

    /**
     * Judges the bytes between position and limit; see {@link #verify(ByteBuffer, int, int, byte[], int, int, long)}.
     */
    public ReadOutcome verify(ByteBuffer answer, byte[] key, long nowSeconds) {
        return verify(answer, answer.position(), answer.remaining(), key, 0, key.length, nowSeconds);
    }

    /**
     * Judges.
     *
     * @param answer little-endian; position and limit may change
     * @param at where the copy of the item begins
     * @param bytes how many were read; more than the item has does no harm
     * @param nowSeconds the reader's Unix time
     * @throws IllegalArgumentException when the buffer is big-endian
     */
    public ReadOutcome verify(
            ByteBuffer answer, int at, int bytes, byte[] key, int keyOffset, int length, long nowSeconds) {
        if (answer.order() != ByteOrder.LITTLE_ENDIAN) {
            throw new IllegalArgumentException("order=" + answer.order() + ": the answer must be little-endian");
        }
        if (bytes < Item.HEADER) {
            return ReadOutcome.TORN;
        }
        long state = answer.getLong(at + Item.STATE);
        if (state != Item.LIVE) {
            return ReadOutcome.DEAD;
        }
        begin = at;
        keyLength = answer.getShort(at + Item.KEY_LENGTH) & 0xffff;
        valueLength = answer.getInt(at + Item.VALUE_LENGTH);
        if (keyLength == 0 || keyLength > Keys.MAX_LENGTH || valueLength < 0 || valueLength > Item.MAX_VALUE
                || Item.length(keyLength, valueLength) > bytes) {
            return ReadOutcome.TORN;
        }
        answer.limit(at + Item.length(keyLength, valueLength)).position(at + Item.CHECKED);
        if (Item.crc(crc, answer) != answer.getInt(at + Item.CRC)) {
            return ReadOutcome.TORN;
        }
        if (!isKey(answer, key, keyOffset, length)) {
            return ReadOutcome.OTHER_KEY;
        }
        version = answer.getLong(at + Item.VERSION);
        flags = answer.getInt(at + Item.FLAGS);
        expiry = answer.getInt(at + Item.EXPIRY);
        return Item.isExpired(expiry, nowSeconds) ? ReadOutcome.EXPIRED : ReadOutcome.HIT;
    }

    private boolean isKey(ByteBuffer answer, byte[] key, int keyOffset, int length) {
        if (keyLength != length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (answer.get(begin + Item.KEY + i) != key[keyOffset + i]) {
                return false;
            }
        }
        return true;
    }

    /** After a HIT: returns where the value begins in the buffer. */
    public int valueOffset() {
        return begin + Item.KEY + keyLength;
    }

    /** After a HIT: returns the value's length in bytes. */
    public int valueLength() {
        return valueLength;
    }

    /** After a HIT: returns the item's version. */
    public long version() {
        return version;
    }

    /** After a HIT: returns the client flags. */
    public int flags() {
        return flags;
    }

    /** After a HIT: returns the expiry in seconds of Unix time, 0 for never. */
    public int expiry() {
        return expiry;
    }
}
