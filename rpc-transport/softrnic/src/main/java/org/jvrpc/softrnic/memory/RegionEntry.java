package org.jvrpc.softrnic.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;

/**
 * Layout of an entry of the table of memory regions. Little-endian.
 *
 * <pre>
 * 0 key:32 (0 when free) | 4 access:32 | 8 pd:32 | 12 zero | 16 address:64 | 24 length:64 | 32 … 63 zero
 * </pre>
 * A key is {@code index << 8 | variant}; the variant changes each time the entry is used again. The key is written last
 * with release and read first with acquire, so that who sees it sees the rest, and read once more at the end: an entry
 * that went to another region meanwhile has another key by then.
 *
 * <p>The table has pages, the first of which begins slab 0; each other has as many entries as all before it, is made
 * when those are not enough, and stays where it is: {@link ArenaHeader} says where.
 */
public final class RegionEntry {

    static final int BYTES = 64;
    /** Entries of the table; entry 0 is never used, so that no key is 0, and entry 1, because of the end marker. */
    static final int COUNT = 4096;
    static final int FIRST = 2;
    /** Entries of the first page. */
    static final int FIRST_PAGE = 64;
    private static final int FIRST_PAGE_BITS = 6;
    static final int PAGES = 7;
    /** Bytes of the first page. */
    public static final long TABLE_BYTES = FIRST_PAGE * BYTES;

    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int ACCESS = 4;
    private static final int PD = 8;
    private static final int ADDRESS = 16;
    private static final int LENGTH = 24;

    private RegionEntry() {
    }

    /** Returns the page of a key's entry. */
    static int page(int key) {
        return Math.max(0, Integer.SIZE - FIRST_PAGE_BITS - Integer.numberOfLeadingZeros(key >>> 8));
    }

    /** Returns the offset of a key's entry in its page, or -1 when the key has none. */
    public static int offset(int key) {
        int index = key >>> 8;
        return index >= COUNT ? -1 : (index < FIRST_PAGE ? index : index - Integer.highestOneBit(index)) * BYTES;
    }

    /** Returns how many entries there are with all pages up to this one. */
    static int countUpTo(int page) {
        return FIRST_PAGE << page;
    }

    /** Returns the bytes of a page. */
    static long pageBytes(int page) {
        return (long) BYTES * FIRST_PAGE << Math.max(0, page - 1);
    }

    public static void publish(ByteBuffer table, int at, int key, int access, int pd, long address, long length) {
        INT.set(table, at + ACCESS, access);
        INT.set(table, at + PD, pd);
        LONG.set(table, at + ADDRESS, address);
        LONG.set(table, at + LENGTH, length);
        INT.setRelease(table, at, key);
    }

    static void retract(ByteBuffer table, int at) {
        INT.setVolatile(table, at, 0);
    }

    static int key(ByteBuffer table, int at) {
        return (int) INT.getAcquire(table, at);
    }

    /** Returns a view of an entry's key: it takes fewer checks to read. */
    static IntBuffer keyView(ByteBuffer table, int at) {
        return table.slice(at, Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN).asIntBuffer();
    }

    /** Returns whether the key of a view is this one, as {@link #key}. */
    static boolean has(IntBuffer view, int key) {
        boolean has = view.get(0) == key;
        VarHandle.acquireFence();
        return has;
    }

    /** Returns true when the entry is still this key's: what was read of it before belongs together. */
    static boolean isStill(ByteBuffer table, int at, int key) {
        VarHandle.loadLoadFence(); // pairs with retract(), which comes before the fields are written anew
        return (int) INT.get(table, at) == key;
    }

    static int access(ByteBuffer table, int at) {
        return (int) INT.get(table, at + ACCESS);
    }

    static int pd(ByteBuffer table, int at) {
        return (int) INT.get(table, at + PD);
    }

    static long address(ByteBuffer table, int at) {
        return (long) LONG.get(table, at + ADDRESS);
    }

    static long length(ByteBuffer table, int at) {
        return (long) LONG.get(table, at + LENGTH);
    }
}
