package org.jvrpc.softrnic;

import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.VerbsException;

/** A memory region of the software RNIC. Any thread. */
final class SoftMemoryRegion implements MemoryRegion {

    private final SoftProtectionDomain domain;
    private final RegionTable table;
    private final int key;
    private final int access;
    private final Slab slab;
    private final long address;
    private final long length;
    private final Arena.Block block;
    private final ByteBuffer window;
    private final boolean shared;
    /** Other domains whose peers may know the memory. */
    private final Set<Quarantine> sharers = new HashSet<>();
    private boolean exported;
    private volatile boolean closed;

    /**
     * @param block what is freed when the region ends; null for memory that is somebody else's
     * @param shared false for memory outside the arena, which peers cannot reach
     */
    SoftMemoryRegion(
            SoftProtectionDomain domain,
            RegionTable table,
            int access,
            Slab slab,
            long address,
            long length,
            Arena.Block block,
            boolean shared) {
        this.shared = shared;
        this.domain = domain;
        this.table = table;
        this.key = table.claim();
        this.access = access;
        this.slab = slab;
        this.address = address;
        this.length = length;
        this.block = block;
        this.window = length <= Slab.untilWindowEnd(address) ? slab.window(address) : null;
    }

    /** Returns the table that has the keys. */
    RegionTable table() {
        return table;
    }

    /** Returns the one window that holds all of the region, or null when it takes several. */
    ByteBuffer window() {
        return window;
    }

    boolean isShared() {
        return shared;
    }

    boolean isOf(SoftDevice device) {
        return domain.device() == device;
    }

    int pd() {
        return domain.number();
    }

    Slab slab() {
        return slab;
    }

    /** Returns true when so many bytes from an address on lie in the region; no overflow fools it. */
    boolean contains(long from, long bytes) {
        long offset = from - address;
        return offset >= 0 && bytes >= 0 && offset <= length && bytes <= length - offset;
    }

    @Override
    public long address() {
        return address;
    }

    @Override
    public long length() {
        return length;
    }

    @Override
    public int lkey() {
        return key;
    }

    @Override
    public int rkey() {
        return key;
    }

    @Override
    public int access() {
        return access;
    }

    @Override
    public ByteBuffer buffer(long offset, int bytes) {
        return slab.view(address, length, offset, bytes);
    }

    @Override
    public byte[] export() {
        if (!shared) {
            throw new VerbsException("export", "memory outside the device's arena cannot be reached by other"
                    + " processes: address=0x" + Long.toHexString(address) + " length=" + length);
        }
        if (closed) {
            throw new VerbsException("export", "the region is closed: address=0x" + Long.toHexString(address));
        }
        synchronized (this) {
            exported = true;
        }
        return new ExportedRegion(domain.device().name(), address, length, access).encode();
    }

    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        domain.remove(this);
        if (block != null) {
            giveBack();
        }
    }

    /** Notes that peers of another domain get to know the memory. */
    synchronized void share(Quarantine other) {
        sharers.add(other);
    }

    private synchronized void giveBack() {
        if (exported) {
            block.abandon(); // whoever attached to it writes by its own CPU
        } else if (!sharers.isEmpty() || domain.mayBeWritten(this, block)) {
            sharers.add(domain.quarantine());
            Quarantine.free(block, sharers);
        } else {
            block.free();
        }
    }
}
