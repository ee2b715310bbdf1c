package org.jvrpc.router.engine;

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jvrpc.router.Backing;
import org.jvrpc.router.Refusal;
import org.jvrpc.router.RefusedException;
import org.jvrpc.router.RemoteConnection;
import org.jvrpc.router.RemotePath;
import org.jvrpc.router.Shares;
import org.jvrpc.router.Spin;
import org.jvrpc.router.TenantId;
import org.jvrpc.router.audit.SparseLog;
import org.jvrpc.router.command.Engine;
import org.jvrpc.router.command.EngineDevice;
import org.jvrpc.router.engine.idle.Patience;
import org.jvrpc.router.engine.job.Job;
import org.jvrpc.router.engine.job.Jobs;
import org.jvrpc.router.tenant.RemoteKeys;
import org.jvrpc.softrnic.memory.LateFaults;
import org.jvrpc.softrnic.memory.LocalRegion;
import org.jvrpc.softrnic.memory.Slab;

/**
 * The one thread that executes what tenants send, a short turn each, and owns all tables. Others hand it jobs, which it
 * does between two turns. It waits for nobody: for a receiver that is not ready it comes back, and it sleeps only while
 * nothing is to be done.
 */
public final class Worker implements Engine, Runnable, AutoCloseable {

    private static final SparseLog LOG = SparseLog.of(Worker.class);
    private static final int TURN_WQES = 8;
    private static final long LONGEST_SLEEP_NS = 1_000_000_000L;

    private final Shares shares;
    private final LongSupplier clock;
    private final Patience patience;
    private final SecureRandom random = new SecureRandom();
    private final Jobs<TenantDevice> jobs = new Jobs<>(this::run, this::wake);
    private final Queue<TenantQp> rung = new ConcurrentLinkedQueue<>();
    private final Tenants tenants;
    private final Set<TenantDevice> devices = new HashSet<>();
    private final List<Tenant> throttled = new ArrayList<>();
    /** Those whose receiver was not ready, or whose budget is used up, the next one first. */
    private final PriorityQueue<Turn> waiting =
            new PriorityQueue<>((a, b) -> Long.signum(a.againNs() - b.againNs()));
    private final Recent recent = new Recent();
    private final Hot hot = new Hot(recent);
    private final MissingMemory missing;
    private final Consumer<TenantQp> foundHot = this::ready;
    private final Spin spin;
    private final Runnable waker = this::wake;
    /** Null without a way to other hosts. */
    RemotePath path;
    private volatile Thread thread;
    private volatile boolean asleep;
    private volatile boolean closed;

    /**
     * A worker without devices. Until {@link #run} is called its callers' thread is its own.
     *
     * @param spin whether it looks at the submit rings of QPs that are busy by itself; else all ring by their sockets
     * @param backing asked when memory is not there
     * @param clock monotonic, in nanoseconds
     */
    public Worker(Shares shares, Spin spin, Backing backing, LongSupplier clock) {
        this.shares = shares;
        this.tenants = new Tenants(shares);
        this.spin = spin;
        this.missing = new MissingMemory(this, recent, hot, backing, LateFaults::tell);
        this.clock = clock;
        this.patience = new Patience(clock);
    }

    /** Returns how many QPs each round looks at by itself. The worker's thread. */
    int looksAt() {
        return hot.count();
    }

    boolean isRunning() {
        return thread != null;
    }

    /** Returns false while it sleeps. Any thread. */
    public boolean isAwake() {
        return !asleep;
    }

    MissingMemory missing() {
        return missing;
    }

    LongSupplier clock() {
        return clock;
    }

    @Override
    public EngineDevice open(TenantId id, int number, Told told) {
        return call(null, () -> {
            TenantDevice device = new TenantDevice(this, tenants.use(id), number, told, new RemoteKeys(random));
            devices.add(device);
            return device;
        });
    }

    /** A device has ended. */
    void forget(TenantDevice device) {
        Tenant tenant = device.tenant();
        devices.remove(device);
        recent.forget(device);
        hot.forget(device);
        waiting.removeIf(Turn::isClosed);
        tenant.queue().removeIf(Turn::isClosed);
        if (tenant.queue().isEmpty()) {
            shares.idle(tenant.slot());
        }
        if (tenants.leave(tenant)) {
            throttled.remove(tenant);
        }
    }

    @Override
    public void connect(EngineDevice from, int qp, EngineDevice to, int peer) {
        TenantDevice sender = (TenantDevice) from;
        call(sender, () -> {
            recent.add((TenantDevice) to);
            TenantQp own = sender.qp(qp);
            own.connect(((TenantDevice) to).qp(peer));
            return null;
        });
    }

