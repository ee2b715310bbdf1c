package org.jvrpc.ibverbs.card;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jvrpc.ibverbs.binding.Native;

/** Memory as a card sees it: by address, big-endian, each field by a load or store of its own. */
final class ModelMemory {

    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private final ByteBuffer memory;
    private final long address;

    private ModelMemory(ByteBuffer memory, long address) {
        this.memory = memory;
        this.address = address;
    }

    /** Allocates whole pages of zeros. */
    static ModelMemory pages(int bytes) {
        ByteBuffer memory = ByteBuffer.allocateDirect(bytes + 8192).alignedSlice(4096).slice(0, bytes + 4095 & -4096);
        return new ModelMemory(memory, Native.addressOf(memory));
    }

    /** Sees memory of somebody else's. */
    static ModelMemory at(long address, int bytes) {
        return new ModelMemory(Native.view(address, bytes), address);
    }

    long address() {
        return address;
    }

    int bytes() {
        return memory.capacity();
    }

    int getByte(int offset) {
        return memory.get(offset) & 0xff;
    }

    int getShort(int offset) {
        return getByte(offset) << 8 | getByte(offset + 1);
    }

    int getInt(int offset) {
        return (int) INT.getAcquire(memory, offset);
    }

    long getLong(int offset) {
        return (long) LONG.getAcquire(memory, offset);
    }

    /** Takes what was stored and leaves 0, as a register does. */
    long take(int offset) {
        return (long) LONG.getAndSet(memory, offset, 0L);
    }

    ModelMemory putByte(int offset, int value) {
        memory.put(offset, (byte) value);
        return this;
    }

    ModelMemory putShort(int offset, int value) {
        return putByte(offset, value >> 8).putByte(offset + 1, value);
    }

    ModelMemory putInt(int offset, int value) {
        INT.setRelease(memory, offset, value);
        return this;
    }

    ModelMemory putLong(int offset, long value) {
        LONG.setRelease(memory, offset, value);
        return this;
    }

    byte[] get(int offset, int length) {
        byte[] bytes = new byte[length];
        memory.get(offset, bytes);
        return bytes;
    }

    ModelMemory put(int offset, byte[] bytes, int from, int length) {
        memory.put(offset, bytes, from, length);
        return this;
    }
}
