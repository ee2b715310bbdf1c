package org.jvrpc.runtime.guard;

import org.jvrpc.api.auth.RpcPrincipal;

/** A call, or a stream, that was let in. Given back once, by {@link #end}. Any thread. */
public final class Pass {

    private final RpcPrincipal principal;
    /** Null where nothing is counted. */
    private final Account account;

    Pass(RpcPrincipal principal, Account account) {
        this.principal = principal;
        this.account = account;
    }

    public RpcPrincipal principal() {
        return principal;
    }

    Account account() {
        return account;
    }

    /** It is over. */
    public void end() {
        if (account != null) {
            account.leave();
        }
    }
}
