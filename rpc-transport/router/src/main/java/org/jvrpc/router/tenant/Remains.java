package org.jvrpc.router.tenant;

import java.util.ArrayList;
import java.util.List;
import org.jvrpc.router.QuotaKind;

/**
 * Slabs that the router maps no longer for anybody, but that the tenant may have mapped: they are on its quota until
 * their memory is gone. The tenant returns it, or the router when the device's process is dead. The
 * thread of its tenant's files, see {@link Slowly}.
 */
final class Remains {

    private final List<TenantSlab> slabs;
    /** Null while the device lives. */
    private final OwnerLock lock;

    Remains(List<TenantSlab> slabs, OwnerLock lock) {
        this.slabs = new ArrayList<>(slabs);
        this.lock = lock;
    }

    /** Gives back what is free now; returns true when nothing is left. */
    boolean reclaim(Quotas quotas) {
        if (lock != null && !slabs.isEmpty() && lock.isFree()) {
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
        if (slabs.isEmpty() && lock != null) {
            lock.close();
        }
        return slabs.isEmpty();
    }

    void close() {
        slabs.forEach(TenantSlab::close);
        slabs.clear();
        if (lock != null) {
            lock.close();
        }
    }
}
