package org.jvrpc.router.engine;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jvrpc.router.Refusal;
import org.jvrpc.router.RefusedException;
import org.jvrpc.router.RemoteConnection;
import org.jvrpc.router.command.Engine;
import org.jvrpc.router.command.EngineDevice;
import org.jvrpc.router.engine.memory.PrivateMemory;
import org.jvrpc.router.engine.memory.SplitSpace;
import org.jvrpc.router.tenant.RemoteKeys;
import org.jvrpc.softrnic.datagram.DatagramTarget;
import org.jvrpc.softrnic.datagram.RouteTable;
import org.jvrpc.softrnic.memory.ArenaHeader;
import org.jvrpc.softrnic.memory.LocalRegion;
import org.jvrpc.softrnic.memory.RegionTable;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.softrnic.router.wire.ChainsNote;
import org.jvrpc.softrnic.router.wire.CqNote;
import org.jvrpc.softrnic.router.wire.QpNote;
import org.jvrpc.softrnic.router.wire.RegionNote;
import org.jvrpc.softrnic.router.wire.SrqNote;
import org.jvrpc.verbs.VerbsException;

/**
 * One tenant's device: its memory, keys and queues. What the interface offers is for the sessions' thread, and is done
 * by the worker's; the rest is the worker's.
 */
final class TenantDevice implements EngineDevice {

    private static final int ALIGNMENT = 128;

    private final Worker worker;
    private final Tenant tenant;
    private final String name;
    private final Engine.Told told;
    private final RemoteKeys keys;
    private final PrivateMemory own = new PrivateMemory();
    private final SplitSpace space;
    private final RegionTable regions;
    private final Map<Integer, LocalRegion> registered = new HashMap<>();
    private final Map<Integer, TenantCq> cqs = new HashMap<>();
    private final Map<Integer, TenantSrq> srqs = new HashMap<>();
    private final Map<Integer, TenantChains> chains = new HashMap<>();
    /** Also asked by who rings, which is no worker. */
    private final Map<Integer, TenantQp> qps = new ConcurrentHashMap<>();
    /** How much lies in a slab, by segment. */
    private final Map<Integer, Integer> uses = new HashMap<>();
    private final RouteTable<TenantWays.Leg> routes = new RouteTable<>();
    private final TenantWays ways = new TenantWays(this);
    private boolean ended;

    TenantDevice(Worker worker, Tenant tenant, int number, Engine.Told told, RemoteKeys keys) {
        this.worker = worker;
        this.tenant = tenant;
        this.name = tenant.id() + "/" + number;
        this.told = told;
        this.keys = keys;
        this.space = new SplitSpace(name, own);
        ArenaHeader.write(own.header(), ArenaHeader.VERSION);
        this.regions = new RegionTable(own.header(), own::allocate);
    }

    Worker worker() {
        return worker;
    }

    Tenant tenant() {
        return tenant;
    }

    Engine.Told told() {
        return told;
    }

    PrivateMemory own() {
        return own;
    }

    SplitSpace space() {
        return space;
    }

    RegionTable regions() {
        return regions;
    }

    RemoteKeys keys() {
        return keys;
    }

    boolean hasEnded() {
        return ended;
    }

    @Override
    public String toString() {
        return name;
    }

    /** Returns the tenant's slab that has a range, aligned and in one window. @throws RefusedException when none has */
    Slab require(String what, long address, long bytes) {
        Slab slab = space.tenantSlab(address, bytes);
        if (slab == null || (address & ALIGNMENT - 1) != 0 || !slab.containsInWindow(address, bytes)) {
            throw new RefusedException(Refusal.NOT_YOURS, "device=" + name + " " + what + " at address=0x"
                    + Long.toHexString(address) + " bytes=" + bytes + " is not in a slab of the device, or not aligned"
                    + " to " + ALIGNMENT);
        }
        return slab;
    }

    void use(int segment, int more) {
        uses.merge(segment, more, Integer::sum);
    }

    private <T> T call(Supplier<T> job) {
        return worker.call(this, () -> {
            if (ended) {
                throw new RefusedException(Refusal.NOT_YOURS, "device=" + name + " has ended");
            }
            return job.get();
        });
    }

    private void run(Runnable job) {
        call(() -> {
            job.run();
            return null;
        });
    }

