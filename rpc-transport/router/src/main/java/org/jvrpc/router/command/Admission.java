package org.jvrpc.router.command;

import java.nio.file.attribute.UserPrincipal;
import java.util.concurrent.CompletableFuture;
import org.jvrpc.router.TenantId;
import org.jvrpc.softrnic.router.wire.Hello;

/** Who may come in. The sessions' thread. */
public interface Admission {

    /**
     * Looks at a device that came by a tenant's socket: its user, the tenant's record, and its token.
     *
     * @param peer user of the process, as the kernel says
     * @return fails by a {@link org.jvrpc.router.RefusedException} with the reason, and nothing taken; never waits
     */
    CompletableFuture<Membership> admit(TenantId tenant, UserPrincipal peer, Hello hello);
}
