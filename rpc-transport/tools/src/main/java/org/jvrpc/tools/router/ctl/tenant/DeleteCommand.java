package org.jvrpc.tools.router.ctl.tenant;

import java.io.IOException;
import org.jvrpc.router.TenantId;
import org.jvrpc.router.control.ControlState;
import org.jvrpc.router.control.ControlStore;
import org.jvrpc.router.control.Edits;
import org.jvrpc.router.control.JsonObject;
import org.jvrpc.router.map.TenantRecord;
import org.jvrpc.tools.router.ctl.verb.CtlVerb;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code jvrpc router ctl delete}. */
@Command(name = "delete", description = {"Removes a tenant: its tokens, its addresses, which others may have then, and"
        + " the rules that name it. Its folder stays on its hosts, and is not looked at.",
    "Refused while it is attached, that is, while an address of it lives at a host, unless it is revoked; a file does"
        + " not say whether it is, so there it has to be revoked. With --force its routers end its devices."})
public final class DeleteCommand extends CtlVerb {

    @Parameters(paramLabel = "TENANT")
    private String tenant;

    @Option(names = "--force", description = "Also while it is attached.")
    private boolean force;

    @Override
    protected int run(ControlStore store) throws IOException, InterruptedException {
        TenantId id = new TenantId(tenant);
        ControlState was = store.read();
        TenantRecord record = tenant(was, id);
        if (isFile() && !force && !record.revoked()) {
            throw new IllegalArgumentException("tenant=" + id + " is not revoked, and may be attached: jvrpc router ctl"
                    + " revoke " + id + " comes first, or --force");
        }
        ControlState now;
        try {
            now = store.change("delete tenant=" + id + " addresses=" + record.addresses() + (force ? " force" : ""),
                    Edits.delete(id, force));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(e.getMessage() + ": stop it, revoke it, or use --force", e);
        }
        long rules = was.rules().stream().filter(rule -> id.equals(rule.from()) || id.equals(rule.to())).count();
        say("tenant " + id + " is deleted, with addresses " + record.addresses() + " and " + rules + " rules, epoch "
                + now.epoch(), new JsonObject().text("deleted", id.name())
                .raw("addresses", JsonObject.texts(record.addresses())).number("rules", rules)
                .number("epoch", now.epoch()));
        return 0;
    }
}
