package org.jvrpc.samples.kv.store;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jvrpc.verbs.MemoryRegion;

/**
 * The region by offsets, little-endian. Not final because tests cut an update off between two stores. One caller at a
 * time, as the store's lock sees to; peers read meanwhile.
 */
class Memory {

    /** The bits of an offset within a window: no view crosses a multiple of 1 GiB. */
    static final int WINDOW_BITS = 30;
    static final long WINDOW = 1L << WINDOW_BITS;

    private static final int MASK = (int) (WINDOW - 1);
    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final ByteBuffer[] windows;
    private final ByteBuffer[] views;
    private final long address;
    private final long length;

    Memory(MemoryRegion region) {
        address = region.address();
        length = region.length();
        int count = (int) (length + WINDOW - 1 >>> WINDOW_BITS);
        windows = new ByteBuffer[count];
        views = new ByteBuffer[count];
        for (int w = 0; w < count; w++) {
            long from = (long) w << WINDOW_BITS;
            windows[w] = region.buffer(from, (int) Math.min(WINDOW, length - from));
            views[w] = windows[w].duplicate().order(ByteOrder.LITTLE_ENDIAN);
        }
    }

    /** Returns the address of the region's first byte in the device's address space. */
    final long address() {
        return address;
    }

    final long length() {
        return length;
    }

    final long getLong(long offset) {
        return window(offset).getLong(at(offset));
    }

    final int getInt(long offset) {
        return window(offset).getInt(at(offset));
    }

    final int getShort(long offset) {
        return window(offset).getShort(at(offset)) & 0xffff;
    }

    final int getByte(long offset) {
        return window(offset).get(at(offset)) & 0xff;
    }

    void putLong(long offset, long value) {
        window(offset).putLong(at(offset), value);
    }

    void putInt(long offset, int value) {
        window(offset).putInt(at(offset), value);
    }

    void putShort(long offset, int value) {
        window(offset).putShort(at(offset), (short) value);
    }

    void putByte(long offset, int value) {
        window(offset).put(at(offset), (byte) value);
    }

    /**
     * Stores after everything before it, for readers that acquire it: peers, and who attaches after this process died.
     */
    void putLongRelease(long offset, long value) {
        LONG.setRelease(window(offset), at(offset), value);
    }

    void copyIn(long offset, ByteBuffer from, int fromOffset, int bytes) {
        window(offset).put(at(offset), from, fromOffset, bytes);
    }

    void copy(long from, long to, int bytes) {
        window(to).put(at(to), window(from), at(from), bytes);
    }

    final void copyOut(long offset, ByteBuffer to, int toOffset, int bytes) {
        to.put(toOffset, window(offset), at(offset), bytes);
    }

    /** Returns a view with position and limit set. It is lent: good until the next call for the same window. */
    final ByteBuffer view(long offset, int bytes) {
        int w = (int) (offset >>> WINDOW_BITS);
        return views[w].limit(at(offset) + bytes).position(at(offset));
    }

    final boolean equal(long offset, ByteBuffer other, int otherOffset, int bytes) {
        ByteBuffer mine = window(offset);
        int at = at(offset);
        int i = 0;
        if (other.order() == ByteOrder.LITTLE_ENDIAN) {
            for (; i <= bytes - Long.BYTES; i += Long.BYTES) {
                if (mine.getLong(at + i) != other.getLong(otherOffset + i)) {
                    return false;
                }
            }
        }
        for (; i < bytes; i++) {
            if (mine.get(at + i) != other.get(otherOffset + i)) {
                return false;
            }
        }
        return true;
    }

    private ByteBuffer window(long offset) {
        return windows[(int) (offset >>> WINDOW_BITS)];
    }

    private static int at(long offset) {
        return (int) offset & MASK;
    }
}
