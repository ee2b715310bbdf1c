package org.jvrpc.router;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jvrpc.router.map.ControlView;
import org.jvrpc.router.map.Home;
import org.jvrpc.router.map.RouterRecord;
import org.jvrpc.router.map.Rule;
import org.jvrpc.router.map.TenantRecord;

/** A control plane that says what a test has put into it. Any thread. */
public final class FixedView implements ControlView {

    private final Map<TenantId, TenantRecord> tenants = new ConcurrentHashMap<>();
    private final Map<VirtualAddress, Home> homes = new ConcurrentHashMap<>();
    private final Map<String, RouterRecord> routers = new ConcurrentHashMap<>();
    private volatile List<Rule> rules = List.of();
    /** One of each router of this process. */
    private final List<Changes> all = new CopyOnWriteArrayList<>();

    /** Adds a tenant, whose addresses live at a host, or changes it. */
    public void put(TenantRecord tenant, String host) {
        tenants.put(tenant.id(), tenant);
        for (VirtualAddress address : tenant.addresses()) {
            homes.put(address, new Home(address, tenant.id(), host, 1, Home.State.SERVING));
        }
        all.forEach(changes -> changes.tenant(tenant));
    }

    /** Adds a host's router, or changes it. */
    public void put(RouterRecord router) {
        routers.put(router.host(), router);
    }

    /** Has an address live elsewhere, or be on its way. */
    public void put(Home home) {
        Home before = homes.put(home.address(), home);
        all.forEach(changes -> changes.home(before, home));
    }

    /** Sets the rules. */
    public void apply(Rule... now) {
        rules = List.of(now);
        all.forEach(Changes::rules);
    }

    @Override
    public long epoch() {
        return 1;
    }

    @Override
    public long confirmedNs() {
        return System.nanoTime();
    }

    @Override
    public TenantRecord tenant(TenantId id) {
        return tenants.get(id);
    }

    @Override
    public Home home(VirtualAddress address) {
        return homes.get(address);
    }

    @Override
    public RouterRecord router(String host) {
        return routers.get(host);
    }

    @Override
    public List<Rule> rules() {
        return rules;
    }

    @Override
    public String trouble() {
        return null;
    }

    @Override
    public void listen(Changes told) {
        all.add(told);
    }

    @Override
    public void close() {
        all.clear();
    }
}
