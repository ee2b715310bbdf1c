package org.jvrpc.router.engine;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jvrpc.router.Shares;
import org.jvrpc.router.TenantId;

/** The tenants that have devices, each with a number of its own in the worker's shares. The worker's thread. */
final class Tenants {

    private final Shares shares;
    private final Map<TenantId, Tenant> all = new HashMap<>();
    private final List<Tenant> slots = new ArrayList<>();

    Tenants(Shares shares) {
        this.shares = shares;
    }

    /** Returns a tenant for another device of its. */
    Tenant use(TenantId id) {
        Tenant tenant = all.computeIfAbsent(id, this::begin);
        tenant.count(1);
        return tenant;
    }

    private Tenant begin(TenantId id) {
        int slot = slots.indexOf(null);
        if (slot < 0) {
            slot = slots.size();
            slots.add(null);
        }
        Tenant tenant = new Tenant(id, slot);
        slots.set(slot, tenant);
        shares.begin(slot, id);
        return tenant;
    }

    /** A device of a tenant has ended; returns true when it was the last one, and the tenant is gone. */
    boolean leave(Tenant tenant) {
        if (tenant.count(-1) > 0) {
            return false;
        }
        all.remove(tenant.id());
        slots.set(tenant.slot(), null);
        shares.end(tenant.slot());
        return true;
    }

    /**
     * Has everything looked at: an error came between two turns, and what was taken from a list at that moment is in
     * none, so that nobody would ever look at it again.
     */
    void relist(Collection<TenantDevice> devices, List<Tenant> throttled) {
        for (Tenant tenant : all.values()) {
            tenant.queue().clear();
            shares.idle(tenant.slot());
            if (tenant.isThrottled() && !throttled.contains(tenant)) {
                throttled.add(tenant);
            }
        }
        devices.forEach(TenantDevice::relist);
    }

    Tenant at(int slot) {
        return slots.get(slot);
    }
}
