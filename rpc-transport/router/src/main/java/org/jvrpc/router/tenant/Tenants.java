package org.jvrpc.router.tenant;

import java.io.IOException;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.attribute.UserPrincipal;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
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
        return folder.slowly().run("lock of " + hello.device(), () -> open(folder, hello.device()), Opened::close)
                .thenApply(opened -> {
                    try {
                        Device device = new Device(this, tenant, opened.files(), opened.lock(),
                                "folder=" + hello.device() + " token=" + token);
                        device.addresses();
                        device.enter();
                        return device;
                    } catch (RuntimeException e) {
                        folder.slowly().behind(opened::close);
                        throw e;
                    }
                });
    }

    /** What is open of a device that comes in. */
    private record Opened(DeviceFiles files, OwnerLock lock) {

        void close() {
            lock.close();
            files.close();
        }
    }

    private static Opened open(TenantFolder folder, String device) throws IOException {
        DeviceFiles files = folder.device(device);
        try {
            return new Opened(files, new OwnerLock(folder.tenant(), files.openLock()));
        } catch (IOException | RuntimeException e) {
            files.close();
            throw e;
        }
    }

    void note(TenantSlab slab) {
        slabs.put(slab.slab(), slab);
    }

    void forget(TenantSlab slab) {
        slabs.remove(slab.slab());
    }

    /** By the thread of the tenant's files. Who is not told in time is told that nobody knows. */
    @Override
    public CompletableFuture<Memory> look(List<Slab> asked) {
        Tenant tenant = asked.stream().map(slabs::get).filter(Objects::nonNull).findFirst()
                .map(slab -> tenants.get(slab.tenant())).orElse(null);
        if (tenant == null) {
            return CompletableFuture.completedFuture(Memory.THERE);
        }
        CompletableFuture<Memory> looked = new CompletableFuture<>();
        tenant.folder().slowly().behind(() -> looked.complete(memory(asked)));
        return looked.completeOnTimeout(Memory.FULL, Slowly.PATIENCE_MS, TimeUnit.MILLISECONDS);
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

    /** Returns what a tenant has and may have, or null. */
    public Quotas quotas(TenantId id) {
        Tenant tenant = tenants.get(id);
        return tenant == null ? null : tenant.quotas();
    }

    /** Returns what does the work on a tenant's files that it can make slow. */
    Slowly slowly(TenantId id) {
        return tenants.get(id).folder().slowly();
    }

    /** Returns the tenants whose folders were seen not to be what their names stand for any more. */
    public List<TenantId> moved() {
        return tenants.values().stream().filter(Tenant::hasMoved).map(Tenant::id).sorted().toList();
    }

    /**
     * Has tenants given back what they gave up and what has been returned to the system, and their files and folders
     * looked at; to be called each second. Never waits for their files: those of each tenant are its own thread's.
     *
     * @param cut gets slabs of a tenant whose files are shorter than what is mapped of them; never waits
     * @param away runs when there is another one of {@link #moved}; never waits
     */
    public void look(Consumer<List<Slab>> cut, Runnable away) {
        tenants.values().forEach(tenant -> tenant.lookLater(cut, away));
    }

    /** As above, but for what was given up alone. */
    void reclaim() {
        tenants.values().forEach(Tenant::reclaimLater);
    }

    @Override
    public void close() {
        tenants.values().forEach(Tenant::close);
        tenants.clear();
        folders.close();
    }
}
