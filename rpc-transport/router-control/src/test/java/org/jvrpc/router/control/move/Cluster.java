package org.jvrpc.router.control.move;

import java.io.IOException;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jvrpc.router.Quota;
import org.jvrpc.router.TenantId;
import org.jvrpc.router.VirtualAddress;
import org.jvrpc.router.control.Edits;
import org.jvrpc.router.control.zookeeper.Ensemble;
import org.jvrpc.router.control.zookeeper.ZooKeeperStore;
import org.jvrpc.router.tenant.Tokens;

/** Hosts and tenants as an administrator makes them known. */
final class Cluster {

    private Cluster() {
    }

    /** Makes a cluster. @return the tenants' tokens; the first one's address is 10.77.0.5, the others' follow */
    static Map<TenantId, String> make(Ensemble ensemble, int user, List<String> hosts, List<TenantId> tenants)
            throws IOException, InterruptedException {
        Map<TenantId, String> tokens = new HashMap<>();
        try (ZooKeeperStore store = new ZooKeeperStore(ensemble)) {
            store.init();
            for (String host : hosts) {
                store.addHost(host);
            }
            int last = 5;
            for (TenantId tenant : tenants) {
                Tokens.Made token = Tokens.make(new SecureRandom(), "first", Long.MAX_VALUE);
                tokens.put(tenant, token.token());
                store.change("create", Edits.create(tenant, user, List.of(new VirtualAddress("10.77.0." + last++)),
                        Quota.DEFAULT));
                store.change("token", Edits.addToken(tenant, token.hash()));
            }
        }
        return tokens;
    }
}