    private <T> T find(String what, Map<Integer, T> all, int number) {
        T found = all.get(number);
        if (found == null) {
            throw new RefusedException(Refusal.NOT_YOURS, "device=" + name + " has no " + what + " number=" + number);
        }
        return found;
    }

    private void requireFree(String what, Map<Integer, ?> all, int number) {
        if (all.containsKey(number)) {
            throw new RefusedException(Refusal.NOT_YOURS, "device=" + name + " has a " + what + " number=" + number);
        }
    }

    private void requireUnused(String what, int number, boolean used) {
        if (used) {
            throw new RefusedException(
                    Refusal.BUSY, "device=" + name + " " + what + " number=" + number + " is in use");
        }
    }

    TenantQp qp(int number) {
        return find("QP", qps, number);
    }

    @Override
    public void add(Slab slab) {
        run(() -> space.add(slab));
    }

    @Override
    public void drop(int segment) {
        run(() -> {
            requireUnused("slab", segment, uses.getOrDefault(segment, 0) > 0);
            Slab gone = space.remove(segment);
            if (gone == null) {
                throw new RefusedException(Refusal.NOT_YOURS, "device=" + name + " has no slab segment=" + segment);
            }
            uses.remove(segment);
            worker.forget(gone);
        });
    }

    @Override
    public int register(RegionNote note) {
        return call(() -> {
            Slab slab = space.tenantSlab(note.address(), note.length());
            if (slab == null) {
                throw new RefusedException(Refusal.NOT_YOURS, "device=" + name + " region at address=0x"
                        + Long.toHexString(note.address()) + " bytes=" + note.length()
                        + " is in no slab of the device");
            }
            if (!regions.take(note.lkey())) {
                throw new RefusedException(Refusal.NOT_YOURS, "device=" + name + " key=0x"
                        + Integer.toHexString(note.lkey()) + " is no key, or in use");
            }
            LocalRegion region = new LocalRegion(
                    note.lkey(), note.pd(), note.access(), slab, note.address(), note.length(), true);
            regions.publish(region);
            registered.put(note.lkey(), region);
            use(Slab.segmentOf(note.address()), 1);
            return keys.of(note.lkey());
        });
    }

    @Override
    public void deregister(int lkey) {
        run(() -> {
            LocalRegion region = find("region", registered, lkey);
            registered.remove(lkey);
            regions.retract(region); // a copy in pieces asks for each: none goes on behind this
            worker.revoke(region);
            use(Slab.segmentOf(region.address()), -1);
        });
    }

    @Override
    public void create(CqNote note) {
        run(() -> {
            requireFree("CQ", cqs, note.number());
            cqs.put(note.number(), new TenantCq(this, note));
        });
    }

    @Override
    public void create(SrqNote note) {
        run(() -> {
            requireFree("SRQ", srqs, note.number());
            srqs.put(note.number(), new TenantSrq(this, note));
        });
    }

    @Override
    public void create(QpNote note) {
        run(() -> {
            requireFree("QP", qps, note.number());
            TenantCq sendCq = find("CQ", cqs, note.sendCq());
            TenantCq receiveCq = find("CQ", cqs, note.receiveCq());
            TenantSrq srq = note.srq() == 0 ? null : find("SRQ", srqs, note.srq());
            boolean chained = TenantQp.requireFitting(note, sendCq, receiveCq, srq);
            qps.put(note.number(), new TenantQp(this, note, sendCq, receiveCq, srq,
                    chained ? find("chains of pd", chains, note.pd()) : null));
        });
    }

    @Override
    public ChainsNote.State chains(ChainsNote note) {
        return call(() -> {
            if (note.operation() == ChainsNote.OPEN) {
                requireFree("chains of pd", chains, note.pd());
                chains.put(note.pd(), new TenantChains(this, note.pd()));
                return null;
            }
            TenantChains found = find("chains of pd", chains, note.pd());
            switch (note.operation()) {
                case ChainsNote.LIMIT -> found.limit(note.rate(), note.burst());
                case ChainsNote.CUT_OFF -> found.cutOff();
                case ChainsNote.CLOSE -> {
                    requireUnused("chains of pd", note.pd(), found.isUsed());
                    chains.remove(note.pd());
                    cqs.values().forEach(cq -> cq.leave(found));
                    found.close();
                    return null;
                }
                default -> {
                }
            }
            return found.state();
        });
    }

