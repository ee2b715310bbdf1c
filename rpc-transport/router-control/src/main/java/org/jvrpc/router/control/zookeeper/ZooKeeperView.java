package org.jvrpc.router.control.zookeeper;

import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;
import org.jvrpc.router.TenantId;
import org.jvrpc.router.VirtualAddress;
import org.jvrpc.router.audit.Trouble;
import org.jvrpc.router.control.BadTextException;
import org.jvrpc.router.control.OlderMap;
import org.jvrpc.router.map.Claims;
import org.jvrpc.router.map.ControlView;
import org.jvrpc.router.map.Home;
import org.jvrpc.router.map.RouterRecord;
import org.jvrpc.router.map.Rule;
import org.jvrpc.router.map.TenantRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an ensemble of ZooKeeper says, by one watch of all, and a host's presence in it. The ensemble is asked a few
 * times in each session's time whether what is known is still so; while it is gone, what is known stays, and {@link
 * #confirmedNs} grows old. What is older than what is known, and what cannot be read, is refused as a whole: {@link
 * #trouble} says why. Any thread; whoever listens is told by the view's.
 */
public final class ZooKeeperView implements ControlView, Claims {

    private static final Logger LOG = LoggerFactory.getLogger(ZooKeeperView.class);
    private static final int CONFIRMED_IN_A_SESSION = 6;
    private static final long PAUSE_NS = 200_000_000;
    private static final long CLOSE_MS = 2_000;

    private final Ensemble ensemble;
    private final Layout layout;
    private final Tree tree;
    private final Link link;
    private final Presence presence;
    private final Claiming claiming;
    private final Holders holders;
    private final Thread thread = new Thread(this::run, "jvrpc-router-view");
    private final Object lock = new Object();
    private final CompletableFuture<Void> ready = new CompletableFuture<>();
    private final CompletableFuture<String> ended = new CompletableFuture<>();
    private final OlderMap older = new OlderMap();
    private final Map<VirtualAddress, Home> claimed = new ConcurrentHashMap<>();
    private volatile Picture known = Picture.NOTHING;
    private volatile long confirmedNs;
    private volatile String unread = "nothing was read yet";
    private volatile String absent;
    private volatile Changes changes;
    private volatile boolean closed;
    private volatile boolean present;
    private boolean awake; // under the lock
    private boolean watched; // this and what follows is the thread's
    private final Trouble reading = new Trouble(LOG, "control plane");
    private final Trouble standing = new Trouble(LOG, "presence");
    private Exception failure;
    private String taken;
    private long askedNs;

    /**
     * Begins to read.
     *
     * @param self the router that is there from now on; null: this only looks
     * @param boundNs how long a router goes by what it knows without being confirmed: after that another host may have
     *        its addresses
     */
    private ZooKeeperView(Ensemble ensemble, RouterRecord self, long boundNs) throws IOException {
        this.ensemble = ensemble;
        this.layout = ensemble.layout();
        this.tree = new Tree(layout);
        this.link = new Link(ensemble, tree::changed, this::wake);
        long sessionNs = TimeUnit.MILLISECONDS.toNanos(ensemble.sessionMs());
        this.presence = self == null ? null : new Presence(layout, self, ensemble.user() != null, 2 * sessionNs);
        this.holders = new Holders(self == null ? "" : self.host(), boundNs);
        this.claiming = new Claiming(layout, self == null ? "" : self.host(), holders);
        this.confirmedNs = System.nanoTime() - TimeUnit.DAYS.toNanos(1);
        thread.setDaemon(true);
    }

