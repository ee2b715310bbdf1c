package org.jvrpc.router.home;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jvrpc.router.Audit;
import org.jvrpc.router.Refusal;
import org.jvrpc.router.RefusedException;
import org.jvrpc.router.TenantId;
import org.jvrpc.router.VirtualAddress;
import org.jvrpc.router.audit.SparseLog;
import org.jvrpc.router.map.Claims;
import org.jvrpc.router.map.ControlView;
import org.jvrpc.router.map.Home;
import org.jvrpc.router.map.RouterRecord;
import org.jvrpc.router.map.TenantRecord;

/**
 * Where addresses live, by the control plane and by what this host has claimed, which the plane's view may say a little
 * later. Claims wait for the plane: on a thread of their own, in the order in which they were asked for. Any thread.
 */
public final class Homes implements AutoCloseable {

    private static final SparseLog LOG = SparseLog.of(Homes.class);
    private static final int MOST_WAITING = 1024;
    private static final int TRIES = 3;
    private static final long AGAIN_MS = 20;
    private static final long CLOSE_MS = 2_000;

    private final String host;
    private final ControlView view;
    /** Null where the control plane knows none. */
    private final Claims claims;
    private final Audit audit;
    /** What this host has claimed, or let go of. */
    private final Map<VirtualAddress, Own> own = new ConcurrentHashMap<>();
    /** Those that live here and were not claimed by this router, since they were asked for. */
    private final Map<VirtualAddress, Own> awaited = new ConcurrentHashMap<>();
    private final LongSupplier clock;
    private final ThreadPoolExecutor thread;

    /** @param atNs when it was claimed, or let go of */
    private record Own(Home home, long atNs) { }

    /** @param clock monotonic, in nanoseconds */
    public Homes(String host, ControlView view, Audit audit, LongSupplier clock) {
        this.host = host;
        this.view = view;
        this.claims = view instanceof Claims some ? some : null;
        this.audit = audit;
        this.clock = clock;
        thread = new ThreadPoolExecutor(1, 1, 2, TimeUnit.SECONDS, new LinkedBlockingQueue<>(MOST_WAITING), work -> {
            Thread made = new Thread(work, "jvrpc-router-claims");
            made.setDaemon(true);
            return made;
        });
        thread.allowCoreThreadTimeOut(true);
    }

    public static boolean isOnItsWay(Home home) {
        return home.state() == Home.State.MOVING || home.state() == Home.State.GONE;
    }

    /** Returns where an address lives, or null. */
    public Home home(VirtualAddress address) {
        Home seen = view.home(address);
        Home had = had(address);
        boolean newer = had != null && (seen == null || had.epoch() >= seen.epoch());
        return newer && (seen != null || isOwners(had)) ? had : seen;
    }

    private Home had(VirtualAddress address) {
        Own had = own.get(address);
        return had == null ? null : had.home();
    }

    /**
     * Tells whether an address that lives here was claimed a short while ago, or is about to be: by who asks right now,
     * or since this router was started again. Where it was not claimed, the time counts from the first question on.
     */
    public boolean isArriving(Home home, long nowNs, long withinNs) {
        if (claims == null || home.state() != Home.State.SERVING) {
            return false;
        }
        Own had = own.get(home.address());
        if (had == null || had.home().epoch() < home.epoch()) {
            had = awaited.compute(home.address(), (address, known) -> known != null
                    && known.home().epoch() == home.epoch() ? known : new Own(home, nowNs));
        }
        return nowNs - had.atNs() < withinNs;
    }

    /** What the view does not know at all is new to it, or taken from its tenant. */
    private boolean isOwners(Home had) {
        TenantRecord tenant = view.tenant(had.tenant());
        return tenant != null && tenant.addresses().contains(had.address());
    }

    /** Forgets what was claimed here: it was by a map that does not count any more. */
    public void forget() {
        own.clear();
        awaited.clear();
    }

    /** The same of what somebody says is an address. */
    public Home home(String address) {
        try {
            return home(new VirtualAddress(address));
        } catch (IllegalArgumentException e) {
            throw new RefusedException(Refusal.UNKNOWN_ADDRESS, e.getMessage());
        }
    }

    /** Tells whether an address may be used by its tenant's devices on this host. */
    public boolean isHere(VirtualAddress address) {
        Home home = home(address);
        return home == null ? claims == null : home.host().equals(host) && !isOnItsWay(home);
    }

