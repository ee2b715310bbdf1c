package org.jvrpc.offload.table;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jvrpc.verbs.MemoryRegion;

/**
 * Keys side by side, in which a program finds one, {@link #SEARCHED} at a time. A key is the first 8 bytes of the ADD
 * that counts on when it is not the one; big-endian.
 *
 * <pre>
 * key 47…24:24 | opcode, fetch-and-add:8 | key 23…0:24 | ds, 4:8
 * </pre>
 * Behind the last key there is key 0, which keys are not, up to a multiple of {@link #SEARCHED}. An {@link IndexHeader}
 * tells where they are, and how many. One thread writes; {@link #attach} looks at one of another process.
 */
public final class KeyArray {

    /** Keys that a program looks at with one request. */
    public static final int SEARCHED = 8;
    /** Bytes of a key. */
    public static final int KEY_BYTES = 8;
    /** The key that is none. */
    public static final long NO_KEY = 0;

    private static final long ADD = 0x12L << 32 | 4;
    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private final MemoryRegion region;
    private final ByteBuffer memory;
    private final int keys;
    private final int capacity;
    private int count;

    private KeyArray(MemoryRegion region, int keys, int capacity) {
        this.region = region;
        this.memory = region.buffer(0, Math.toIntExact(region.length()));
        this.keys = keys;
        this.capacity = capacity;
    }

    /** Returns how many bytes so many keys take, with the header. */
    public static int bytes(int capacity) {
        return IndexHeader.BYTES + roundedUp(capacity) * KEY_BYTES;
    }

    private static int roundedUp(int capacity) {
        return (capacity + SEARCHED - 1) / SEARCHED * SEARCHED;
    }

    /**
     * Makes an empty array.
     *
     * @param header offset of its header in the region, a multiple of 32; the keys lie behind it
     */
    public static KeyArray create(MemoryRegion region, int header, int capacity) {
        if (header < 0 || header % IndexHeader.BYTES != 0 || capacity < 1
                || bytes(capacity) > region.length() - header) {
            throw new IllegalArgumentException("no room for an array: header=" + header + " capacity=" + capacity
                    + " needs=" + bytes(capacity) + " region=" + region.length());
        }
        KeyArray array = new KeyArray(region, header + IndexHeader.BYTES, roundedUp(capacity));
        for (int i = 0; i < array.capacity; i++) {
            LONG.set(array.memory, array.keys + i * KEY_BYTES, image(NO_KEY));
        }
        IndexHeader.publish(array.memory, header, region.address() + array.keys, array.capacity);
        return array;
    }

    /** Takes up an array that another process, or an earlier one, has made. */
    public static KeyArray attach(MemoryRegion region, int header) {
        ByteBuffer memory = region.buffer(0, Math.toIntExact(region.length()));
        long keys = IndexHeader.liveAddress(memory, header) - region.address();
        long capacity = IndexHeader.liveCount(memory, header);
        if (keys < 0 || capacity < 0 || capacity > (region.length() - keys) / KEY_BYTES) {
            throw new IllegalArgumentException("no array at header=" + header + ": keys=" + keys + " capacity="
                    + capacity);
        }
        KeyArray array = new KeyArray(region, (int) keys, (int) capacity);
        while (array.count < array.capacity && array.key(array.count) != NO_KEY) {
            array.count++;
        }
        return array;
    }

    /** Returns the image of a key. */
    public static long image(long key) {
        return Bucket.image(key) & ~(0xffL << 32 | 0xff) | ADD;
    }

    /** Returns how many keys there are. */
    public int size() {
        return count;
    }

    /** Returns a key; acquire. */
    public long key(int index) {
        return Bucket.key((long) LONG.getAcquire(memory, keys + index * KEY_BYTES));
    }

    /** Returns the address of a key, for a search that begins there: a multiple of {@link #SEARCHED}. */
    public long address(int index) {
        return region.address() + keys + index * KEY_BYTES;
    }

    /** Adds a key behind the last one; false when the array is full. */
    public boolean add(long key) {
        if (count == capacity) {
            return false;
        }
        count++;
        set(count - 1, key);
        return true;
    }

    /** Puts another key in the place of one, at once. */
    public void set(int index, long key) {
        if (index < 0 || index >= count || key == NO_KEY) {
            throw new IllegalArgumentException("index=" + index + " size=" + count + " key=" + key);
        }
        LONG.setRelease(memory, keys + index * KEY_BYTES, image(key));
    }
}
