package org.jvrpc.router.tenant;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jvrpc.router.Quota;
import org.jvrpc.router.QuotaKind;
import org.jvrpc.router.RefusedException;
import org.jvrpc.router.TenantId;

/** A tenant of this host: its folder, what it has, and the memory that it has given up but not returned. Any thread. */
final class Tenant implements AutoCloseable {

    private final TenantFolder folder;
    private final Quotas quotas;
    private final List<Device> devices = new ArrayList<>();
    private final List<Remains> remains = new ArrayList<>();

    Tenant(TenantFolder folder, Quota quota) {
        this.folder = folder;
        this.quotas = new Quotas(folder.tenant(), quota);
    }

    TenantId id() {
        return folder.tenant();
    }

    TenantFolder folder() {
        return folder;
    }

    Quotas quotas() {
        return quotas;
    }

    /** Takes of a quota; what was given up is looked at before it is refused. */
    void take(QuotaKind kind, long count) {
        try {
            quotas.take(kind, count);
        } catch (RefusedException e) {
            if (kind != QuotaKind.BYTES && kind != QuotaKind.SLABS) {
                throw e;
            }
            reclaim();
            quotas.take(kind, count);
        }
    }

    synchronized void add(Device device) {
        devices.add(device);
    }

    synchronized void remove(Device device) {
        devices.remove(device);
    }

    synchronized int devices() {
        return devices.size();
    }

    /** Keeps slabs on the tenant's quota until their memory has been returned. */
    synchronized void keep(Remains left) {
        remains.add(left);
        reclaim();
    }

    /** Looks at what was given up. */
    synchronized void reclaim() {
        for (Iterator<Remains> all = remains.iterator(); all.hasNext();) {
            if (all.next().reclaim(quotas)) {
                all.remove();
            }
        }
    }

    /** The router goes: files that living processes have mapped stay as they are. */
    @Override
    public synchronized void close() {
        List.copyOf(devices).forEach(Device::leave);
        remains.forEach(Remains::close);
        remains.clear();
        folder.close();
    }
}