    /**
     * Opens a view, which has read all, and is there for its host.
     *
     * @param self the router that is there from now on; null: this only looks
     * @param boundNs how long routers go by what they know without being confirmed; the same for all of a cluster
     * @param timeoutMs how long this may take
     * @throws IOException why it does not come about
     */
    public static ZooKeeperView open(Ensemble ensemble, RouterRecord self, long boundNs, long timeoutMs)
            throws IOException, InterruptedException {
        ZooKeeperView view = new ZooKeeperView(ensemble, self, boundNs);
        view.thread.start();
        try {
            CompletableFuture.anyOf(view.ready, view.ended).get(timeoutMs, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            view.close();
            throw e;
        } catch (ExecutionException | TimeoutException e) {
            LOG.debug("not opened", e);
        }
        if (!view.ready.isDone() || view.ready.isCompletedExceptionally()) {
            String why = view.trouble();
            view.close();
            throw new IOException(ensemble.servers() + ": not to be used, waited up to " + timeoutMs + " ms: " + why);
        }
        return view;
    }

    /** Is completed with the reason when this router must end: another one of its host is there. */
    public CompletableFuture<String> ended() {
        return ended;
    }

    /** Says anew what this router is, for instance that it is draining. */
    public void announce(RouterRecord self) {
        presence.set(self);
        present = false;
        wake();
    }

    /**
     * Goes by what the ensemble says although it is older than what is known: an operator wants it so.
     *
     * @throws IOException when nothing is refused for being older, or it cannot be read in time
     */
    public OlderMap.Accepted acceptOlder(long patienceMs) throws IOException, InterruptedException {
        older.want(epoch());
        tree.changedAll();
        wake();
        return older.await(patienceMs);
    }

    private void wake() {
        synchronized (lock) {
            awake = true;
            lock.notifyAll();
        }
    }

    private void run() {
        try {
            while (!closed && !ended.isDone()) {
                long pauseNs = step();
                synchronized (lock) {
                    long untilNs = System.nanoTime() + pauseNs;
                    for (long leftNs = pauseNs; !awake && !closed && leftNs > 0; leftNs = untilNs - System.nanoTime()) {
                        TimeUnit.NANOSECONDS.timedWait(lock, leftNs);
                    }
                    awake = false;
                }
            }
            link.close();
        } catch (InterruptedException e) {
            LOG.trace("closed", e);
        }
    }

    /** Does what there is to do. @return how long nothing more has to be done, unless this is woken */
    private long step() throws InterruptedException {
        unread = say(reading, read());
        if (unread == null && presence != null && !present) {
            absent = say(standing, stand());
        }
        if (taken != null) {
            ended.complete(taken);
        }
        if (failure != null) {
            ready.completeExceptionally(failure); // by now the trouble can be read
        }
        if (trouble() == null) {
            if (presence == null || known.state().routers().containsKey(claiming.host())) {
                ready.complete(null);
            }
            return periodNs();
        }
        return PAUSE_NS;
    }

    /** Returns why what is known may be old, or null. */
    private String read() throws InterruptedException {
        try {
            link.open();
            ZooKeeper zooKeeper = link.connected();
            if (zooKeeper == null) {
                watched = false;
                return link.isRefused() ? "the ensemble refuses auth-file=" + ensemble.authFile()
                        : "the ensemble servers=" + ensemble.servers() + " cannot be reached";
            }
            look(zooKeeper);
            return null;
        } catch (BadTextException e) {
            hopeless(e);
            return e.getMessage();
        } catch (KeeperException.NoAuthException e) {
            hopeless(e);
            return layout.root() + " may not be read by user of auth-file=" + ensemble.authFile();
        } catch (IOException | KeeperException | RuntimeException e) {
            return "the ensemble servers=" + ensemble.servers() + " cannot be asked: " + e.getMessage();
        }
    }

    /** Returns why this host's router is not there, or null. */
    private String stand() throws InterruptedException {
        try {
            ZooKeeper zooKeeper = link.connected();
            present = zooKeeper != null && presence.stand(zooKeeper, System.nanoTime());
            return present ? null : "host=" + claiming.host() + " has another router, or no connection";
        } catch (Presence.TakenException e) {
            taken = e.getMessage();
            return taken;
        } catch (KeeperException.NoAuthException | KeeperException.NoNodeException e) {
            hopeless(e);
            return e.getPath() + " cannot be made, " + e.code() + ": jvrpc router ctl host makes a host known, and its "
                    + "user is its name";
        } catch (KeeperException e) {
            return "host=" + claiming.host() + " cannot be there: " + e.getMessage();
        }
    }

    /** Somebody must do something before this can begin; later it goes on and waits for that. */
    private void hopeless(Exception why) {
        failure = why;
    }

    private long periodNs() {
        return TimeUnit.MILLISECONDS.toNanos(ensemble.sessionMs()) / CONFIRMED_IN_A_SESSION;
    }

    private static String say(Trouble trouble, String now) {
        if (now != null) {
            trouble.is(now);
        } else {
            trouble.over();
        }
        return now;
    }

    /** Reads what has changed, and has it confirmed when it is time. */
    private void look(ZooKeeper zooKeeper) throws KeeperException, InterruptedException, BadTextException {
        if (link.takeAnew() || !watched) {
            watched = false;
            zooKeeper.addWatch(layout.root(), AddWatchMode.PERSISTENT_RECURSIVE);
            watched = true;
            present = false;
            holders.unseen();
            tree.changedAll();
        }
        long nowNs = System.nanoTime();
        if (unread == null && !tree.isDirty() && nowNs - askedNs < periodNs()) {
            return;
        }
        Replies replies = new Replies(zooKeeper);
        replies.sync(layout.root());
        replies.data(layout.epoch(), epoch -> { });
        replies.await(ensemble.sessionMs());
        if (tree.read(zooKeeper, ensemble.sessionMs()) || unread != null) {
            take(Picture.of(layout, tree.znodes()));
        }
        askedNs = nowNs;
        confirmedNs = nowNs;
    }

    private void take(Picture now) throws BadTextException {
        String why = now.older(known);
        if (why != null && !older.isWanted(why)) {
            throw new BadTextException(why + ": an older ensemble, refused as a whole; jvrpc router accept-older has "
                    + "this host's router go by it");
        }
        Picture before = known;
        complain(before, now);
        holders.see(now.state(), System.nanoTime());
        known = now;
        claimed.entrySet().removeIf(one -> why != null
                || now.versions().getOrDefault(one.getKey(), 0L) >= one.getValue().epoch());
        present &= presence == null || now.state().routers().containsKey(claiming.host());
        if (why != null) {
            LOG.warn("{}: gone by, as an operator wants it", why);
            tell(Changes::wentBack);
        }
        tell(before, now);
        older.taken(before.state().epoch(), now.state().epoch());
    }

    private void complain(Picture before, Picture now) {
        if (!now.complaints().equals(before.complaints())) {
            now.complaints().forEach(complaint -> LOG.warn("left out: {}", complaint));
        }
    }

    private void tell(Picture before, Picture now) {
        Set<String> paths = new HashSet<>(before.texts().keySet());
        paths.addAll(now.texts().keySet());
        paths.removeIf(path -> Objects.equals(before.texts().get(path), now.texts().get(path)));
        for (String path : paths) {
            String name = Layout.name(path);
            if (path.equals(layout.rules())) {
                tell(Changes::rules);
            } else if (layout.isTenant(path)) {
                TenantId id = new TenantId(name);
                TenantRecord tenant = now.state().tenants().get(id);
                TenantRecord last = before.state().tenants().get(id);
                tell(told -> told.tenant(tenant != null ? tenant : new TenantRecord(id, last.user(), List.of(),
                        last.quota(), List.of(), true, now.state().epoch())));
            } else if (layout.isHome(path)) {
                VirtualAddress address = new VirtualAddress(name);
                Home last = before.state().homes().get(address);
                Home home = now.state().homes().get(address);
                tell(told -> told.home(last, home != null ? home : new Home(address, last.tenant(), "",
                        now.versions().getOrDefault(address, last.epoch()), Home.State.GONE)));
            } else {
                String host = Layout.name(path.substring(0, path.lastIndexOf('/')));
                RouterRecord router = now.state().routers().get(host);
                tell(told -> told.router(router != null ? router : before.state().routers().get(host),
                        router != null));
            }
        }
    }

    private void tell(Consumer<Changes> what) {
        Changes told = changes;
        if (told != null) {
            try {
                what.accept(told);
            } catch (RuntimeException e) {
                LOG.error("a change could not be followed", e);
            }
        }
    }

    @Override
    public long epoch() {
        return known.state().epoch();
    }

    @Override
    public long confirmedNs() {
        return confirmedNs;
    }

    @Override
    public TenantRecord tenant(TenantId id) {
        return known.state().tenants().get(id);
    }

    @Override
    public Home home(VirtualAddress address) {
        Home here = claimed.get(address);
        Home read = known.state().homes().get(address);
        return here == null || read != null && read.epoch() >= here.epoch() ? read : here;
    }

    /** Returns the epoch of an address as it was read, without what was claimed here since; 0: none. */
    long epochRead(VirtualAddress address) {
        return known.versions().getOrDefault(address, 0L);
    }

    @Override
    public RouterRecord router(String host) {
        return known.state().routers().get(host);
    }

    /** Returns the routers that are there, by their hosts. */
    public Map<String, RouterRecord> routers() {
        return new HashMap<>(known.state().routers());
    }

    @Override
    public List<Rule> rules() {
        return known.state().rules();
    }

    @Override
    public String trouble() {
        String why = unread;
        return why != null ? why : absent;
    }

    @Override
    public void listen(Changes listener) {
        synchronized (lock) {
            if (changes != null) {
                throw new IllegalStateException("somebody listens already");
            }
            changes = listener;
        }
    }

    @Override
    public Home claim(VirtualAddress address, TenantId tenant, long knownEpoch) throws InterruptedException {
        Home home = claiming.claim(link.connected(), known.state(), home(address), address, tenant, knownEpoch);
        claimed.put(address, home);
        return home;
    }

    @Override
    public void release(Home home) throws InterruptedException {
        Home gone = claiming.release(link.connected(), home);
        if (gone != null) {
            claimed.put(home.address(), gone);
        }
    }

    /** Ends the session: this host's router is not there any more, its addresses stay where they are. */
    @Override
    public void close() {
        closed = true;
        wake();
        if (Thread.currentThread() == thread) {
            return;
        }
        try {
            thread.join(CLOSE_MS);
            if (thread.isAlive()) {
                thread.interrupt();
                thread.join(CLOSE_MS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
