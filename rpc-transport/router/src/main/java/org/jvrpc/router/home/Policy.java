package org.jvrpc.router.home;

import org.jvrpc.router.Refusal;
import org.jvrpc.router.RefusedException;
import org.jvrpc.router.TenantId;
import org.jvrpc.router.map.ControlView;
import org.jvrpc.router.map.Rule;

/** Whether a tenant may reach another, by rules that are not too old to go by. Any thread. */
public final class Policy {

    private final ControlView view;
    private final long boundNs;

    /** @param boundNs how long the control plane may have been silent when a connection is made */
    public Policy(ControlView view, long boundNs) {
        this.view = view;
        this.boundNs = boundNs;
    }

    /** @throws RefusedException POLICY, or POLICY_OLD */
    public void check(TenantId from, TenantId to, int port, long nowNs) {
        long ageNs = nowNs - view.confirmedNs();
        if (ageNs > boundNs) {
            throw new RefusedException(Refusal.POLICY_OLD, "rules are from " + ageNs / 1_000_000 + " ms ago, limit="
                    + boundNs / 1_000_000 + " ms, control plane: " + view.trouble());
        }
        if (!allows(from, to, port)) {
            throw new RefusedException(Refusal.POLICY, "tenant=" + from + " may not reach tenant=" + to + " port="
                    + port);
        }
    }

    /** Returns what the rules say now, however old they are. */
    public boolean allows(TenantId from, TenantId to, int port) {
        for (Rule rule : view.rules()) {
            if ((rule.from() == null || rule.from().equals(from)) && (rule.to() == null || rule.to().equals(to))
                    && port >= rule.firstPort() && port <= rule.lastPort()) {
                return rule.allow();
            }
        }
        return from.equals(to);
    }
}
