package org.jvrpc.tools.router.ctl.tenant;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jvrpc.router.Quota;
import org.jvrpc.router.TenantId;
import org.jvrpc.router.VirtualAddress;
import org.jvrpc.router.control.Codec;
import org.jvrpc.router.control.ControlState;
import org.jvrpc.router.control.ControlStore;
import org.jvrpc.router.control.JsonObject;
import org.jvrpc.router.map.TenantRecord;
import org.jvrpc.router.map.TokenHash;
import org.jvrpc.tools.router.ctl.verb.CtlVerb;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code jvrpc router ctl show}. */
@Command(name = "show", description = "Prints a tenant: what it may have, its tokens' names, where its addresses live.")
public final class ShowTenantCommand extends CtlVerb {

    @Parameters(paramLabel = "TENANT")
    private String tenant;

    @Override
    protected int run(ControlStore store) throws IOException, InterruptedException {
        ControlState state = store.read();
        TenantRecord record = tenant(state, new TenantId(tenant));
        say(text(state, record), json(state, record));
        return 0;
    }

    private static String text(ControlState state, TenantRecord record) {
        StringBuilder out = new StringBuilder("tenant " + record.id() + (record.revoked() ? " REVOKED" : "") + ", user "
                + record.user() + ", changed last at epoch " + record.epoch() + "\n");
        for (VirtualAddress address : record.addresses()) {
            out.append("address ").append(address).append(" at ").append(where(state.homes().get(address)))
                    .append('\n');
        }
        for (TokenHash token : record.tokens()) {
            out.append("token ").append(token.id()).append(" until ").append(Instant.ofEpochMilli(token.notAfterMs()))
                    .append('\n');
        }
        Quota quota = record.quota();
        return out.append("quota ").append(Codec.json(quota).replaceAll("[{}\"]", "")).toString();
    }

    /** A tenant, and where its addresses live. */
    public static String json(ControlState state, TenantRecord record) {
        List<String> homes = record.addresses().stream().map(state.homes()::get).filter(Objects::nonNull)
                .filter(home -> !home.host().isEmpty()).map(Codec::json).toList();
        return new JsonObject().raw("tenant", Codec.json(record)).raw("homes", JsonObject.list(homes)).toString();
    }
}
