package org.jvrpc.runtime.counters;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** How the bytes of counters are read and written, see {@link CounterLayout}. Any thread. */
public final class CounterMemory {

    private static final VarHandle LONGS =
            MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN).withInvokeExactBehavior();
    private static final VarHandle INTS =
            MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN).withInvokeExactBehavior();

    private CounterMemory() {
    }

    public static long get(ByteBuffer memory, int at) {
        return (long) LONGS.getOpaque(memory, at);
    }

    public static long getAcquire(ByteBuffer memory, int at) {
        return (long) LONGS.getAcquire(memory, at);
    }

    public static int getInt(ByteBuffer memory, int at) {
        return (int) INTS.getOpaque(memory, at);
    }

    public static void set(ByteBuffer memory, int at, long value) {
        LONGS.setOpaque(memory, at, value);
    }

    public static void setRelease(ByteBuffer memory, int at, long value) {
        LONGS.setRelease(memory, at, value);
    }

    public static void setInt(ByteBuffer memory, int at, int value) {
        INTS.setOpaque(memory, at, value);
    }

    /** Adds to a counter whose one writer the caller is. */
    public static void add(ByteBuffer memory, int at, long more) {
        LONGS.setOpaque(memory, at, (long) LONGS.get(memory, at) + more);
    }

    /** Adds to a counter that several write. Returns what it is then. */
    public static long addShared(ByteBuffer memory, int at, long more) {
        return (long) LONGS.getAndAdd(memory, at, more) + more;
    }

    /** Writes a text, cut to so many bytes at a character's end; shorter than the place it has. */
    public static void putText(ByteBuffer memory, int at, int most, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(bytes.length, most);
        while (length < bytes.length && length > 0 && (bytes[length] & 0xC0) == 0x80) {
            length--;
        }
        memory.put(at + Integer.BYTES, bytes, 0, length);
        setInt(memory, at, length);
    }

    /** Reads a text that {@link #putText} wrote; of a length that cannot be, the empty one. */
    public static String text(ByteBuffer memory, int at, int most) {
        int length = getInt(memory, at);
        if (length <= 0 || length > most) {
            return "";
        }
        byte[] bytes = new byte[length];
        memory.get(at + Integer.BYTES, bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** Clears some bytes, a multiple of eight. */
    public static void clear(ByteBuffer memory, int at, int bytes) {
        memory.put(at, new byte[bytes]);
    }
}
