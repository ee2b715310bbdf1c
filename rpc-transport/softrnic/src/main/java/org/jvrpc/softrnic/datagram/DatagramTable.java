package org.jvrpc.softrnic.datagram;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jvrpc.softrnic.memory.AddressSpace;
import org.jvrpc.softrnic.memory.ArenaHeader;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.verbs.VerbsException;

/**
 * The UD QPs of a device that take messages: where senders of all processes find them by number. Lies in slab 0, behind
 * the table of memory regions. Little-endian.
 *
 * <pre>
 * 0 qpn:32 (0 when free) | 4 zero | 8 address of the QP's context:64
 * </pre>
 * The number is written last with release and read first with acquire. Changed by the owner of the device, any thread;
 * read by any.
 */
public final class DatagramTable {

    private static final int ENTRY = 16;
    private static final long BYTES = ArenaHeader.DATAGRAM_TABLE_BYTES;
    static final int COUNT = (int) (BYTES / ENTRY);
    /** Where every device has it. */
    public static final long ADDRESS = ArenaHeader.DATAGRAM_TABLE;

    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final ByteBuffer memory;
    private final int start = Slab.index(ADDRESS);

    /** @throws VerbsException when the device cannot be reached */
    public DatagramTable(AddressSpace space) {
        this.memory = space.require(ADDRESS, BYTES, "table of datagram QPs").window(ADDRESS);
    }

    /** Enters a QP. @throws VerbsException when the table is full */
    public synchronized void add(int qpn, long address) {
        for (int at = start; at < start + BYTES; at += ENTRY) {
            if ((int) INT.get(memory, at) == 0) {
                LONG.set(memory, at + 8, address);
                INT.setRelease(memory, at, qpn);
                return;
            }
        }
        throw new VerbsException("modify_qp", "too many datagram QPs on a device, limit=" + COUNT);
    }

    public synchronized void remove(int qpn) {
        for (int at = start; at < start + BYTES; at += ENTRY) {
            if ((int) INT.get(memory, at) == qpn) {
                INT.setVolatile(memory, at, 0);
            }
        }
    }

    /** Returns the address of a QP's context, 0 when there is none. */
    long find(int qpn) {
        for (int at = start; at < start + BYTES; at += ENTRY) {
            if ((int) INT.getAcquire(memory, at) == qpn) {
                return (long) LONG.get(memory, at + 8);
            }
        }
        return 0;
    }
}
