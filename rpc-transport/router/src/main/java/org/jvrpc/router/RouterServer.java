package org.jvrpc.router;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.UserPrincipal;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jvrpc.router.command.Membership;
import org.jvrpc.router.command.Sessions;
import org.jvrpc.router.engine.Worker;
import org.jvrpc.router.lane.LanePath;
import org.jvrpc.router.map.ControlView;
import org.jvrpc.router.map.Home;
import org.jvrpc.router.map.RouterRecord;
import org.jvrpc.router.map.TenantRecord;
import org.jvrpc.router.peer.PeerLinks;
import org.jvrpc.router.share.Chunks;
import org.jvrpc.router.share.Moved;
import org.jvrpc.router.tenant.Quotas;
import org.jvrpc.router.tenant.TenantFolders;
import org.jvrpc.router.tenant.Tenants;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.softrnic.router.wire.Hello;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A host's router: takes the tenants that have a folder and a record, and moves what their devices send. Has a thread
 * for the tenants' sockets, a worker, and one that looks each second for new tenants and for what is to be given back.
 * Any thread.
 */
public final class RouterServer implements ControlView.Changes, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(RouterServer.class);
    private static final long KEEPING_MS = 1_000;
    private static final long END_MS = 10_000;

    private final Settings settings;
    private final ControlView view;
    private final Tally audit;
    private final Chunks chunks;
    private final FileChannel lockFile;
    private final Tenants tenants;
    private final Worker worker;
    private final long incarnation;
    /** Null: there are no other hosts. */
    private final PeerLinks links;
    /** Null: nothing goes to them. */
    private final LanePath path;
    private final Sessions sessions;
    private final Thread working;
    private final Thread keeping = new Thread(this::keep, "jvrpc-router-keeper");
    /** One when a tenant may have come, or this ends: nobody waits for the next second. */
    private final Semaphore changes = new Semaphore(0);
    /** Why a tenant is not listened for, so that it is said once. */
    private final Map<TenantId, String> refused = new ConcurrentHashMap<>();
    private volatile boolean draining;
    private volatile boolean closed;

    /**
     * How a router is set.
     *
     * @param folder of the router, which has the folder {@code tenants}; nobody else writes to it
     * @param host name of this host in the control plane
     * @param isPrivate nobody between hosts can read what tenants send
     * @param spin how the worker waits for busy tenants
     * @param allowRoot it may run as root, as in a virtual machine for tests
     * @param abroad the way to other hosts; null: there is none
     */
    public record Settings(Path folder, String host, boolean isPrivate, Spin spin, boolean allowRoot, Abroad abroad) {

        /** Those of a router that knows no other host. */
        public Settings(Path folder, String host, boolean isPrivate, Spin spin, boolean allowRoot) {
            this(folder, host, isPrivate, spin, allowRoot, null);
        }

        /** As above. @param spins takes a processor while there is traffic, as {@link Spin#ADAPTIVE} does */
        public Settings(Path folder, String host, boolean isPrivate, boolean spins, boolean allowRoot) {
            this(folder, host, isPrivate, spins ? Spin.ADAPTIVE : Spin.NEVER, allowRoot);
        }
    }

    /**
     * The way to other hosts.
     *
     * @param peers links to their routers
     * @param below address of the device that carries what tenants send; null: nothing does
     * @param seals what goes to other hosts is encrypted and proven; all routers must have it so
     */
    public record Abroad(PeerLinks.Settings peers, String below, boolean seals) { }

    private RouterServer(Settings settings, ControlView view, Audit audit) throws IOException {
        this.settings = settings;
        this.view = view;
        this.audit = new Tally(audit);
        this.chunks = new Chunks(this::quotaOf);
        this.lockFile = lock(settings.folder());
        this.incarnation = new SecureRandom().nextLong() | 1;
        Tenants open = null;
        PeerLinks linked = null;
        try {
            open = new Tenants(TenantFolders.open(settings.folder().resolve("tenants")), view,
                    System::currentTimeMillis);
            this.tenants = open;
            this.worker = new Worker(chunks, settings.spin(), tenants, System::nanoTime);
            linked = settings.abroad() == null ? null
                    : new PeerLinks(settings.abroad().peers(), incarnation, view, this.audit);
            this.links = linked;
            this.path = path(settings, linked);
            worker.path(path);
            this.sessions = new Sessions(Sessions.Settings.of(settings.host(), settings.isPrivate()), incarnation,
                    view, this::admit, worker, links, this.audit, System::nanoTime);
        } catch (IOException | RuntimeException e) {
            if (linked != null) {
                linked.close();
            }
            if (open != null) {
                open.close();
            }
            lockFile.close();
            throw e;
        }
        this.working = new Thread(worker, "jvrpc-router-worker");
        working.setDaemon(true);
        keeping.setDaemon(true);
    }

    private static LanePath path(Settings settings, PeerLinks links) {
        if (settings.abroad() == null || settings.abroad().below() == null) {
            return null;
        }
        String below = settings.abroad().below();
        Device device = Devices.open(below);
        try {
            return new LanePath(settings.host(), device, below, settings.abroad().seals(), links);
        } catch (RuntimeException e) {
            device.close();
            throw e;
        }
    }

    /**
     * Starts a router; its tenants can come once it returns.
     *
     * @throws RefusedException BUSY where another router has the folder, WRONG_USER for root, FOLDER
     * @throws IOException when folder or selector cannot be had
     */
    public static RouterServer start(Settings settings, ControlView view, Audit audit) throws IOException {
        if (!settings.allowRoot() && (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0) {
            throw new RefusedException(Refusal.WRONG_USER, "a router does not run as root: whoever breaks it has the "
                    + "host");
        }
        RouterServer server = new RouterServer(settings, view, audit);
        server.working.start();
        if (server.links != null) {
            server.links.start(server.sessions.events(), server.path);
        }
        view.listen(server);
        server.lookForTenants();
        server.keeping.start();
        return server;
    }

    private CompletableFuture<Membership> admit(TenantId tenant, UserPrincipal peer, Hello hello) {
        if (draining) {
            return CompletableFuture.failedFuture(new RefusedException(Refusal.DRAINING, "host=" + settings.host()
                    + " takes no new devices"));
        }
        return tenants.admit(tenant, peer, hello);
    }

    private Quota quotaOf(TenantId id) {
        TenantRecord record = view.tenant(id);
        return record == null ? null : record.quota();
    }

    /** Keeps other routers away from the folder as long as this process lives. */
    private static FileChannel lock(Path folder) throws IOException {
        FileChannel file = FileChannel.open(folder.resolve("router.lock"), Set.of(StandardOpenOption.CREATE,
                StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS));
        try {
            FileLock lock = file.tryLock();
            if (lock == null) {
                throw taken(folder, file);
            }
            file.truncate(0);
            file.write(StandardCharsets.US_ASCII.encode(Long.toString(ProcessHandle.current().pid())), 0);
            return file;
        } catch (OverlappingFileLockException e) {
            RefusedException taken = taken(folder, file);
            file.close();
            throw taken;
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    private static RefusedException taken(Path folder, FileChannel file) throws IOException {
        ByteBuffer pid = ByteBuffer.allocate(20);
        file.read(pid, 0);
        return new RefusedException(Refusal.BUSY, "another router has folder=" + folder + " pid="
                + StandardCharsets.US_ASCII.decode(pid.flip()));
    }

    private void keep() {
        long keptNs = System.nanoTime();
        try {
            while (!closed) {
                changes.tryAcquire(KEEPING_MS, TimeUnit.MILLISECONDS);
                changes.drainPermits();
                if (closed) {
                    return;
                }
                try {
                    lookForTenants();
                    if (System.nanoTime() - keptNs >= TimeUnit.MILLISECONDS.toNanos(KEEPING_MS)) {
                        keptNs = System.nanoTime();
                        tenants.reclaim();
                        expelCut();
                        chunks.look(keptNs);
                    }
                } catch (RuntimeException e) {
                    LOG.error("looking after tenants: ", e);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void expelCut() {
        List<Slab> cut = tenants.cut();
        if (!cut.isEmpty()) {
            worker.expelCut(cut);
        }
    }

    private synchronized void lookForTenants() {
        for (TenantId id : tenants.moved()) { // their devices lie in memory that is the tenant's no more
            String why = "tenant=" + id + " folder was unmounted, mounted over, or exchanged";
            audit.write(id, "cut", Refusal.FOLDER, why);
            LOG.warn("{}: its devices end, and it is looked for anew", why);
            expel(id, why);
        }
        for (TenantId id : tenants.waiting()) {
            try {
                TenantRecord record = view.tenant(id);
                if (closed || record == null || record.revoked()) {
                    continue;
                }
                ServerSocketChannel socket = tenants.listen(id);
                sessions.listen(id, socket);
                refused.remove(id);
            } catch (IOException | RefusedException e) {
                tenants.remove(id);
                String why = e instanceof RefusedException ? e.getMessage() : e.toString();
                if (!why.equals(refused.put(id, why))) {
                    audit.write(id, "refuse", e instanceof RefusedException known ? known.refusal() : Refusal.FOLDER,
                            e.getMessage());
                    LOG.warn("tenant={} is not listened for: {}", id, why);
                }
            }
        }
    }

    /** Returns how much there is. @throws IOException when the sessions do not answer */
    public Sessions.Counts counts() throws IOException {
        return sessions.counts();
    }

    /** Returns what no router before had, as others are to know it by the control plane. */
    public long incarnation() {
        return incarnation;
    }

    /** Returns where other routers reach this one; null: nowhere. */
    public InetSocketAddress control() {
        return links == null ? null : links.address();
    }

    /** Returns the address of its device below, with the port that was taken; null: there is none. */
    public String data() {
        return path == null ? null : path.address();
    }

    /** Returns the hosts to which there is a link. */
    public List<String> linked() {
        return links == null ? List.of() : links.hosts();
    }

    /** Has it take no new devices, or take them again. What is attached stays as it is. */
    public void drain(boolean now) {
        draining = now;
        LOG.info("draining={}", now);
    }

    /** Returns what it is at. @throws IOException when the sessions do not answer */
    public RouterStatus status() throws IOException {
        Sessions.Counts counts = sessions.counts();
        List<RouterStatus.OfTenant> all = Stream.concat(tenants.present().stream(), refused.keySet().stream())
                .distinct().sorted().map(this::status).toList();
        return new RouterStatus(settings.host(), ProcessHandle.current().pid(), settings.spin(), worker.isAwake(),
                draining, view.epoch(), TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - view.confirmedNs()),
                view.trouble(), counts.devices(), counts.connections(), counts.asking(), counts.listeners(), all);
    }

    private RouterStatus.OfTenant status(TenantId id) {
        TenantRecord record = view.tenant(id);
        Quotas quotas = tenants.quotas(id);
        Moved moved = chunks.moved(id);
        String unserved = refused.get(id);
        return new RouterStatus.OfTenant(id, record == null ? -1 : record.user(),
                record == null ? List.of() : record.addresses(), record == null || record.revoked(),
                unserved == null && quotas == null ? "no folder" : unserved, quotas == null ? Map.of() : quotas.all(),
                quotas != null ? quotas.quota() : record == null ? Quota.DEFAULT : record.quota(),
                moved == null ? 0 : moved.bytes(), moved == null ? 0 : moved.wqes(),
                moved == null ? 0 : moved.bytesPerSecond(), moved == null ? 0 : moved.wqesPerSecond(),
                audit.refused(id));
    }

    @Override
    public synchronized void tenant(TenantRecord now) {
        tenants.changed(now);
        chunks.change(now.id(), now.quota());
        if (now.revoked()) {
            expel(now.id(), "tenant=" + now.id() + " is revoked, epoch=" + now.epoch());
        } else {
            changes.release();
        }
    }

    @Override
    public synchronized void home(Home before, Home now) {
        try {
            int ended = sessions.homesChanged(now);
            if (ended > 0) {
                LOG.info("home={} ended connections={}", now, ended);
            }
        } catch (IOException e) {
            if (!closed) { // else all sessions have ended
                LOG.error("home={}: connections to it may live on: {}", now, e.toString());
            }
        }
    }

    @Override
    public void rules() {
        try {
            int ended = sessions.applyRules();
            if (ended > 0) {
                LOG.info("rules have changed, and ended connections={}", ended);
            }
        } catch (IOException e) {
            LOG.error("rules are not applied to connections that live: {}", e.toString());
        }
    }

    @Override
    public void router(RouterRecord now, boolean there) {
        LOG.debug("router={} there={}", now.host(), there);
        if (there && links != null) {
            links.known(now.host());
        }
    }

    @Override
    public synchronized void wentBack() {
        try {
            sessions.startAnew("the router goes by an older map, epoch=" + view.epoch());
        } catch (IOException e) {
            LOG.error("an older map: devices of the newer one may live on: {}", e.toString());
        }
    }

    private void expel(TenantId id, String why) {
        try {
            sessions.expel(id, why);
        } catch (IOException e) {
            LOG.error("{}: its devices are not known to have ended: {}", why, e.toString());
        }
        tenants.remove(id);
    }

    /** Ends all devices, and lets go of the folder. Idempotent. */
    @Override
    public void close() {
        closed = true;
        changes.release();
        sessions.close();
        if (links != null) {
            links.close();
        }
        worker.close();
        join(working);
        join(keeping);
        if (path != null) {
            path.close();
        }
        tenants.close();
        try {
            lockFile.close();
        } catch (IOException e) {
            LOG.warn("closing the lock of {}: {}", settings.folder(), e.toString());
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join(END_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
