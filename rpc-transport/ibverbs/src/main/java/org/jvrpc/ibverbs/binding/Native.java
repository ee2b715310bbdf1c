package org.jvrpc.ibverbs.binding;

import com.kenai.jffi.MemoryIO;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Memory that C may read and write, in native byte order; freed by the collector. One thread, or as its user says. */
public final class Native {

    private static final MemoryIO IO = MemoryIO.getInstance();

    private final ByteBuffer buffer;
    private final long address;

    private Native(ByteBuffer buffer) {
        this.buffer = buffer.order(ByteOrder.nativeOrder());
        this.address = addressOf(buffer);
    }

    /** Allocates zeroed memory, aligned to 64 bytes. */
    public static Native allocate(int bytes) {
        return new Native(ByteBuffer.allocateDirect((bytes + 63 & -64) + 64).alignedSlice(64).slice(0, bytes));
    }

    /** Returns a view of {@code length} bytes of memory that C owns, at most 2 GiB. The caller sees to its lifetime. */
    public static ByteBuffer view(long address, int length) {
        return IO.newDirectByteBuffer(address, length).order(ByteOrder.nativeOrder());
    }

    /** Returns the address of a direct buffer's first byte. */
    public static long addressOf(ByteBuffer direct) {
        return IO.getDirectBufferAddress(direct);
    }

    /** Reads a pointer of C's memory. */
    public static long pointerAt(long address) {
        return IO.getAddress(address);
    }

    /** Reads an int of C's memory. */
    public static int intAt(long address) {
        return IO.getInt(address);
    }

    /** Reads a string of at most so many bytes that ends with a zero byte or there. */
    public String string(int offset, int most) {
        int end = offset;
        while (end < offset + most && buffer.get(end) != 0) {
            end++;
        }
        byte[] bytes = new byte[end - offset];
        buffer.get(offset, bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** Returns the memory, whose position and limit nobody changes. */
    public ByteBuffer buffer() {
        return buffer;
    }

    /** Returns its address. */
    public long address() {
        return address;
    }

    /** Sets all bytes to zero. */
    public Native clear() {
        for (int i = 0; i < buffer.capacity(); i++) {
            buffer.put(i, (byte) 0);
        }
        return this;
    }

    /** Reads 4 bytes. */
    public int getInt(int offset) {
        return buffer.getInt(offset);
    }

    /** Writes 4 bytes. */
    public Native putInt(int offset, int value) {
        buffer.putInt(offset, value);
        return this;
    }

    /** Reads 8 bytes. */
    public long getLong(int offset) {
        return buffer.getLong(offset);
    }

    /** Writes 8 bytes. */
    public Native putLong(int offset, long value) {
        buffer.putLong(offset, value);
        return this;
    }

    /** Reads a byte as an unsigned number. */
    public int getByte(int offset) {
        return buffer.get(offset) & 0xff;
    }

    /** Writes a byte. */
    public Native putByte(int offset, int value) {
        buffer.put(offset, (byte) value);
        return this;
    }

    /** Reads 2 bytes as an unsigned number. */
    public int getShort(int offset) {
        return buffer.getShort(offset) & 0xffff;
    }

    /** Writes 2 bytes. */
    public Native putShort(int offset, int value) {
        buffer.putShort(offset, (short) value);
        return this;
    }

    /** Reads bytes. */
    public byte[] getBytes(int offset, int length) {
        byte[] bytes = new byte[length];
        buffer.get(offset, bytes);
        return bytes;
    }

    /** Writes bytes. */
    public Native putBytes(int offset, byte[] bytes) {
        buffer.put(offset, bytes);
        return this;
    }
}
