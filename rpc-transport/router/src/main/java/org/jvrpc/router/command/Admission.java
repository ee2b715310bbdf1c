package org.jvrpc.router.command;

import java.nio.file.attribute.UserPrincipal;
import org.jvrpc.router.TenantId;
import org.jvrpc.softrnic.router.wire.Hello;

/** Who may come in. The sessions' thread. */
public interface Admission {

    /**
     * Looks at a device that came by a tenant's socket: its user, the tenant's record, and its token.
     *
     * @param peer user of the process, as the kernel says
     * @throws org.jvrpc.router.RefusedException with the reason, and nothing taken
     */
    Membership admit(TenantId tenant, UserPrincipal peer, Hello hello);
}
