package org.jvrpc.tools.router.ctl.tenant;

import java.io.IOException;
import org.jvrpc.router.Quota;
import org.jvrpc.router.TenantId;
import org.jvrpc.router.control.Codec;
import org.jvrpc.router.control.ControlState;
import org.jvrpc.router.control.ControlStore;
import org.jvrpc.router.control.Edits;
import org.jvrpc.tools.router.ctl.verb.CtlVerb;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code jvrpc router ctl quota}. */
@Command(name = "quota", description = "Changes what a tenant may have: what is not named stays.")
public final class QuotaCommand extends CtlVerb {

    @Parameters(paramLabel = "TENANT")
    private String tenant;

    @Mixin
    private QuotaOptions options;

    @Override
    protected int run(ControlStore store) throws IOException, InterruptedException {
        TenantId id = new TenantId(tenant);
        Quota was = tenant(store.read(), id).quota();
        Quota wanted = options.change(was);
        if (!wanted.equals(was)) {
            ControlState now = store.change("quota tenant=" + id + " " + Codec.json(wanted),
                    Edits.quota(id, options::change));
            wanted = now.tenants().get(id).quota();
        }
        say(Codec.json(wanted).replaceAll("[{}\"]", ""), Codec.json(wanted));
        return 0;
    }
}