    @Override
    public void connect(EngineDevice from, int qp, RemoteConnection to) {
        TenantDevice sender = (TenantDevice) from;
        call(sender, () -> {
            if (path == null) {
                throw new RefusedException(Refusal.PEER_ROUTER, "qp=" + qp + " host=" + to.host()
                        + ": this router has no way to other hosts");
            }
            sender.qp(qp).connect(to, path);
            return null;
        });
    }

    /** Sets the way to other hosts; before {@link #run}. */
    public void path(RemotePath way) {
        path = way;
    }

    /** The keys of a region are gone: nobody on another host reaches its memory any more. */
    void revoke(LocalRegion region) {
        if (path != null) {
            path.revoke(region.slab(), region.address(), region.length());
        }
    }

    /** A tenant's slab goes. */
    void forget(Slab slab) {
        if (path != null) {
            path.forget(slab);
        }
    }

    /** Memory of a device is about to be touched. */
    void touch(TenantDevice device) {
        recent.add(device);
    }

    /** Has a job done by the worker, and waits for it. @throws RefusedException what the job throws */
    <T> T call(TenantDevice device, Supplier<T> work) {
        if (thread == null || thread == Thread.currentThread()) {
            return work.get();
        }
        if (closed) {
            throw new RefusedException(Refusal.DRAINING, "the worker has ended");
        }
        return jobs.call(device, work);
    }

    /** Has a job done whenever the worker comes to it. */
    void later(TenantDevice device, Runnable work) {
        jobs.later(device, work);
    }

    /** A QP was rung. Any thread. */
    void rung(TenantQp qp) {
        rung.add(qp);
        wake();
    }

    void wake() {
        if (asleep) {
            LockSupport.unpark(thread);
        }
    }

    /** A QP has something to do, perhaps. */
    void ready(TenantQp qp) {
        TenantChains chains = qp.chains();
        ready(chains == null ? qp : (Turn) chains);
    }

    /** Something may have something to do. */
    void ready(Turn turn) {
        if (turn.isClosed() || !turn.list(true)) {
            return;
        }
        Tenant tenant = turn.device().tenant();
        tenant.queue().add(turn);
        if (tenant.queue().size() == 1 && !tenant.isThrottled()) {
            shares.ready(tenant.slot());
        }
    }

    @Override
    public void run() {
        thread = Thread.currentThread();
        while (!closed) {
            try {
                rounds();
            } catch (InternalError e) {
                missing.vanished(null, e); // compiled code may be told late
                waiting.clear();
                tenants.relist(devices, throttled);
            } catch (RuntimeException | OutOfMemoryError e) { // nobody else is to suffer from what one asked for
                LOG.error("worker", "a round of the worker failed", e);
            }
        }
        jobs.workLast();
    }

    /** A loop of its own: compiled code may be told of memory that is gone where a loop begins anew. */
    private void rounds() {
        while (!closed) {
            long nowNs = clock.getAsLong();
            if (round(nowNs)) {
                patience.worked(nowNs);
            } else if (spin == Spin.ALWAYS) {
                Thread.onSpinWait();
            } else if (hot.isEmpty() && mayRest(nowNs) && sleep()
                    || !patience.idle(nowNs) && (hot.cool(foundHot) || sleep())) { // processors are short
                patience.busy();
            }
        }
    }

    private boolean mayRest(long nowNs) {
        return path == null || !path.isBusy(nowNs) && path.nextNs(nowNs) > 0;
    }

    /** Sleeps until something comes, or is due; false when something came meanwhile. */
    private boolean sleep() {
        missing.ask();
        asleep = true;
        boolean sleeps = jobs.isEmpty() && rung.isEmpty() && !closed && (path == null || path.mayRest(waker));
        if (sleeps) {
            LockSupport.parkNanos(this, Math.min(LONGEST_SLEEP_NS, Math.max(1, nextNs(clock.getAsLong()))));
        }
        asleep = false;
        return sleeps;
    }

    /** Returns in how many nanoseconds there is something to do by itself. */
    private long nextNs(long nowNs) {
        long next = waiting.isEmpty() ? LONGEST_SLEEP_NS : waiting.peek().againNs() - nowNs;
        next = path == null ? next : Math.min(next, path.nextNs(nowNs));
        for (int i = 0; i < throttled.size(); i++) {
            next = Math.min(next, throttled.get(i).againNs() - nowNs);
        }
        return next;
    }

