package org.jvrpc.router.control;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jvrpc.router.TenantId;
import org.jvrpc.router.VirtualAddress;
import org.jvrpc.router.map.Home;
import org.jvrpc.router.map.RouterRecord;
import org.jvrpc.router.map.Rule;
import org.jvrpc.router.map.TenantRecord;

/**
 * All that a control plane says at one time. Immutable.
 *
 * @param epoch of tenants and rules; grows with each change of them
 * @param routers by their hosts
 */
public record ControlState(long epoch, Map<TenantId, TenantRecord> tenants, Map<VirtualAddress, Home> homes,
        Map<String, RouterRecord> routers, List<Rule> rules) {

    /** Nothing is known. */
    public static final ControlState NOTHING = new ControlState(0, Map.of(), Map.of(), Map.of(), List.of());

    /** Copies what it is given. */
    public ControlState {
        tenants = Map.copyOf(tenants);
        homes = Map.copyOf(homes);
        routers = Map.copyOf(routers);
        rules = List.copyOf(rules);
    }

    /** Returns the tenant that has an address, or null. */
    public TenantRecord owner(VirtualAddress address) {
        return tenants.values().stream().filter(tenant -> tenant.addresses().contains(address)).findFirst()
                .orElse(null);
    }

    /** Returns this with a tenant, instead of the one of its name. */
    public ControlState with(TenantRecord tenant) {
        Map<TenantId, TenantRecord> more = new LinkedHashMap<>(tenants);
        more.put(tenant.id(), tenant);
        return new ControlState(epoch, more, homes, routers, rules);
    }

    /** Returns this with a home, instead of the one of its address. */
    public ControlState with(Home home) {
        Map<VirtualAddress, Home> more = new LinkedHashMap<>(homes);
        more.put(home.address(), home);
        return new ControlState(epoch, tenants, more, routers, rules);
    }

    /** Returns this with other rules. */
    public ControlState with(List<Rule> others) {
        return new ControlState(epoch, tenants, homes, routers, others);
    }

    /** Returns this without a tenant. */
    public ControlState without(TenantId id) {
        Map<TenantId, TenantRecord> fewer = new LinkedHashMap<>(tenants);
        fewer.remove(id);
        return new ControlState(epoch, fewer, homes, routers, rules);
    }

    /** Returns this without the homes of some addresses. */
    public ControlState without(Collection<VirtualAddress> addresses) {
        Map<VirtualAddress, Home> fewer = new LinkedHashMap<>(homes);
        fewer.keySet().removeAll(addresses);
        return new ControlState(epoch, tenants, fewer, routers, rules);
    }

    /** Returns the homes of those addresses that a host has, or has not let go of yet. */
    public List<Home> living(Collection<VirtualAddress> addresses) {
        return addresses.stream().map(homes::get).filter(home -> home != null && !home.host().isEmpty()
                && home.state() != Home.State.GONE).toList();
    }

    /** Returns this at another epoch. */
    public ControlState at(long other) {
        return new ControlState(other, tenants, homes, routers, rules);
    }
}
