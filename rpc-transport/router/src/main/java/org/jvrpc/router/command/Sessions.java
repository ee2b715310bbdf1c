package org.jvrpc.router.command;

import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jvrpc.router.Audit;
import org.jvrpc.router.Refusal;
import org.jvrpc.router.RefusedException;
import org.jvrpc.router.TenantId;
import org.jvrpc.router.audit.SparseLog;
import org.jvrpc.router.home.Contact;
import org.jvrpc.router.home.Homes;
import org.jvrpc.router.home.Policy;
import org.jvrpc.router.map.ControlView;
import org.jvrpc.router.map.Home;
import org.jvrpc.router.peer.Links;
import org.jvrpc.router.peer.PeerEvents;
import org.jvrpc.softrnic.router.wire.ControlFrame;
import org.jvrpc.softrnic.router.wire.Welcome;

/**
 * All tenants' sockets and the one thread that reads them: it executes one command after the other, and waits for no
 * tenant. What is public is for any thread.
 */
public final class Sessions implements AutoCloseable {

    private static final SparseLog LOG = SparseLog.of(Sessions.class);
    private static final long TICK_MS = 20;
    private static final long CALL_NS = 10_000_000_000L;
    /** Who come by one door are taken so many at a time: they may come as fast as they are taken. */
    private static final int MOST_ENTERING = 16;

    private final Settings settings;
    private final ControlView view;
    private final Admission admission;
    private final Engine engine;
    private final Audit audit;
    private final LongSupplier clock;
    private final long incarnation;
    private final Selector selector;
    private final Queue<Runnable> jobs = new ConcurrentLinkedQueue<>();
    private final Map<TenantId, Door> doors = new HashMap<>();
    private final Map<Integer, ControlSession> devices = new HashMap<>();
    private final Set<ControlSession> strangers = new LinkedHashSet<>();
    private final Set<ControlSession> resting = new LinkedHashSet<>();
    private final Homes homes;
    private final Policy policy;
    private final Joins joins;
    private final Routes routes = new Routes(this);
    private final Remotes remotes;
    private final Meetings meetings;
    private final Thread thread = new Thread(this::run, "jvrpc-router-sessions");
    private int numbers;
    private volatile boolean closed;

    /**
     * What is set.
     *
     * @param host name of this host in the control plane
     * @param isPrivate nobody between hosts can read what tenants send
     * @param policyBoundNs how old rules may be when a connection is made
     * @param commandsPerSecond of a tenant
     * @param strangersPerTenant sockets that have not said who they are
     * @param strangerNs how long those are kept
     */
    public record Settings(String host, boolean isPrivate, long policyBoundNs, int commandsPerSecond,
            int strangersPerTenant, long strangerNs) {

        /** Those of a host, with the usual bounds. */
        public static Settings of(String host, boolean isPrivate) {
            return new Settings(host, isPrivate, 30_000_000_000L, 10_000, 16, 5_000_000_000L);
        }
    }

    /**
     * Begins; nobody comes yet.
     *
     * @param incarnation of this router; none before had it
     * @param links to other routers; null: none
     * @param clock monotonic, in nanoseconds
     */
    public Sessions(Settings settings, long incarnation, ControlView view, Admission admission, Engine engine,
            Links links, Audit audit, LongSupplier clock) throws IOException {
        this.settings = settings;
        this.incarnation = incarnation;
        this.view = view;
        this.admission = admission;
        this.engine = engine;
        this.audit = audit;
        this.clock = clock;
        this.selector = Selector.open();
        this.homes = new Homes(settings.host(), view, audit, clock);
        this.policy = new Policy(view, settings.policyBoundNs());
        this.joins = new Joins(engine);
        this.remotes = new Remotes(this, links);
        this.meetings = new Meetings(settings.host(), homes, policy, remotes, clock);
        thread.setDaemon(true);
        thread.start();
    }

    // What others ask for.

    /** Takes those who come by a tenant's socket, which listens; it is closed with the tenant's door. */
    public void listen(TenantId tenant, ServerSocketChannel socket) throws IOException {
        Door door = Door.of(tenant, socket, settings.commandsPerSecond());
        try {
            call(() -> {
                door.register(selector);
                Door before = doors.put(tenant, door);
                if (before != null) {
                    before.close();
                }
                return null;
            });
        } catch (IOException e) {
            door.close();
            throw e;
        }
    }

