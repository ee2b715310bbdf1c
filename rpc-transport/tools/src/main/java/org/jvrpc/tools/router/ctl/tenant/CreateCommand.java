package org.jvrpc.tools.router.ctl.tenant;

import java.io.IOException;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jvrpc.router.Quota;
import org.jvrpc.router.TenantId;
import org.jvrpc.router.VirtualAddress;
import org.jvrpc.router.control.Codec;
import org.jvrpc.router.control.ControlState;
import org.jvrpc.router.control.ControlStore;
import org.jvrpc.router.control.Edits;
import org.jvrpc.tools.router.ctl.verb.CtlVerb;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code jvrpc router ctl create}. */
@Command(name = "create", description = "Adds a tenant. It may reach itself alone, until a rule says more.")
public final class CreateCommand extends CtlVerb {

    @Parameters(paramLabel = "TENANT")
    private String tenant;

    @Option(names = "--user", paramLabel = "NUMBER", required = true,
            description = "Number of the hosts' user that its folders belong to, and its processes run as.")
    private int user;

    @Option(names = "--address", paramLabel = "ADDRESS", required = true, split = ",",
            description = "Its virtual addresses, the first one first.")
    private List<String> addresses;

    @Option(names = "--hosts", paramLabel = "HOST", split = ",",
            description = "Hosts that alone may have its addresses; by default all.")
    private List<String> hosts;

    @Mixin
    private QuotaOptions quota;

    @Override
    protected int run(ControlStore store) throws IOException, InterruptedException {
        TenantId id = new TenantId(tenant);
        if (user < 0) {
            throw new IllegalArgumentException("user=" + user + " is no user's number");
        }
        if (hosts != null) {
            requireHosts(store, hosts);
        }
        List<VirtualAddress> own = addresses.stream().map(VirtualAddress::new).toList();
        String what = "create tenant=" + id + " user=" + user + " addresses=" + own;
        UnaryOperator<ControlState> edit = Edits.create(id, user, own, quota.change(Quota.DEFAULT));
        ControlState now = hosts == null ? store.change(what, edit)
                : ensemble(store).change(what + " hosts=" + hosts, edit, hosts);
        say("tenant " + id + " is known, epoch " + now.epoch() + "; it has no token yet: jvrpc router ctl token " + id,
                Codec.json(now.tenants().get(id)));
        return 0;
    }
}
