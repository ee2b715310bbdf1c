package org.jvrpc.router.control.file;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jvrpc.router.Refusal;
import org.jvrpc.router.RefusedException;
import org.jvrpc.router.TenantId;
import org.jvrpc.router.VirtualAddress;
import org.jvrpc.router.audit.Trouble;
import org.jvrpc.router.control.BadTextException;
import org.jvrpc.router.control.Codec;
import org.jvrpc.router.control.ControlState;
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
 * What one file of JSON says, for tests and for one machine.
 *
 * <pre>
 * {"epoch": 1,
 *  "tenants": [{"name": "red", "user": 70001, "addresses": ["10.77.0.5"], "quota": {"qps": 16}, "revoked": false,
 *               "tokens": [{"id": "t1", "salt": BASE64, "sha256": BASE64, "notAfter": "2027-01-31T00:00:00Z"}]}],
 *  "rules":   [{"from": "red", "to": "blue", "firstPort": 7000, "lastPort": 7009, "allow": true}],
 *  "homes":   [{"address": "10.77.0.6", "tenant": "blue", "host": "h2", "epoch": 1, "state": "SERVING"}],
 *  "routers": [{"host": "h2", "control": "h2:4900", "data": "roce://10.78.0.2:4800", "certificateSha256": BASE64}]}
 * </pre>
 * What is left out is as in {@link org.jvrpc.router.Quota#DEFAULT}, any tenant, or all ports. The file is looked at
 * twice a second. A version with a mistake, or whose epoch is not higher though it says something else, changes
 * nothing: {@link #trouble} says why, and {@link #confirmedNs} stands still. To be written anew it is to be renamed
 * over, as half of it may be read else.
 *
 * <p>Addresses that are claimed live here, in memory: they are not written to the file. Any thread.
 */
public final class FileView implements ControlView, Claims {

    private static final Logger LOG = LoggerFactory.getLogger(FileView.class);
    private static final long LOOK_MS = 500;

    private final Path file;
    private final String host;
    /** Looks, and tells of changes. */
    private final ScheduledThreadPoolExecutor thread = new ScheduledThreadPoolExecutor(1, work -> {
        Thread made = new Thread(work, "jvrpc-router-view");
        made.setDaemon(true);
        return made;
    }, new ThreadPoolExecutor.DiscardPolicy());
    private final Map<VirtualAddress, Home> claimed = new ConcurrentHashMap<>();
    private volatile ControlState known = ControlState.NOTHING;
    private volatile long confirmedNs;
    private volatile String trouble;
    private final Trouble troubles = new Trouble(LOG, "control file");
    private String read;
    private final OlderMap older = new OlderMap();
    private volatile Changes changes;

    /**
     * Reads a file, and begins to look at it.
     *
     * @param host name of the host whose router this is for
     * @throws IllegalArgumentException when it cannot be gone by, with each mistake's line
     */
    public FileView(Path file, String host) {
        this.file = file;
        this.host = host;
        look();
        if (trouble != null) {
            throw new IllegalArgumentException(trouble);
        }
        thread.scheduleWithFixedDelay(this::look, LOOK_MS, LOOK_MS, TimeUnit.MILLISECONDS);
    }

    /** Reads the file now. The view's thread does so; tests need not wait for it. */
    synchronized void look() {
        try {
            String text = text();
            if (!text.equals(read)) {
                ControlState now = Codec.state(file.toString(), text);
                if (!Codec.text(now).equals(Codec.text(known))) {
                    takeOther(now);
                }
                read = text;
            }
            trouble = null;
            confirmedNs = System.nanoTime();
            troubles.over();
        } catch (IOException | BadTextException e) {
            String what = e instanceof IOException ? file + " cannot be read: " + e : e.getMessage();
            trouble = what;
            troubles.is(what);
        }
    }

    /** Goes by another version, which is higher, or is wanted all the same. */
    private void takeOther(ControlState now) throws BadTextException {
        String why = now.epoch() > known.epoch() ? null : file + ": epoch=" + now.epoch() + " is not higher than"
                + " that of what is known, epoch=" + known.epoch();
        if (why != null && !older.isWanted(why)) {
            throw new BadTextException(why);
        }
        take(now, why != null);
    }

    private String text() throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(Codec.MOST + 1);
            if (bytes.length > Codec.MOST) {
                throw new IOException("longer than bytes=" + Codec.MOST);
            }
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }

    /** Takes a new version over and tells of what is other in it. */
    private void take(ControlState now, boolean back) {
        ControlState before = known;
        if (back) {
            claimed.clear();
            tell(Changes::wentBack);
        }
        Map<VirtualAddress, Home> homesBefore = new HashMap<>();
        Set<VirtualAddress> addresses = new HashSet<>(before.homes().keySet());
        addresses.addAll(now.homes().keySet());
        addresses.addAll(claimed.keySet());
        addresses.forEach(address -> homesBefore.put(address, home(address)));
        known = now;
        claimed.replaceAll((address, home) -> home.state() == Home.State.GONE
                || has(now.tenants().get(home.tenant()), address) ? home
                : new Home(address, home.tenant(), home.host(), home.epoch() + 1, Home.State.GONE));
        for (TenantRecord tenant : tenantsChanged(before, now)) {
            tell(told -> told.tenant(tenant));
        }
        addresses.forEach(address -> {
            Home home = home(address);
            if (!Objects.equals(home, homesBefore.get(address))) {
                tell(told -> told.home(homesBefore.get(address), home));
            }
        });
        if (!before.rules().equals(now.rules())) {
            tell(Changes::rules);
        }
        Set<String> hosts = new HashSet<>(before.routers().keySet());
        hosts.addAll(now.routers().keySet());
        for (String one : hosts) {
            RouterRecord router = now.routers().get(one);
            tell(told -> told.router(router != null ? router : before.routers().get(one), router != null));
        }
        older.taken(before.epoch(), now.epoch());
    }

    /**
     * Goes by what the file says although its epoch is not higher than what is known: an operator wants it so.
     *
     * @throws IOException when that is not so, or it cannot be read
     */
    public synchronized OlderMap.Accepted acceptOlder() throws IOException, InterruptedException {
        look();
        older.want(epoch());
        look();
        return older.await(0);
    }

    private static boolean has(TenantRecord tenant, VirtualAddress address) {
        return tenant != null && tenant.addresses().contains(address);
    }

    /** A tenant that is not there any more is told as revoked. */
    private static List<TenantRecord> tenantsChanged(ControlState before, ControlState now) {
        List<TenantRecord> changed = new ArrayList<>(now.tenants().values());
        before.tenants().forEach((id, tenant) -> {
            if (!now.tenants().containsKey(id)) {
                changed.add(new TenantRecord(id, tenant.user(), List.of(), tenant.quota(), List.of(), true,
                        now.epoch()));
            }
        });
        return changed;
    }

    /** On the view's thread, which holds no lock meanwhile: whoever is told may wait for who claims. */
    private void tell(Consumer<Changes> what) {
        Changes told = changes;
        if (told != null) {
            thread.execute(() -> {
                try {
                    what.accept(told);
                } catch (RuntimeException e) {
                    LOG.error("a change of the control file could not be followed", e);
                }
            });
        }
    }

    @Override
    public long epoch() {
        return known.epoch();
    }

    @Override
    public long confirmedNs() {
        return confirmedNs;
    }

    @Override
    public TenantRecord tenant(TenantId id) {
        return known.tenants().get(id);
    }

    /** Returns the file's tenants. */
    public List<TenantId> tenants() {
        return known.tenants().keySet().stream().sorted().toList();
    }

    @Override
    public Home home(VirtualAddress address) {
        Home written = known.homes().get(address);
        Home here = claimed.get(address);
        return here == null || written != null && written.epoch() > here.epoch() ? written : here;
    }

    @Override
    public RouterRecord router(String name) {
        return known.routers().get(name);
    }

    @Override
    public List<Rule> rules() {
        return known.rules();
    }

    @Override
    public String trouble() {
        return trouble;
    }

    @Override
    public synchronized void listen(Changes listener) {
        if (changes != null) {
            throw new IllegalStateException("somebody listens already");
        }
        changes = listener;
    }

    @Override
    public synchronized Home claim(VirtualAddress address, TenantId tenant, long knownEpoch) {
        TenantRecord owner = known.owner(address);
        if (owner == null || !owner.id().equals(tenant)) {
            throw new RefusedException(Refusal.NOT_YOURS, "tenant=" + tenant + " has no address=" + address);
        }
        Home now = home(address);
        long epoch = now == null ? 0 : now.epoch();
        if (epoch != knownEpoch) {
            throw new RefusedException(Refusal.STALE_EPOCH, "address=" + address + " has epoch=" + epoch
                    + ", claimed with epoch=" + knownEpoch);
        }
        boolean free = now == null || now.state() == Home.State.GONE || now.state() == Home.State.MOVING;
        if (!free && !now.host().equals(host)) {
            throw new RefusedException(Refusal.MOVED, "address=" + address + " lives at host=" + now.host() + " epoch="
                    + epoch + ", not at host=" + host);
        }
        return set(now, new Home(address, tenant, host, epoch + 1, Home.State.SERVING));
    }

    @Override
    public synchronized void release(Home home) {
        Home now = home(home.address());
        if (home.equals(now)) {
            set(now, new Home(home.address(), home.tenant(), home.host(), home.epoch(), Home.State.GONE));
        }
    }

    private Home set(Home before, Home now) {
        claimed.put(now.address(), now);
        tell(told -> told.home(before, now));
        return now;
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
