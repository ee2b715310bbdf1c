package org.jvrpc.softrnic.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import org.jvrpc.verbs.VerbsException;

/**
 * Layout of the first bytes of slab 0, where the table of memory regions has an entry that is never used.
 * Little-endian.
 *
 * <pre>
 * 0 zero (the entry is free) | 8 magic:32 | 12 layout version:32
 * </pre>
 * The table is followed by that of datagram QPs. The version goes up when anything that peers read or write in an arena
 * changes its place or meaning.
 */
public final class ArenaHeader {

    public static final int VERSION = 1;
    /** Where every device has the table of datagram QPs. */
    public static final long DATAGRAM_TABLE = Slab.baseOf(0) + RegionEntry.TABLE_BYTES;
    /** Bytes of the table of datagram QPs: 1024 entries of 16. */
    public static final long DATAGRAM_TABLE_BYTES = 1024 * 16;
    /** Bytes of all that lies here in slab 0. */
    public static final long BYTES = RegionEntry.TABLE_BYTES + DATAGRAM_TABLE_BYTES;
    private static final int MAGIC = 0x41524a31;
    private static final int MAGIC_AT = 8;
    private static final int VERSION_AT = 12;
    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private ArenaHeader() {
    }

    public static void write(ByteBuffer slab, int version) {
        INT.set(slab, VERSION_AT, version);
        INT.setRelease(slab, MAGIC_AT, MAGIC);
    }

    /** @throws VerbsException when a peer's slab 0 does not begin the arena of a device of this layout */
    public static void check(Slab slab, Path folder) {
        if (slab.length() < BYTES) {
            throw new VerbsException("modify_qp", "arena is too short: folder=" + folder + " bytes=" + slab.length());
        }
        ByteBuffer memory = slab.window(slab.base());
        int magic = (int) INT.getAcquire(memory, MAGIC_AT);
        int version = (int) INT.get(memory, VERSION_AT);
        if (magic != MAGIC || version != VERSION) {
            throw new VerbsException("modify_qp", "arena of folder=" + folder + " has layout version="
                    + (magic == MAGIC ? version : 0) + ", this side knows version=" + VERSION);
        }
    }
}
