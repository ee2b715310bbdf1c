package org.jvrpc.offload.table;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * Layout of a value as tables keep it: who reads it can tell whose it is, how long, and whether it is whole. Not so
 * when it was freed, or written anew, while it was read; then the reader looks again. Little-endian.
 *
 * <pre>
 * 0 bytes of the chunk:32, not 0 | 4 length of the value:32 | 8 CRC32C:32 | 12 zero:32
 * 16 key:64 | 24 version:64 | 32 the value, then whatever was there
 * </pre>
 * The checksum is of length, key, version and value. A version is never used twice for a key.
 */
public final class Value {

    /** Bytes before the value. */
    public static final int HEADER = 32;

    private static final int LENGTH = 4;
    private static final int CHECKSUM = 8;
    private static final int KEY = 16;
    private static final int VERSION = 24;
    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private Value() {
    }

    /** Writes a value into a chunk that nobody reads, but for those who read what it was before. */
    static void write(ByteBuffer memory, int at, int chunk, long key, long version, ByteBuffer value, CRC32C crc) {
        int length = value.remaining();
        INT.set(memory, at, chunk);
        INT.set(memory, at + LENGTH, length);
        LONG.set(memory, at + KEY, key);
        LONG.set(memory, at + VERSION, version);
        memory.put(at + HEADER, value, value.position(), length);
        INT.set(memory, at + CHECKSUM, checksum(memory, at, length, crc));
        INT.set(memory, at + 12, 0);
    }

    /** Returns the bytes of the chunk. */
    static int chunk(ByteBuffer memory, int at) {
        return (int) INT.get(memory, at);
    }

    /** Returns the length of the value. */
    public static int length(ByteBuffer copy, int at) {
        return (int) INT.get(copy, at + LENGTH);
    }

    /** Returns the version. */
    public static long version(ByteBuffer copy, int at) {
        return (long) LONG.get(copy, at + VERSION);
    }

    /**
     * Returns whether a copy is a whole value of a key.
     *
     * @param room bytes that the copy can have; what a longer value says of itself is not believed
     * @param crc to be used again and again
     */
    public static boolean isWhole(ByteBuffer copy, int at, int room, long key, CRC32C crc) {
        int length = length(copy, at);
        return (long) LONG.get(copy, at + KEY) == key && length >= 0 && length <= room - HEADER
                && (int) INT.get(copy, at + CHECKSUM) == checksum(copy, at, length, crc);
    }

    private static int checksum(ByteBuffer memory, int at, int length, CRC32C crc) {
        crc.reset();
        int limit = memory.limit();
        int position = memory.position();
        memory.limit(at + HEADER + length).position(at + KEY);
        crc.update(memory);
        memory.limit(limit).position(position);
        return (int) crc.getValue() ^ length * 0x9e3779b9;
    }
}
