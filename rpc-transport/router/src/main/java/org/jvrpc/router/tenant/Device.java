package org.jvrpc.router.tenant;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.jvrpc.router.QuotaKind;
import org.jvrpc.router.Refusal;
import org.jvrpc.router.RefusedException;
import org.jvrpc.router.TenantId;
import org.jvrpc.router.VirtualAddress;
import org.jvrpc.router.command.Membership;
import org.jvrpc.router.map.TenantRecord;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.softrnic.router.wire.SlabNote;

/** A device that was let in. Any thread; one command at a time. */
final class Device implements Membership {

    private final Tenants tenants;
    private final Tenant tenant;
    private final DeviceFiles files;
    private final Remains remains;
    private final String description;
    private final Map<Integer, TenantSlab> slabs = new HashMap<>();
    /** Segments whose slabs are on their way. */
    private final Set<Integer> opening = new HashSet<>();
    private final Map<QuotaKind, Long> taken = new EnumMap<>(QuotaKind.class);
    private boolean left;

    Device(Tenants tenants, Tenant tenant, DeviceFiles files, OwnerLock lock, String description) {
        this.tenants = tenants;
        this.tenant = tenant;
        this.files = files;
        this.remains = new Remains(lock);
        this.description = description;
    }

    @Override
    public TenantId tenant() {
        return tenant.id();
    }

    @Override
    public String description() {
        return description;
    }

    @Override
    public List<VirtualAddress> addresses() {
        TenantRecord record = tenants.record(tenant.id());
        if (record.addresses().isEmpty()) {
            throw new RefusedException(Refusal.UNKNOWN_ADDRESS, "tenant=" + tenant.id() + " has no address");
        }
        return record.addresses();
    }

    @Override
    public CompletableFuture<Slab> open(SlabNote note) {
        try {
            take(note);
        } catch (RefusedException e) {
            return e.refusal() == Refusal.QUOTA && tenant.hasRemains() ? openBehindRemains(note)
                    : CompletableFuture.failedFuture(e);
        }
        return opened(note);
    }

    /** Has looked at what was given up before it is refused: by who waits for slow files, and not here. */
    private CompletableFuture<Slab> openBehindRemains(SlabNote note) {
        return tenant.folder().slowly().run("what was given up", () -> {
            tenant.reclaim();
            return note;
        }, looked -> { }).thenCompose(looked -> {
            take(looked);
            return opened(looked);
        });
    }

    private CompletableFuture<Slab> opened(SlabNote note) {
        CompletableFuture<TenantSlab> mapped;
        try {
            mapped = map(note);
        } catch (RefusedException e) {
            mapped = CompletableFuture.failedFuture(e);
        }
        return mapped.handle((slab, failure) -> settle(note, slab, failure));
    }

    /** Takes what a slab is counted by, before its file is touched. */
    private synchronized void take(SlabNote note) {
        if (left || slabs.containsKey(note.segment()) || !opening.add(note.segment())) {
            throw new RefusedException(Refusal.BAD_FRAME, "tenant=" + tenant.id() + " segment=" + note.segment()
                    + (left ? ": the device has left" : " has a slab"));
        }
        try {
            tenant.quotas().take(QuotaKind.SLABS, 1);
            try {
                tenant.quotas().take(QuotaKind.BYTES, note.length());
            } catch (RefusedException e) {
                tenant.quotas().give(QuotaKind.SLABS, 1);
                throw e;
            }
        } catch (RefusedException e) {
            opening.remove(note.segment());
            throw e;
        }
    }

    /** Has the slab, or gives back what was taken for it. */
    private synchronized Slab settle(SlabNote note, TenantSlab slab, Throwable failure) {
        opening.remove(note.segment());
        if (slab != null && !left) {
            slabs.put(note.segment(), slab);
            tenants.note(slab);
            return slab.slab();
        }
        tenant.quotas().give(QuotaKind.BYTES, note.length());
        tenant.quotas().give(QuotaKind.SLABS, 1);
        if (slab != null) {
            tenant.folder().slowly().behind(slab::close);
            throw new RefusedException(Refusal.BAD_FRAME, "tenant=" + tenant.id() + " segment=" + note.segment()
                    + ": the device has left");
        }
        throw failure instanceof RuntimeException known ? known : new IllegalStateException(failure);
    }

    private CompletableFuture<TenantSlab> map(SlabNote note) {
        boolean own = files.name().endsWith("/" + note.device());
        DeviceFiles from = own ? files : tenant.folder().device(note.device());
        Callable<TenantSlab> work = () -> map(from, note);
        Slowly slowly = tenant.folder().slowly();
        CompletableFuture<TenantSlab> mapped =
                slowly.run("slab=" + note.device() + "/" + note.file(), work, TenantSlab::close);
        return own ? mapped : mapped.whenComplete((slab, failure) -> slowly.behind(from::close));
    }

    private TenantSlab map(DeviceFiles from, SlabNote note) throws IOException {
        FileChannel channel = from.open(note.file(), note.length());
        try {
            if (from.usedBytes() < needed(note)) {
                tenant.reclaim(); // what was given up may have been returned since it was looked at
            }
            long used = from.usedBytes();
            if (used < needed(note)) {
                throw OpenFolder.refused(from.name(), "file=" + note.file() + " is sparse: bytes used in its file"
                        + " system=" + used + ", slabs are bytes=" + needed(note));
            }
            return new TenantSlab(tenant.id(), Slab.of(channel, note.segment(), note.length()), channel,
                    () -> !tenant.folder().hasOwnFileSystem() || from.freeBytes() > 0);
        } catch (IOException | RuntimeException | Error e) {
            channel.close();
            throw e;
        }
    }

    /** Returns how many bytes there must be of slabs. */
    private long needed(SlabNote note) {
        return tenant.folder().hasOwnFileSystem() ? tenant.quotas().has(QuotaKind.BYTES) : note.length();
    }

    @Override
    public synchronized void drop(int segment) {
        TenantSlab slab = slabs.remove(segment);
        if (slab != null) {
            tenants.forget(slab);
            remains.add(slab);
            tenant.keep(remains);
        }
    }

    @Override
    public synchronized void take(QuotaKind kind, long count) {
        tenant.quotas().take(kind, count);
        taken.merge(kind, count, Long::sum);
    }

    @Override
    public synchronized void give(QuotaKind kind, long count) {
        long now = taken.getOrDefault(kind, 0L);
        if (count > now) {
            throw new IllegalStateException("tenant=" + tenant.id() + " quota=" + kind + " took=" + now + " gives="
                    + count);
        }
        tenant.quotas().give(kind, count);
        taken.put(kind, now - count);
    }

    /** Takes what it is itself. */
    void enter() {
        take(QuotaKind.DEVICES, 1);
        tenant.add(this);
    }

    @Override
    public synchronized void leave() {
        if (left) {
            return;
        }
        left = true;
        tenant.remove(this);
        taken.forEach(tenant.quotas()::give);
        taken.clear();
        slabs.values().forEach(tenants::forget);
        remains.leave(slabs.values());
        tenant.keep(remains);
        slabs.clear();
        tenant.folder().slowly().behind(files::close); // which waits for a file that is being opened
    }
}
