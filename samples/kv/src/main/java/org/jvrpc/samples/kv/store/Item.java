package org.jvrpc.samples.kv.store;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * An item in its chunk. Offsets are from the published address, which is {@link #SERVER_HEADER} behind the chunk's
 * begin. What lies from 16 on never changes while the item is LIVE, and the checksum covers it; the server's own fields
 * lie before it.
 *
 * <pre>
 * -32 | next in the chain of the main index:64                       |
 * -24 | previous in the LRU list:64  (in quarantine: freed at, ns)   |
 * -16 | next in the LRU list, free list or quarantine:64             |
 *  -8 | last access, Unix seconds:32 | class:8 | list:8 | marks:16   |
 *   0 | state:64   0 unused, 1 LIVE, 2 DEAD, 3 SEALED; release store |
 *   8 | CRC32C of [16, 40+key+value):32 | value length:32            |
 *  16 | version:64, rises over all items; memcached's "cas unique"   |
 *  24 | client flags:32 | expiry:32, Unix seconds, 0 never           |
 *  32 | key length:16 | 0:48                                         |
 *  40 | key, value                                                   |
 * </pre>
 */
public final class Item {

    /** Bytes before the published address, which are the server's alone. */
    public static final int SERVER_HEADER = 32;
    /** Bytes from the published address to the key. */
    public static final int HEADER = 40;
    /** The longest value in bytes. */
    public static final int MAX_VALUE = 1 << 20;
    /** The most bytes from the published address to the value's end. */
    public static final int MAX_LENGTH = HEADER + Keys.MAX_LENGTH + MAX_VALUE;

    /** The item may be used. */
    public static final long LIVE = 1;
    /** The item was replaced, deleted or evicted, or is being written. */
    public static final long DEAD = 2;
    /** The item is whole and takes the place of one that is LIVE still: of one key never two are, for no peer. */
    static final long SEALED = 3;

    static final int CHAIN = -32;
    static final int PREVIOUS = -24;
    static final int NEXT = -16;
    static final int ACCESSED = -8;
    static final int CLASS = -4;
    static final int LIST = -3;
    static final int MARKS = -2;
    static final int STATE = 0;
    static final int CRC = 8;
    static final int VALUE_LENGTH = 12;
    static final int VERSION = 16;
    static final int FLAGS = 24;
    static final int EXPIRY = 28;
    static final int KEY_LENGTH = 32;
    static final int RESERVED = 34;
    static final int KEY = 40;

    /** Where the checksum begins. */
    static final int CHECKED = 16;

    /** Marks: read since it was stored. */
    static final int FETCHED = 1;
    /** Read again since it came into its list. */
    static final int ACTIVE = 2;
    /** A client was told that it may renew the item. */
    static final int TOKEN_SENT = 4;
    /** Marked out of date by a client. */
    static final int STALE = 8;
    /** The key came in base64. */
    static final int KEY_BINARY = 16;
    /** The offload index has it. */
    static final int INDEXED = 32;

    private Item() {
    }

    /** Returns the bytes from the published address to the value's end. */
    public static int length(int keyLength, int valueLength) {
        return HEADER + keyLength + valueLength;
    }

    /** Returns the bytes that the item takes of its chunk. */
    static int footprint(int keyLength, int valueLength) {
        return SERVER_HEADER + HEADER + keyLength + valueLength;
    }

    static int crc(CRC32C crc, ByteBuffer checked) {
        crc.reset();
        crc.update(checked);
        return (int) crc.getValue();
    }

    static boolean isExpired(int expiry, long nowSeconds) {
        return expiry != 0 && Integer.toUnsignedLong(expiry) <= nowSeconds;
    }
}