    /** Ends a tenant's devices and its socket: it was revoked, or is no tenant of this host any more. */
    public void expel(TenantId tenant, String why) throws IOException {
        call(() -> {
            Door door = doors.remove(tenant);
            if (door != null) {
                door.close();
            }
            all().stream().filter(session -> session.tenant().equals(tenant)).forEach(session -> session.end(why));
            return null;
        });
    }

    /** Ends all devices, and forgets what was claimed: the map by which it was does not count any more. */
    public void startAnew(String why) throws IOException {
        call(() -> {
            homes.forget();
            all().forEach(session -> session.end(why));
            return null;
        });
    }

    /** Ends connections that the rules do not allow any more, at both ends; returns how many. */
    public int applyRules() throws IOException {
        return call(() -> cut(Refusal.POLICY, one -> !policy.allows(one.from(), one.to(), one.port())));
    }

    /**
     * Homes have changed (null: any): connections of addresses that live elsewhere now are ended at both ends, and who
     * waits for one is looked at again. An address that is to leave this host is let go of. Returns how many ended.
     */
    public int homesChanged(Home now) throws IOException {
        return call(() -> {
            int count = cut(Refusal.MOVED, one -> one.isStale(homes));
            if (now != null && now.state() == Home.State.MOVING && now.host().equals(settings.host())) {
                homes.release(now.address());
            }
            meetings.lookAgain();
            return count;
        });
    }

    private int cut(Refusal why, Predicate<Contact> unwanted) {
        List<Contact> ended = new ArrayList<>(joins.endThose(unwanted));
        ended.addAll(remotes.joins().endThose(unwanted));
        ended.addAll(routes.endThose(unwanted));
        ended.forEach(one -> audit.write(one.from(), "cut", why, one.toString()));
        return ended.size();
    }

    /** Returns how many devices are attached, connections made, connectors waiting, and listeners there. */
    public Counts counts() throws IOException {
        return call(() -> new Counts(devices.size(), joins.count() / 2 + remotes.joins().count(),
                meetings.asking(), meetings.listening()));
    }

    /** Numbers of what there is. */
    public record Counts(int devices, int connections, int asking, int listeners) { }

    private interface Work<T> {
        T run() throws IOException;
    }

