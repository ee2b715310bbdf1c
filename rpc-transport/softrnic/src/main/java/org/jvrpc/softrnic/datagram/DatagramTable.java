package org.jvrpc.softrnic.datagram;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.LongUnaryOperator;
import org.jvrpc.softrnic.memory.AddressSpace;
import org.jvrpc.softrnic.memory.ArenaHeader;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.verbs.VerbsException;

/**
 * The UD QPs of a device that take messages: where senders of all processes find them by number. A device has the table
 * from its first such QP on, where {@link ArenaHeader} says. Little-endian.
 *
 * <pre>
 * 0 qpn:32 (0 when free) | 4 zero | 8 address of the QP's context:64
 * </pre>
 * The number is written last with release and read first with acquire. Changed by the owner of the device, any thread;
 * read by any.
 */
public final class DatagramTable {

    private static final int ENTRY = 16;
    static final int COUNT = 1024;
    /** Bytes of the table. */
    public static final long BYTES = COUNT * ENTRY;

    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final AddressSpace space;
    private final LongUnaryOperator memory;
    private final ByteBuffer header;
    /** Null until it is found; any thread may see null for longer. */
    private Place place;

    /** Where the table is. */
    private record Place(ByteBuffer memory, int start) {

        int end() {
            return start + (int) BYTES;
        }
    }

    /** That of another device, perhaps. @throws VerbsException when the device cannot be reached */
    public DatagramTable(AddressSpace space) {
        this(space, null);
    }

    /** That of the device itself. @param memory allocates zeroed bytes in one window, and says where */
    public DatagramTable(AddressSpace space, LongUnaryOperator memory) {
        long address = Slab.baseOf(0);
        this.space = space;
        this.memory = memory;
        this.header = space.require(address, ArenaHeader.BYTES, "header of the arena").window(address);
    }

    /** Returns where it is, or null. The address is the peer's word: it may name any of the peer's memory. */
    private Place place() {
        Place known = place;
        if (known == null && memory == null) { // the owner goes by what it entered itself
            long address = ArenaHeader.datagrams(header);
            Slab slab = space.find(address, BYTES);
            if (slab == null || (address & ENTRY - 1) != 0 || !slab.containsInWindow(address, BYTES)) {
                return null;
            }
            known = new Place(slab.window(address), Slab.index(address));
            place = known;
        }
        return known;
    }

    /** The owner's. */
    private Place placeOrNew() {
        Place known = place;
        if (known == null) {
            long address = memory.applyAsLong(BYTES);
            Slab slab = space.require(address, BYTES, "table of datagram queue pairs");
            known = new Place(slab.window(address), Slab.index(address));
            ArenaHeader.enterDatagrams(header, address);
            place = known;
        }
        return known;
    }

    /** Enters a QP. @throws VerbsException when the table is full, or there is no memory for it */
    public synchronized void add(int qpn, long address) {
        Place place = placeOrNew();
        ByteBuffer memory = place.memory();
        for (int at = place.start(); at < place.end(); at += ENTRY) {
            if ((int) INT.get(memory, at) == 0) {
                LONG.set(memory, at + 8, address);
                INT.setRelease(memory, at, qpn);
                return;
            }
        }
        throw new VerbsException("modify_qp", "too many datagram QPs on a device, limit=" + COUNT);
    }

    /** The owner. */
    public synchronized void remove(int qpn) {
        Place place = this.place;
        if (place == null) {
            return; // there was never one
        }
        ByteBuffer memory = place.memory();
        for (int at = place.start(); at < place.end(); at += ENTRY) {
            if ((int) INT.get(memory, at) == qpn) {
                INT.setVolatile(memory, at, 0);
            }
        }
    }

    /** Returns the address of a QP's context, 0 when there is none. */
    long find(int qpn) {
        Place place = place();
        if (place == null) {
            return 0;
        }
        ByteBuffer memory = place.memory();
        for (int at = place.start(); at < place.end(); at += ENTRY) {
            if ((int) INT.getAcquire(memory, at) == qpn) {
                return (long) LONG.get(memory, at + 8);
            }
        }
        return 0;
    }
}
