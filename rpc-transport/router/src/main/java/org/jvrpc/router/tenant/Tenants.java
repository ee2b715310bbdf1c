package org.jvrpc.router.tenant;

import java.nio.channels.ServerSocketChannel;
import java.nio.file.attribute.UserPrincipal;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jvrpc.router.Backing;
import org.jvrpc.router.Refusal;
import org.jvrpc.router.RefusedException;
import org.jvrpc.router.TenantId;
import org.jvrpc.router.command.Admission;
import org.jvrpc.router.command.Membership;
import org.jvrpc.router.map.ControlView;
import org.jvrpc.router.map.TenantRecord;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.softrnic.router.wire.Hello;

/**
 * The tenants of this host, and who is let in as one of them: a tenant is the socket by which it came, the user that
 * the kernel says, and a token, all three of them each time. Any thread.
 */
public final class Tenants implements Admission, Backing, AutoCloseable {

    private final TenantFolders folders;
    private final ControlView view;
    private final LongSupplier wallMs;
    private final Map<TenantId, Tenant> tenants = new ConcurrentHashMap<>();
    private final Map<Slab, TenantSlab> slabs = new ConcurrentHashMap<>();

    /**
     * No tenants yet.
     *
     * @param folders closed by {@link #close}
     * @param wallMs the wall clock, for the ends of tokens
     */
    public Tenants(TenantFolders folders, ControlView view, LongSupplier wallMs) {
        this.folders = folders;
        this.view = view;
        this.wallMs = wallMs;
    }

    /** Returns the tenants that have a folder here and are known, and that {@link #listen} was not called for. */
    public List<TenantId> waiting() {
        return folders.names().stream().filter(name -> !tenants.containsKey(name) && view.tenant(name) != null)
                .toList();
    }

    /** Returns the tenants that {@link #listen} was called for, by their names. */
    public List<TenantId> present() {
        return tenants.keySet().stream().sorted().toList();
    }

    /**
     * Opens a tenant's folder, and puts the socket there by which its devices come.
     *
     * @throws RefusedException NO_TENANT, REVOKED, WRONG_USER, FOLDER
     */
    public ServerSocketChannel listen(TenantId id) {
        TenantRecord record = record(id);
        TenantFolder folder = folders.open(record);
        Tenant tenant = new Tenant(folder, record.quota());
        if (tenants.putIfAbsent(id, tenant) != null) {
            folder.close();
            throw new RefusedException(Refusal.BUSY, "tenant=" + id + " is listened for already");
        }
        try {
            return folder.listen();
        } catch (RefusedException e) {
            tenants.remove(id);
            folder.close();
            throw e;
        }
    }

    /** Lets go of a tenant whose devices have left, and of its folder. */
    public void remove(TenantId id) {
        Tenant tenant = tenants.remove(id);
        if (tenant != null) {
            tenant.close();
        }
    }

    /** Takes over another quota. */
    public void changed(TenantRecord now) {
        Tenant tenant = tenants.get(now.id());
        if (tenant != null) {
            tenant.quotas().change(now.quota());
        }
    }

    /** Returns a tenant's record as it is now. @throws RefusedException NO_TENANT, REVOKED */
    TenantRecord record(TenantId id) {
        TenantRecord record = view.tenant(id);
        if (record == null) {
            throw new RefusedException(Refusal.NO_TENANT, "tenant=" + id + " is not known, epoch=" + view.epoch());
        }
        if (record.revoked()) {
            throw new RefusedException(Refusal.REVOKED, "tenant=" + id + " is revoked, epoch=" + record.epoch());
        }
        return record;
    }

    @Override
    public CompletableFuture<Membership> admit(TenantId id, UserPrincipal peer, Hello hello) {
        try {
            return admitted(id, peer, hello);
        } catch (RefusedException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private CompletableFuture<Membership> admitted(TenantId id, UserPrincipal peer, Hello hello) {
        TenantRecord record = record(id);
        Tenant tenant = tenants.get(id);
        if (tenant == null) {
            throw new RefusedException(Refusal.NO_TENANT, "tenant=" + id + " has no folder here");
        }
        TenantFolder folder = tenant.folder();
        if (folder.user() != record.user()) {
            throw new RefusedException(Refusal.WRONG_USER, "tenant=" + id + " folder=" + folder.name()
                    + " belongs to uid=" + folder.user() + ", the tenant's is now uid=" + record.user());
        }
        folder.check(peer);
        String token = Tokens.check(record, hello.token(), wallMs.getAsLong());
        DeviceFiles files = folder.device(hello.device());
        return folder.slowly().run("lock of " + hello.device(), () -> new OwnerLock(id, files.openLock()),
                OwnerLock::close)
                .handle((lock, failure) -> {
                    try {
                        if (failure != null) {
                            throw failure instanceof RuntimeException known ? known
                                    : new IllegalStateException(failure);
                        }
                        Device device = new Device(this, tenant, files, lock,
                                "folder=" + hello.device() + " token=" + token);
                        device.addresses();
                        device.enter();
                        return device;
                    } catch (RuntimeException e) {
                        folder.slowly().behind(files::close);
                        if (lock != null) {
                            lock.close();
                        }
                        throw e;
                    }
                });
    }

    void note(TenantSlab slab) {
        slabs.put(slab.slab(), slab);
    }

    void forget(TenantSlab slab) {
        slabs.remove(slab.slab());
    }

    /** An interrupt would close the file: threads that are interrupted must not ask. */
    @Override
    public boolean isWhole(Slab slab) {
        TenantSlab known = slabs.get(slab);
        return known == null || known.isWhole();
    }

    @Override
    public boolean hasRoom(Slab slab) {
        TenantSlab known = slabs.get(slab);
        return known == null || known.hasRoom();
    }

    /**
     * Returns the slabs whose files are shorter than what is mapped of them. Threads that are interrupted must not ask.
     */
    public List<Slab> cut() {
        return slabs.values().stream().filter(slab -> !slab.isWhole()).map(TenantSlab::slab).toList();
    }

    /** Returns what a tenant has and may have, or null. */
    public Quotas quotas(TenantId id) {
        Tenant tenant = tenants.get(id);
        return tenant == null ? null : tenant.quotas();
    }

    /** Returns what does the work on a tenant's files that it can make slow. */
    Slowly slowly(TenantId id) {
        return tenants.get(id).folder().slowly();
    }

    /** Returns the tenants whose folders are not what their names stand for any more. */
    public List<TenantId> moved() {
        return tenants.values().stream().filter(tenant -> !tenant.folder().isThere()).map(Tenant::id).sorted().toList();
    }

    /**
     * Has tenants given back what they gave up and what has been returned to the system; to be called each second.
     * Never waits for their files.
     */
    public void reclaim() {
        tenants.values().forEach(Tenant::reclaimLater);
    }

    @Override
    public void close() {
        tenants.values().forEach(Tenant::close);
        tenants.clear();
        folders.close();
    }
}
