package org.jvrpc.router.tenant;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import org.jvrpc.router.TenantId;
import org.jvrpc.router.audit.SparseLog;

/**
 * The lock that a device's process holds while it lives, byte 0 of the folder's file {@code lock}. Nobody waits for it:
 * a tenant that holds it for ever keeps its own quota used. One thread at a time.
 */
final class OwnerLock {

    private static final SparseLog LOG = SparseLog.of(OwnerLock.class);

    private final TenantId tenant;
    private final FileChannel channel;
    /** Seen held by this very process, which would lose it if it closed the file. */
    private boolean ours;

    OwnerLock(TenantId tenant, FileChannel channel) {
        this.tenant = tenant;
        this.channel = channel;
    }

    /** Returns true when the device's process is dead, or has let go of the device. */
    boolean isFree() {
        try (FileLock lock = channel.tryLock(0, 1, false)) {
            ours = false;
            return lock != null;
        } catch (OverlappingFileLockException e) {
            ours = true;
            return false;
        } catch (IOException e) {
            LOG.warn(tenant, "tenant={} cannot look at the lock of a device: {}", tenant, e.toString());
            return false;
        }
    }

    void close() {
        if (!channel.isOpen()) {
            return;
        }
        try {
            if (!isFree() && ours) {
                return; // in tests: tenant and router are one process
            }
            channel.close();
        } catch (IOException e) {
            LOG.warn(tenant, "tenant={} closing the lock of a device: {}", tenant, e.toString());
        }
    }
}