    /** Has the thread do something and waits for it. */
    private <T> T call(Work<T> work) throws IOException {
        if (closed) {
            throw new IOException("sessions have ended");
        }
        CompletableFuture<T> done = new CompletableFuture<>();
        post(() -> {
            try {
                done.complete(work.run());
            } catch (IOException | RuntimeException e) {
                done.completeExceptionally(e);
            }
        });
        try {
            return done.get(CALL_NS, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } catch (ExecutionException | TimeoutException e) {
            throw new IOException("sessions: " + e.getMessage(), e);
        }
    }

    /** Has the thread do something. Any thread. */
    void post(Runnable job) {
        jobs.add(job);
        selector.wakeup();
    }

    // What sessions ask for; their thread but for those that say so.

    Admission admission() {
        return admission;
    }

    Engine engine() {
        return engine;
    }

    Homes homes() {
        return homes;
    }

    Policy policy() {
        return policy;
    }

    Routes routes() {
        return routes;
    }

    Joins joins() {
        return joins;
    }

    Remotes remotes() {
        return remotes;
    }

    /** Returns who is to be told what links to other routers bring. */
    public PeerEvents events() {
        return remotes;
    }

    Meetings meetings() {
        return meetings;
    }

    long nowNs() {
        return clock.getAsLong();
    }

    int nextNumber() {
        return ++numbers;
    }

    Welcome welcome(int device, TenantId tenant, String address, int flags) {
        return new Welcome(ControlFrame.VERSION, flags | (settings.isPrivate() ? Welcome.PRIVATE : 0), incarnation,
                device, tenant.name(), address);
    }

    /** Returns the device that an endpoint of this router names. @throws RefusedException when there is none */
    ControlSession device(int asked, long its) {
        ControlSession device = its == incarnation ? devices.get(asked) : null;
        if (device == null) {
            throw new RefusedException(Refusal.NOBODY_LISTENS, "no device=" + asked
                    + " of the endpoint is attached here");
        }
        return device;
    }

    void attached(ControlSession session) {
        strangers.remove(session);
        session.door().strangers(-1);
        devices.put(session.number(), session);
        audit.write(session.tenant(), "attach", null, "device=" + session.number() + " "
                + session.membership().description());
    }

    /** A tenant has named memory of its peers by keys that do not allow it. Any thread. */
    void keysGuessed(TenantId tenant, int device, int count) {
        audit.write(tenant, "access", Refusal.NOT_YOURS, "device=" + device + " WQEs by keys that do not allow it, of"
                + " all devices in a second=" + count);
    }

    void refused(TenantId tenant, RefusedException why) {
        audit.write(tenant, "refuse", why.refusal(), why.getMessage());
    }

    void ended(ControlSession session, String why) {
        resting.remove(session);
        if (strangers.remove(session)) {
            session.door().strangers(-1);
        } else if (devices.remove(session.number(), session)) {
            audit.write(session.tenant(), "leave", null, "device=" + session.number() + " " + why);
            if (devices.values().stream().noneMatch(one -> one.tenant().equals(session.tenant()))) {
                homes.release(session.tenant());
            }
        }
    }

    /** Has a session end once nothing of it is at work. Any thread. */
    void endLater(ControlSession session, String why) {
        post(() -> session.end(why));
    }

    /** Has a session's socket looked at when it can be written to. Any thread. */
    void wantWrite(SelectionKey key) {
        try {
            key.interestOpsOr(SelectionKey.OP_WRITE);
            selector.wakeup();
        } catch (CancelledKeyException e) {
            LOG.debug("all", "a session ended before its last word went");
        }
    }

    /** Leaves a session unread for a while. */
    void rest(ControlSession session) {
        session.key().interestOpsAnd(~SelectionKey.OP_READ);
        resting.add(session);
    }

    /** Reads a session again whose command is answered. */
    void goOn(ControlSession session) {
        if (!session.hasEnded() && !session.isBusy() && !resting.contains(session)) {
            session.key().interestOpsOr(SelectionKey.OP_READ);
        }
    }

    // The thread.

    private List<ControlSession> all() {
        List<ControlSession> all = new ArrayList<>(devices.values());
        all.addAll(strangers);
        return all;
    }

    private void run() {
        while (!closed) {
            try {
                boolean timed = !strangers.isEmpty() || !resting.isEmpty() || meetings.isWaiting()
                        || remotes.isWaiting();
                selector.select(this::ready, timed ? TICK_MS : 0);
                for (Runnable job = jobs.poll(); job != null; job = jobs.poll()) {
                    job.run();
                }
                if (timed) {
                    tick(clock.getAsLong());
                }
            } catch (IOException | RuntimeException e) {
                LOG.error("all", "sessions: ", e);
            }
        }
        all().forEach(session -> session.end("the router ends"));
        doors.values().forEach(Door::close);
        for (Runnable job = jobs.poll(); job != null; job = jobs.poll()) {
            job.run();
        }
        try {
            selector.close();
        } catch (IOException e) {
            LOG.warn("all", "closing a selector: {}", e.toString());
        }
    }

    private void ready(SelectionKey key) {
        if (!key.isValid()) {
            return;
        }
        if (key.attachment() instanceof Door door) {
            enter(door);
        } else {
            ((ControlSession) key.attachment()).ready(clock.getAsLong());
        }
    }

    private void enter(Door door) {
        for (int i = 0; i < MOST_ENTERING; i++) {
            SocketChannel socket = door.accept();
            if (socket == null) {
                return;
            }
            try {
                if (door.strangers(0) >= settings.strangersPerTenant()) {
                    audit.write(door.tenant(), "refuse", Refusal.BUSY, "sockets that say nothing="
                            + door.strangers(0));
                    socket.close();
                    continue;
                }
                socket.configureBlocking(false);
                SelectionKey key = socket.register(selector, SelectionKey.OP_READ);
                ControlSession session = new ControlSession(this, door, socket, key, clock.getAsLong());
                key.attach(session);
                strangers.add(session);
                door.strangers(1);
            } catch (IOException e) {
                LOG.warn(door.tenant(), "tenant={}: {}", door.tenant(), e.toString());
            }
        }
    }

    private void tick(long nowNs) {
        for (ControlSession session : List.copyOf(strangers)) {
            if (nowNs - session.startNs() > settings.strangerNs()) {
                session.end("said nothing");
            }
        }
        for (ControlSession session : List.copyOf(resting)) {
            if (session.door().isRested(nowNs)) {
                resting.remove(session);
                goOn(session);
            }
        }
        remotes.tick(nowNs);
        meetings.lookAgain();
    }

    /** Ends all devices, and the sockets. Idempotent. */
    @Override
    public void close() {
        closed = true;
        selector.wakeup();
        try {
            thread.join(CALL_NS / 1_000_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        homes.close();
    }
}