    /** Does what came, and a turn of one tenant; false when there was nothing to do. */
    boolean round(long nowNs) {
        boolean worked = jobs.work();
        for (TenantQp qp = rung.poll(); qp != null; qp = rung.poll()) {
            worked = true;
            take(qp);
        }
        if (!hot.isEmpty()) {
            hot.look(nowNs, foundHot);
        }
        worked |= path != null && path.poll(nowNs) > 0;
        while (!waiting.isEmpty() && waiting.peek().againNs() - nowNs <= 0) {
            Turn turn = waiting.poll();
            turn.list(false);
            ready(turn);
        }
        for (int i = throttled.size() - 1; i >= 0; i--) {
            Tenant tenant = throttled.get(i);
            if (tenant.againNs() - nowNs <= 0) {
                throttled.remove(i);
                tenant.release();
                if (!tenant.queue().isEmpty()) {
                    shares.ready(tenant.slot());
                }
            }
        }
        int slot = shares.next();
        if (slot < 0) {
            return worked;
        }
        turn(tenants.at(slot), nowNs);
        return true;
    }

    private void run(Job<TenantDevice, ?> job) {
        missing.ask(); // else it is told of in the middle of the job, which has nothing to do with it
        try {
            if (job.device() != null) {
                recent.add(job.device());
            }
            job.run();
        } catch (InternalError e) {
            missing.vanished(null, e);
        }
        missing.ask();
    }

    private void take(TenantQp qp) {
        if (qp.takeRing()) {
            ready(qp);
        } else if (!qp.isClosed()) {
            try {
                qp.hear();
                qp.toFault();
            } catch (InternalError e) {
                missing.vanished(qp, e);
            }
            missing.ask();
        }
    }

    private void turn(Tenant tenant, long nowNs) {
        int slot = tenant.slot();
        if (!shares.mayGo(slot, nowNs)) {
            shares.idle(slot);
            tenant.throttle(shares.nextNs(slot, nowNs));
            throttled.add(tenant);
            return;
        }
        Turn turn = tenant.queue().poll();
        if (turn != null) {
            turn.list(false);
            if (turn instanceof TenantQp qp) {
                execute(qp, nowNs);
            } else {
                run((TenantChains) turn, nowNs);
            }
        }
        if (tenant.queue().isEmpty()) {
            shares.idle(slot);
        }
    }

    /** Runs chains, as far as their tenant's budget goes. */
    private void run(TenantChains chains, long nowNs) {
        missing.askBefore();
        TenantDevice device = chains.device();
        int slot = device.tenant().slot();
        if (chains.isClosed()) {
            return;
        }
        int how = TenantSend.STALLED;
        if (!shares.mayOffload(slot, nowNs)) {
            chains.rest(shares.nextOffloadNs(slot, nowNs));
        } else {
            chains.touches(recent);
            InternalError gone = null;
            try {
                how = chains.turn(nowNs);
            } catch (InternalError e) {
                gone = e;
                how = TenantSend.MORE;
            }
            shares.offloaded(slot, chains.executed());
            shares.took(slot, chains.bytes(), Math.max(1, chains.executed()));
            if (gone != null) {
                missing.vanished(chains, gone);
            }
        }
        follow(chains, how);
    }

    private void follow(Turn turn, int how) {
        if (turn.isClosed()) {
            return;
        }
        if (how == TenantSend.MORE) {
            ready(turn);
        } else if (how == TenantSend.STALLED && turn.list(true)) {
            waiting.add(turn);
        }
    }

    private void execute(TenantQp qp, long nowNs) {
        if (qp.isClosed() || !missing.askBefore(qp)) {
            return;
        }
        Turn.Queue send = qp.queue();
        int slot = qp.device().tenant().slot();
        int how = TenantSend.DONE;
        InternalError gone = null;
        try {
            qp.hear();
            how = send.run(TURN_WQES, Math.max(1, shares.budgetBytes(slot)));
            if (spin != Spin.NEVER && qp.submits()) {
                hot.serve(qp, nowNs, foundHot);
            }
            missing.tellInTime(nowNs);
        } catch (InternalError e) {
            gone = e;
        }
        shares.took(slot, send.takeBytes(), send.takeAttempts());
        if (gone != null) {
            missing.vanished(qp, gone);
        }
        follow(qp, how);
    }

    /** Expels whoever has a slab that is not whole, see {@link MissingMemory}. Any thread. */
    public void expelCut(Collection<Slab> cut) {
        call(null, () -> {
            MissingMemory.expel(cut, devices);
            return null;
        });
    }

    /** Ends the worker's thread; devices end before. Any thread. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
