package org.jvrpc.router.tenant;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.function.BooleanSupplier;
import org.jvrpc.router.TenantId;
import org.jvrpc.router.audit.SparseLog;
import org.jvrpc.softrnic.memory.Slab;

/**
 * A file of a tenant's that is mapped. Its channel stays open: by it the file is looked at whatever name it has. Any
 * thread.
 */
final class TenantSlab {

    private static final SparseLog LOG = SparseLog.of(TenantSlab.class);

    private final TenantId tenant;
    private final Slab slab;
    private final FileChannel channel;
    private final BooleanSupplier room;

    /** @param room false when its file can have no more memory, as its tenant's own file system is full */
    TenantSlab(TenantId tenant, Slab slab, FileChannel channel, BooleanSupplier room) {
        this.tenant = tenant;
        this.slab = slab;
        this.channel = channel;
        this.room = room;
    }

    Slab slab() {
        return slab;
    }

    /** Returns false when the file is shorter than what is mapped: who touches the rest gets an InternalError. */
    boolean isWhole() {
        try {
            return channel.size() >= slab.length();
        } catch (IOException e) {
            return !channel.isOpen(); // given up already, so nobody's memory
        }
    }

    boolean hasRoom() {
        return room.getAsBoolean();
    }

    /** Returns true when the file has no memory any more. */
    boolean isEmpty() {
        try {
            return channel.size() == 0;
        } catch (IOException e) {
            return true;
        }
    }

    /** Returns the memory to the system. Nobody may touch it any more. */
    void empty() {
        try {
            channel.truncate(0);
        } catch (IOException e) {
            LOG.warn(tenant, "tenant={} cannot empty a slab of bytes={}: {}", tenant, slab.length(), e.toString());
        }
    }

    void close() {
        try {
            channel.close();
        } catch (IOException e) {
            LOG.warn(tenant, "tenant={} closing a slab: {}", tenant, e.toString());
        }
    }
}
