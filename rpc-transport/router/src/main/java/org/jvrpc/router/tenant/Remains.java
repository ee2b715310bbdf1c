package org.jvrpc.router.tenant;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jvrpc.router.QuotaKind;

/**
 * Slabs of a device that the router maps no longer for anybody, but that the tenant may have mapped: they are on its
 * quota until their memory is gone. The tenant returns it, or the router when the device has left and its process is
 * dead. Files are looked at by the thread of the tenant's files alone, see {@link Slowly}; slabs are added by any.
 */
final class Remains {

    private final OwnerLock lock;
    private final Queue<TenantSlab> added = new ConcurrentLinkedQueue<>();
    private final List<TenantSlab> slabs = new ArrayList<>();
    private volatile boolean left;

    /** @param lock of the device's process, which ends with this */
    Remains(OwnerLock lock) {
        this.lock = lock;
    }

    /** Adds a slab that was given up. */
    void add(TenantSlab slab) {
        added.add(slab);
    }

    /** Adds all that the device had: it has left, and nothing is added any more. */
    void leave(Collection<TenantSlab> all) {
        added.addAll(all);
        left = true;
    }

    /** Gives back what is free now. */
    void reclaim(Quotas quotas) {
        take();
        if (left && !slabs.isEmpty() && lock.isFree()) {
            slabs.forEach(TenantSlab::empty);
        }
        slabs.removeIf(slab -> {
            if (!slab.isEmpty()) {
                return false;
            }
            slab.close();
            quotas.give(QuotaKind.BYTES, slab.slab().length());
            quotas.give(QuotaKind.SLABS, 1);
            return true;
        });
    }

    private void take() {
        for (TenantSlab slab = added.poll(); slab != null; slab = added.poll()) {
            slabs.add(slab);
        }
    }

    /** Tells whether everything was given back that was added. */
    boolean isEmpty() {
        return added.isEmpty() && slabs.isEmpty();
    }

    /** Tells whether nothing is left of it, and nothing comes any more. */
    boolean isOver() {
        return left && isEmpty(); // in this order, as a device that leaves adds something first
    }

    /** Lets go of what is left. Idempotent. */
    void close() {
        take();
        slabs.forEach(TenantSlab::close);
        slabs.clear();
        lock.close();
    }
}