    @Override
    public void destroyCq(int number) {
        run(() -> {
            TenantCq cq = find("CQ", cqs, number);
            requireUnused("CQ", number, cq.isUsed());
            cqs.remove(number);
            cq.close();
        });
    }

    @Override
    public void destroySrq(int number) {
        run(() -> {
            TenantSrq srq = find("SRQ", srqs, number);
            requireUnused("SRQ", number, srq.isUsed());
            srqs.remove(number);
            srq.close();
        });
    }

    @Override
    public void destroyQp(int number) {
        run(() -> {
            TenantQp qp = qp(number);
            qps.remove(number);
            qp.close(true);
        });
    }

    @Override
    public void ready(int qp) {
        run(() -> qp(qp).ready());
    }

    @Override
    public int route(int pd, int device) {
        return route(pd, null, device);
    }

    @Override
    public void lead(int index, RemoteConnection to) {
        run(() -> ways.lead(way(index), to));
    }

    @Override
    public void admit(RemoteConnection from) {
        run(() -> ways.admit(from));
    }

    @Override
    public void dismiss(int own) {
        run(() -> ways.dismiss(own));
    }

    @Override
    public boolean reaches(String host) {
        return worker.path != null && worker.path.reaches(host);
    }

    TenantWays ways() {
        return ways;
    }

    @Override
    public int route(int pd, EngineDevice to, int device) {
        return call(() -> {
            try {
                return routes.add(index -> new TenantWays.Leg(this, (TenantDevice) to, device, pd, index)).index();
            } catch (VerbsException e) {
                throw new RefusedException(Refusal.QUOTA, "device=" + name + " " + e.getMessage());
            }
        });
    }

    @Override
    public void unroute(int index) {
        run(() -> way(index).close());
    }

    private TenantWays.Leg way(int index) {
        TenantWays.Leg route = routes.at(index);
        if (route == null) {
            throw new RefusedException(Refusal.NOT_YOURS, "device=" + name + " has no way number=" + index);
        }
        return route;
    }

    RouteTable<TenantWays.Leg> routes() {
        return routes;
    }

    /** Returns a QP that takes datagrams; null for none. */
    DatagramTarget target(int qpn) {
        TenantQp qp = qps.get(qpn);
        return qp == null ? null : qp.target();
    }

    @Override
    public void fail(int qp) {
        run(() -> qp(qp).failNow());
    }

    @Override
    public void failAll(Collection<Integer> failed) {
        run(() -> failed.stream().filter(qps::containsKey).forEach(qp -> qp(qp).failNow()));
    }

    @Override
    public void ring(int qp, int producer) {
        TenantQp found = qps.get(qp);
        if (found != null && found.ring(producer)) {
            worker.rung(found);
        }
    }

    @Override
    public void look() {
        worker.wake();
    }

    @Override
    public void end() {
        worker.call(this, () -> {
            close(true);
            return null;
        });
    }

    @Override
    public void endLater(Runnable then) {
        worker.later(this, () -> {
            close(true);
            then.run();
        });
    }

    /** Ends it. @param touch false when its memory is not there */
    void close(boolean touch) {
        if (ended) {
            return;
        }
        ended = true;
        ways.close();
        qps.values().forEach(qp -> qp.close(touch));
        qps.clear();
        chains.values().forEach(TenantChains::close);
        chains.clear();
        registered.values().forEach(regions::retract);
        registered.clear();
        cqs.clear();
        srqs.clear();
        space.all(slab -> {
            worker.forget(slab);
            return true;
        });
        space.close();
        worker.forget(this);
    }

    /** Has all looked at that may have something to do; what was listed before is in no list any more. */
    void relist() {
        for (TenantQp qp : qps.values()) {
            qp.list(false);
            if (qp.isRung()) {
                worker.rung(qp);
            }
            worker.ready(qp);
        }
        for (TenantChains each : chains.values()) {
            each.list(false);
            worker.ready(each);
        }
    }

    /** Tells whether all its memory is there. */
    boolean isWhole(Predicate<Slab> whole) {
        return space.all(whole);
    }
}