    /** Returns the first of a tenant's addresses that lives here. @throws RefusedException MOVED, when none does */
    public VirtualAddress first(TenantId tenant, List<VirtualAddress> addresses) {
        return addresses.stream().filter(this::isHere).findFirst().orElseThrow(() -> new RefusedException(Refusal.MOVED,
                "tenant=" + tenant + " has no address on host=" + host + ": " + addresses.stream().map(this::home)
                        .toList()));
    }

    /**
     * Has the addresses of a tenant live here that do not yet, as far as they may.
     *
     * @param then is told on another thread: null, or why none of them lives here
     */
    public void claim(TenantId tenant, List<VirtualAddress> addresses, Consumer<RefusedException> then) {
        execute(() -> then.accept(claimAll(tenant, addresses)),
                () -> then.accept(new RefusedException(Refusal.BUSY, "claims that wait=" + MOST_WAITING)));
    }

    private void execute(Runnable work, Runnable ifFull) {
        try {
            thread.execute(work);
        } catch (RejectedExecutionException e) {
            ifFull.run();
        }
    }

    private RefusedException claimAll(TenantId tenant, List<VirtualAddress> addresses) {
        List<RefusedException> refusals = new ArrayList<>();
        for (VirtualAddress address : addresses) {
            try {
                claim(tenant, address);
            } catch (RefusedException e) {
                refusals.add(e);
            } catch (InterruptedException e) {
                return new RefusedException(Refusal.DRAINING, "the router ends");
            } catch (RuntimeException e) {
                LOG.warn(tenant, "claiming address={}: ", address, e);
                refusals.add(new RefusedException(Refusal.POLICY_OLD, "address=" + address
                        + " cannot be claimed now, control plane: " + e.getMessage()));
            }
        }
        return refusals.size() < addresses.size() ? null : refusals.get(0);
    }

    private void claim(TenantId tenant, VirtualAddress address) throws InterruptedException {
        RouterRecord router = view.router(host);
        Home now = home(address);
        boolean drains = router != null && router.draining();
        if (drains || now != null && now.host().equals(host) && now.state() == Home.State.DRAINING) {
            throw new RefusedException(Refusal.DRAINING, "address=" + address + " host=" + host
                    + " takes no new devices");
        }
        if (claims == null) {
            first(tenant, List.of(address));
            return;
        }
        for (int left = TRIES; !own.containsKey(address) || !isHere(address); left--) {
            now = home(address);
            try {
                Home claimed = claims.claim(address, tenant, now == null ? 0 : now.epoch());
                own.put(address, new Own(claimed, clock.getAsLong()));
                audit.write(tenant, "claim", null, "address=" + address + " epoch=" + claimed.epoch());
                return;
            } catch (RefusedException e) {
                if (e.refusal() != Refusal.STALE_EPOCH || left == 1) {
                    throw e;
                }
                Thread.sleep(AGAIN_MS); // until the view has what the plane knows
            }
        }
    }

    /** Lets the addresses of a tenant go that live here: it has no device here any more. */
    public void release(TenantId tenant) {
        release(home -> home.tenant().equals(tenant));
    }

    /** Lets an address go that is to move elsewhere: nobody is connected to it any more. */
    public void release(VirtualAddress address) {
        release(home -> home.address().equals(address));
    }

    private void release(Predicate<Home> those) {
        if (claims != null) {
            execute(() -> own.values().stream().map(Own::home).filter(those).forEach(this::releaseNow),
                    () -> LOG.warn("all", "claims that wait={}: an address is not released", MOST_WAITING));
        }
    }

    private void releaseNow(Home home) {
        if (home.state() == Home.State.GONE) {
            return;
        }
        Home now = home(home.address());
        try {
            if (now != null && now.host().equals(host)) {
                claims.release(now);
            }
            own.put(home.address(), new Own(new Home(home.address(), home.tenant(), host, home.epoch(),
                    Home.State.GONE), clock.getAsLong()));
            audit.write(home.tenant(), "release", null, "address=" + home.address() + " epoch=" + home.epoch());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            LOG.warn(home.tenant(), "address={} is not released: {}", home.address(), e.toString());
        }
    }

    /** Does what was asked for, as far as that takes no longer than a bound. */
    @Override
    public void close() {
        thread.shutdown();
        try {
            if (!thread.awaitTermination(CLOSE_MS, TimeUnit.MILLISECONDS)) {
                thread.shutdownNow();
            }
        } catch (InterruptedException e) {
            thread.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
