package org.jvrpc.runtime.guard;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jvrpc.api.auth.RpcPrincipal;
import org.jvrpc.runtime.PrincipalLimits;
import org.jvrpc.runtime.thread.Clock;

/**
 * The accounts of a server's principals. One goes when it says nothing that a new one would not say: without sessions
 * and calls, and with all that a second may have. Any thread.
 */
final class Accounts {

    private final PrincipalLimits limits;
    private final Clock clock;
    private final Map<RpcPrincipal, Account> all = new ConcurrentHashMap<>();

    Accounts(PrincipalLimits limits, Clock clock) {
        this.limits = limits;
        this.clock = clock;
    }

    Account of(RpcPrincipal principal) {
        return all.computeIfAbsent(principal, key -> new Account(key, limits, clock.nanoTime()));
    }

    /** Returns the account with a session more. */
    Account withSession(RpcPrincipal principal) {
        Account account = of(principal);
        while (!account.addSession()) {
            forget(principal, account);
            account = of(principal);
        }
        return account;
    }

    /** Has one go that is closed, whoever closed it. */
    void forget(RpcPrincipal principal, Account closed) {
        all.remove(principal, closed);
    }

    /** Has those go that may. */
    void sweep() {
        long nowNs = clock.nanoTime();
        all.forEach((principal, account) -> {
            if (account.closeIfIdle(nowNs)) {
                all.remove(principal, account);
            }
        });
    }

    int size() {
        return all.size();
    }
}
