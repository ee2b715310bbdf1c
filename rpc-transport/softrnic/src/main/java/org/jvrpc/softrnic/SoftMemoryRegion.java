package org.jvrpc.softrnic;

import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;
import org.jvrpc.softrnic.memory.Arena;
import org.jvrpc.softrnic.memory.LocalRegion;
import org.jvrpc.softrnic.memory.Quarantine;
import org.jvrpc.softrnic.memory.RegionTable;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.softrnic.shm.folder.ExportedRegion;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.VerbsException;

/** A memory region of the software RNIC. Any thread. */
final class SoftMemoryRegion implements MemoryRegion {

    private final SoftProtectionDomain domain;
    private final RegionTable table;
    private final LocalRegion local;
    private final Arena.Block block;
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
        this(domain, table, new LocalRegion(table.claim(), domain.number(), access, slab, address, length, shared),
                block);
    }

    private SoftMemoryRegion(SoftProtectionDomain domain, RegionTable table, LocalRegion local, Arena.Block block) {
        this.domain = domain;
        this.table = table;
        this.local = local;
        this.block = block;
        try {
            domain.device().ports().made(local, domain.number());
        } catch (RuntimeException | Error e) {
            table.retract(local);
            throw e;
        }
    }

    /**
     * A region of memory that the device reaches by copies.
     *
     * @param staging memory of the same addresses
     * @param block what is freed when the region ends; null for memory that is somebody else's
     */
    static SoftMemoryRegion staged(SoftProtectionDomain domain, int access, Slab slab, long address, long length,
            Slab staging, Arena.Block block) {
        RegionTable table = domain.device().regions();
        return new SoftMemoryRegion(domain, table, new LocalRegion(table.claim(), domain.number(), access, slab,
                address, length, false, staging), block);
    }

    /** Returns the table that has the keys. */
    RegionTable table() {
        return table;
    }

    /** Returns the region as the table has it. */
    LocalRegion local() {
        return local;
    }

    boolean isOf(SoftDevice device) {
        return domain.device() == device;
    }

    @Override
    public long address() {
        return local.address();
    }

    @Override
    public long length() {
        return local.length();
    }

    @Override
    public int lkey() {
        return local.key();
    }

    @Override
    public int rkey() {
        return domain.device().ports().remoteKey(local.key());
    }

    @Override
    public int access() {
        return local.access();
    }

    @Override
    public ByteBuffer buffer(long offset, int bytes) {
        return local.slab().view(local.address(), local.length(), offset, bytes);
    }

    @Override
    public byte[] export() {
        if (!local.isShared()) {
            throw new VerbsException("export", "memory outside the device's arena cannot be reached by other"
                    + " processes: address=0x" + Long.toHexString(address()) + " length=" + length());
        }
        if (closed) {
            throw new VerbsException("export", "the region is closed: address=0x" + Long.toHexString(address()));
        }
        synchronized (this) {
            exported = true;
        }
        return new ExportedRegion(domain.device().name(), address(), length(), access()).encode();
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
        domain.device().ports().quiesce();
        domain.device().ports().gone(local);
        if (block != null) {
            giveBack();
            domain.device().ports().freed();
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
