package org.jvrpc.mlx5;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Access to big-endian fields, and to raw words, of off-heap memory. */
public final class BigEndian {

    private static final VarHandle SHORT = MethodHandles.byteBufferViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle RAW = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final VarHandle ARRAY_RAW =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final VarHandle ARRAY_INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle ARRAY_LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private BigEndian() {
    }

    /** Reads 2 bytes as an unsigned number. */
    public static int getShort(ByteBuffer memory, int offset) {
        return (short) SHORT.get(memory, offset) & 0xffff;
    }

    /** Reads 4 bytes. */
    public static int getInt(ByteBuffer memory, int offset) {
        return (int) INT.get(memory, offset);
    }

    /** Reads 4 bytes; what follows is not read before. */
    public static int getIntAcquire(ByteBuffer memory, int offset) {
        return (int) INT.getAcquire(memory, offset);
    }

    /** Reads 8 bytes. */
    public static long getLong(ByteBuffer memory, int offset) {
        return (long) LONG.get(memory, offset);
    }

    /** Reads 8 bytes; what follows is not read before. */
    public static long getLongAcquire(ByteBuffer memory, int offset) {
        return (long) LONG.getAcquire(memory, offset);
    }

    /** Writes 2 bytes. */
    public static void putShort(ByteBuffer memory, int offset, int value) {
        SHORT.set(memory, offset, (short) value);
    }

    /** Writes 4 bytes. */
    public static void putInt(ByteBuffer memory, int offset, int value) {
        INT.set(memory, offset, value);
    }

    /** Writes 4 bytes; what came before is visible to who reads them with acquire. */
    public static void putIntRelease(ByteBuffer memory, int offset, int value) {
        INT.setRelease(memory, offset, value);
    }

    /** Writes 4 bytes, ordered before whatever this thread reads next. */
    public static void putIntVolatile(ByteBuffer memory, int offset, int value) {
        INT.setVolatile(memory, offset, value);
    }

    /** Writes 8 bytes. */
    public static void putLong(ByteBuffer memory, int offset, long value) {
        LONG.set(memory, offset, value);
    }

    /** Writes 8 bytes; what came before is visible to who reads them with acquire. */
    public static void putLongRelease(ByteBuffer memory, int offset, long value) {
        LONG.setRelease(memory, offset, value);
    }

    /** Writes 8 bytes, ordered before whatever this thread reads next. */
    public static void putLongVolatile(ByteBuffer memory, int offset, long value) {
        LONG.setVolatile(memory, offset, value);
    }

    /** Replaces 8 bytes when they are {@code expected}. */
    public static boolean compareAndSetLong(ByteBuffer memory, int offset, long expected, long value) {
        return LONG.compareAndSet(memory, offset, expected, value);
    }

    /** Replaces 4 bytes when they are {@code expected}. */
    public static boolean compareAndSetInt(ByteBuffer memory, int offset, int expected, int value) {
        return INT.compareAndSet(memory, offset, expected, value);
    }

    /** Copies 8 bytes of an array as they are. */
    static void putRaw(ByteBuffer memory, int offset, byte[] source, int sourceOffset) {
        RAW.set(memory, offset, (long) ARRAY_RAW.get(source, sourceOffset));
    }

    static int getInt(byte[] memory, int offset) {
        return (int) ARRAY_INT.get(memory, offset);
    }

    static void putInt(byte[] memory, int offset, int value) {
        ARRAY_INT.set(memory, offset, value);
    }

    static long getLong(byte[] memory, int offset) {
        return (long) ARRAY_LONG.get(memory, offset);
    }

    static void putLong(byte[] memory, int offset, long value) {
        ARRAY_LONG.set(memory, offset, value);
    }
}
