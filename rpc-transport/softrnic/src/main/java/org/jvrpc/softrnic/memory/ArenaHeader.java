package org.jvrpc.softrnic.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import org.jvrpc.verbs.VerbsException;

/**
 * Layout of the first bytes of slab 0, where the table of memory regions has two entries that are never used.
 * Little-endian.
 *
 * <pre>
 *  0 zero (the entry is free) | 8 magic:32 | 12 layout version:32 | 16 … 63 addresses of the table's pages 1 to 6:64
 * 64 zero (the entry is free) | 80 address of the table of datagram QPs:64
 * </pre>
 * An address is 0 while there is no such thing, is written with release when there is, and stays. The version goes up
 * when anything that peers read or write in an arena changes its place or meaning.
 */
public final class ArenaHeader {

    public static final int VERSION = 4;
    /** Bytes of all that lies here in slab 0. */
    public static final long BYTES = RegionEntry.TABLE_BYTES;
    private static final int MAGIC = 0x41524a31;
    private static final int MAGIC_AT = 8;
    private static final int VERSION_AT = 12;
    private static final int PAGES_AT = 16;
    private static final int DATAGRAMS_AT = RegionEntry.BYTES + 16;
    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private ArenaHeader() {
    }

    public static void write(ByteBuffer slab, int version) {
        INT.set(slab, VERSION_AT, version);
        INT.setRelease(slab, MAGIC_AT, MAGIC);
    }

    /** Says where a page of the table of memory regions is, but the first, which is here. */
    static void enterPage(ByteBuffer slab, int page, long address) {
        LONG.setRelease(slab, PAGES_AT + 8 * (page - 1), address);
    }

    /** Returns where a page of the table of memory regions is, but the first; 0 for nowhere. */
    static long page(ByteBuffer slab, int page) {
        return (long) LONG.getAcquire(slab, PAGES_AT + 8 * (page - 1));
    }

    /** Says where the table of datagram QPs is. */
    public static void enterDatagrams(ByteBuffer slab, long address) {
        LONG.setRelease(slab, DATAGRAMS_AT, address);
    }

    /** Returns where the table of datagram QPs is; 0 for nowhere. */
    public static long datagrams(ByteBuffer slab) {
        return (long) LONG.getAcquire(slab, DATAGRAMS_AT);
    }

    /** @throws VerbsException when a peer's slab 0 does not begin the arena of a device of this layout */
    public static void check(Slab slab, Path folder) {
        requireBytes(slab, VERSION_AT + Integer.BYTES, folder);
        ByteBuffer memory = slab.window(slab.base());
        int magic = (int) INT.getAcquire(memory, MAGIC_AT);
        int version = (int) INT.get(memory, VERSION_AT);
        if (magic != MAGIC || version != VERSION) {
            throw new VerbsException("modify_qp", "arena of folder=" + folder + " has layout version="
                    + (magic == MAGIC ? version : 0) + ", this side knows version=" + VERSION);
        }
        requireBytes(slab, BYTES, folder);
    }

    private static void requireBytes(Slab slab, long bytes, Path folder) {
        if (slab.length() < bytes) {
            throw new VerbsException("modify_qp", "arena is too short: folder=" + folder + " bytes=" + slab.length());
        }
    }
}
