package org.jvrpc.tools.router.ctl.tenant;

import java.io.IOException;
import org.jvrpc.router.TenantId;
import org.jvrpc.router.control.Codec;
import org.jvrpc.router.control.ControlState;
import org.jvrpc.router.control.ControlStore;
import org.jvrpc.router.control.Edits;
import org.jvrpc.tools.router.ctl.verb.CtlVerb;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code jvrpc router ctl revoke}. */
@Command(name = "revoke", description = "Has a tenant cut off at each host, and lets it in no more.")
public final class RevokeCommand extends CtlVerb {

    @Parameters(paramLabel = "TENANT")
    private String tenant;

    @Option(names = "--undo", description = "Let it in again.")
    private boolean undo;

    @Override
    protected int run(ControlStore store) throws IOException, InterruptedException {
        TenantId id = new TenantId(tenant);
        ControlState now = store.change((undo ? "let in again" : "revoke") + " tenant=" + id,
                Edits.revoke(id, !undo));
        say("tenant " + id + (undo ? " may come again" : " is revoked") + ", epoch " + now.epoch(),
                Codec.json(now.tenants().get(id)));
        return 0;
    }
}
