package org.jvrpc.router.control.file;

import java.util.List;
import java.util.Map;
import org.jvrpc.router.Home;
import org.jvrpc.router.RouterRecord;
import org.jvrpc.router.Rule;
import org.jvrpc.router.TenantId;
import org.jvrpc.router.TenantRecord;
import org.jvrpc.router.VirtualAddress;

/** All that one version of a file says. */
record Known(long epoch, Map<TenantId, TenantRecord> tenants, Map<VirtualAddress, Home> homes,
        Map<String, RouterRecord> routers, List<Rule> rules) {

    static final Known NOTHING = new Known(0, Map.of(), Map.of(), Map.of(), List.of());

    /** Returns the tenant that has an address, or null. */
    TenantRecord owner(VirtualAddress address) {
        return tenants.values().stream().filter(tenant -> tenant.addresses().contains(address)).findFirst()
                .orElse(null);
    }
}
