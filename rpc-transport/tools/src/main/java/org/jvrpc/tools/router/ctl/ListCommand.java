package org.jvrpc.tools.router.ctl;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jvrpc.router.control.Codec;
import org.jvrpc.router.control.ControlState;
import org.jvrpc.router.control.ControlStore;
import org.jvrpc.router.control.JsonObject;
import org.jvrpc.router.control.zookeeper.ZooKeeperStore;
import org.jvrpc.router.map.RouterRecord;
import org.jvrpc.router.map.TenantRecord;
import org.jvrpc.tools.router.ctl.tenant.ShowTenantCommand;
import org.jvrpc.tools.router.ctl.verb.CtlVerb;
import picocli.CommandLine.Command;

/** {@code jvrpc router ctl list}. */
@Command(name = "list", description = "Prints tenants with their addresses and where these live, and hosts.")
final class ListCommand extends CtlVerb {

    @Override
    protected int run(ControlStore store) throws IOException, InterruptedException {
        ControlState state = store.read();
        List<String> hosts = store instanceof ZooKeeperStore ensemble ? ensemble.hosts()
                : state.routers().keySet().stream().sorted().toList();
        say(text(state, hosts), json(state, hosts));
        return 0;
    }

    private static String text(ControlState state, List<String> hosts) {
        StringBuilder out = new StringBuilder("epoch " + state.epoch() + "\n");
        out.append(String.format("%-24s %8s %7s %7s %s%n", "tenant", "user", "tokens", "weight", "addresses"));
        for (TenantRecord tenant : new TreeMap<>(state.tenants()).values()) {
            out.append(String.format("%-24s %8d %7d %7d %s%s%n", tenant.id(), tenant.user(), tenant.tokens().size(),
                    tenant.quota().weight(), tenant.addresses().stream()
                    .map(address -> address + " at " + where(state.homes().get(address)))
                    .collect(Collectors.joining(", ")), tenant.revoked() ? " REVOKED" : ""));
        }
        for (String host : hosts) {
            RouterRecord router = state.routers().get(host);
            out.append("host ").append(host).append(router == null ? ": no router is there"
                    : ": " + router.data() + (router.draining() ? ", draining" : "")).append('\n');
        }
        return out.toString().stripTrailing();
    }

    private static String json(ControlState state, List<String> hosts) {
        List<String> tenants = new ArrayList<>();
        new TreeMap<>(state.tenants()).values().forEach(tenant -> tenants.add(ShowTenantCommand.json(state, tenant)));
        return new JsonObject().number("epoch", state.epoch()).raw("tenants", JsonObject.list(tenants))
                .raw("hosts", JsonObject.texts(hosts))
                .raw("routers", JsonObject.list(state.routers().values().stream().map(Codec::json).sorted().toList()))
                .toString();
    }
}
