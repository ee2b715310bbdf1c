package org.jvrpc.ibverbs.card;

import java.nio.ByteBuffer;
import org.jvrpc.ibverbs.binding.Native;

/** A C struct at an address, in native byte order. */
record ModelStruct(ByteBuffer memory) {

    ModelStruct(long address, int bytes) {
        this(Native.view(address, bytes));
    }

    int getInt(int offset) {
        return memory.getInt(offset);
    }

    long getLong(int offset) {
        return memory.getLong(offset);
    }

    int getByte(int offset) {
        return memory.get(offset) & 0xff;
    }

    byte[] getBytes(int offset, int length) {
        byte[] bytes = new byte[length];
        memory.get(offset, bytes);
        return bytes;
    }

    ModelStruct putByte(int offset, int value) {
        memory.put(offset, (byte) value);
        return this;
    }

    ModelStruct putInt(int offset, int value) {
        memory.putInt(offset, value);
        return this;
    }

    ModelStruct putLong(int offset, long value) {
        memory.putLong(offset, value);
        return this;
    }

    ModelStruct putBytes(int offset, byte[] value) {
        memory.put(offset, value);
        return this;
    }
}
