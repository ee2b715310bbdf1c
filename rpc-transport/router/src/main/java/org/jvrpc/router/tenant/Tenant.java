package org.jvrpc.router.tenant;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jvrpc.router.Quota;
import org.jvrpc.router.TenantId;

/** A tenant of this host: its folder, what it has, and the memory that it has given up but not returned. Any thread. */
final class Tenant implements AutoCloseable {

    private final TenantFolder folder;
    private final Quotas quotas;
    private final List<Device> devices = new ArrayList<>();
    /** Guarded by itself; each of them is the files' thread's. */
    private final List<Remains> remains = new ArrayList<>();
    private final AtomicBoolean reclaims = new AtomicBoolean();

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

    synchronized void add(Device device) {
        devices.add(device);
    }

    synchronized void remove(Device device) {
        devices.remove(device);
    }

    synchronized int devices() {
        return devices.size();
    }

    /**
     * Keeps slabs on the tenant's quota until their memory has been returned. Never waits for their files.
     *
     * @param some what slabs were just added to, or whose device has just left
     */
    void keep(Remains some) {
        synchronized (remains) {
            if (!remains.contains(some)) {
                remains.add(some);
            }
        }
        reclaimLater();
    }

    /** Has what was given up looked at soon, unless that is to be done already. */
    void reclaimLater() {
        if (reclaims.compareAndSet(false, true)) {
            folder.slowly().behind(() -> {
                reclaims.set(false);
                reclaim();
            });
        }
    }

    /** Tells whether something was given up that is on the quota still. */
    boolean hasRemains() {
        synchronized (remains) {
            return !remains.isEmpty();
        }
    }

    /** Looks at what was given up. The thread of its files. */
    void reclaim() {
        List<Remains> all;
        synchronized (remains) {
            all = List.copyOf(remains);
        }
        all.forEach(one -> one.reclaim(quotas));
        List<Remains> over;
        synchronized (remains) { // whoever adds to one of them sees to it behind this that it is there
            over = remains.stream().filter(Remains::isOver).toList();
            remains.removeIf(Remains::isEmpty);
        }
        over.forEach(Remains::close);
    }

    /** The router goes: files that living processes have mapped stay as they are. */
    @Override
    public void close() {
        List<Device> living;
        synchronized (this) {
            living = List.copyOf(devices);
        }
        living.forEach(Device::leave);
        folder.slowly().behind(this::closeRemains);
        folder.close();
    }

    private void closeRemains() {
        synchronized (remains) {
            remains.forEach(Remains::close);
            remains.clear();
        }
    }
}
