package org.jvrpc.fabric.host;

import java.nio.ByteBuffer;
import org.jvrpc.roce.rc.RemoteMemory;

/** The registered memory of a host, under one rkey, with all rights. Without payloads it has a size and no bytes. */
public final class HostMemory implements RemoteMemory {

    /** The key of all memory of all hosts. */
    public static final int RKEY = 0x1234;

    private final Nic nic;
    private final long size;
    private final ByteBuffer bytes;

    HostMemory(Nic nic, long size, boolean payloads) {
        this.nic = nic;
        this.size = size;
        bytes = payloads ? ByteBuffer.allocate((int) size) : null;
    }

    /** Returns its bytes, null without payloads. */
    public ByteBuffer bytes() {
        return bytes;
    }

    @Override
    public boolean allows(int rkey, long address, long length, int access) {
        return rkey == RKEY && isInside(address, length);
    }

    private boolean isInside(long address, long length) {
        return address >= 0 && length >= 0 && address <= size - length;
    }

    @Override
    public boolean write(int rkey, long address, ByteBuffer packet, int at, int length) {
        return rkey == RKEY && store(address, packet, at, length);
    }

    /** Stores what came; false when it is outside. */
    boolean store(long address, ByteBuffer packet, int at, int length) {
        if (!isInside(address, length)) {
            return false;
        }
        nic.translate(address, length);
        if (bytes != null) {
            bytes.put((int) address, packet, at, length);
        }
        return true;
    }

    @Override
    public boolean read(int rkey, long address, ByteBuffer packet, int at, int length) {
        return rkey == RKEY && load(address, packet, at, length);
    }

    /** Copies what is to leave; false when it is outside. */
    boolean load(long address, ByteBuffer packet, int at, int length) {
        if (!isInside(address, length)) {
            return false;
        }
        if (bytes != null) {
            packet.put(at, bytes, (int) address, length);
        }
        return true;
    }

    @Override
    public long compareAndSwap(int rkey, long address, long compare, long swap) {
        nic.translate(address, Long.BYTES);
        if (bytes == null) {
            return compare;
        }
        long found = bytes.getLong((int) address);
        if (found == compare) {
            bytes.putLong((int) address, swap);
        }
        return found;
    }

    @Override
    public long fetchAndAdd(int rkey, long address, long add) {
        nic.translate(address, Long.BYTES);
        if (bytes == null) {
            return 0;
        }
        long found = bytes.getLong((int) address);
        bytes.putLong((int) address, found + add);
        return found;
    }

    @Override
    public boolean invalidate(int rkey) {
        return false;
    }
}
