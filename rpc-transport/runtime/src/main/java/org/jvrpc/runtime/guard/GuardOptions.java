package org.jvrpc.runtime.guard;

import java.time.Duration;
import org.jvrpc.api.auth.AuditLog;
import org.jvrpc.api.auth.Authorizer;
import org.jvrpc.api.auth.TokenVerifier;
import org.jvrpc.runtime.PrincipalLimits;

/** What a server's guard is made with. A builder's state, read once. One thread. */
public final class GuardOptions {

    private static final long LEAST_NS = Duration.ofMillis(100).toNanos();
    private static final long MOST_NS = Duration.ofDays(1).toNanos();

    Authorizer authorizer;
    TokenVerifier verifier;
    PrincipalLimits limits;
    AuditLog audit;
    boolean auditCalls;
    long recheckNs = Duration.ofSeconds(30).toNanos();

    public void authorizer(Authorizer value) {
        authorizer = value;
    }

    public void verifier(TokenVerifier value) {
        verifier = value;
    }

    public void limits(PrincipalLimits value) {
        limits = value;
    }

    public void audit(AuditLog log, boolean calls) {
        audit = log;
        auditCalls = calls;
    }

    public void recheck(Duration bound) {
        long ns = bound.compareTo(Duration.ofDays(1)) > 0 ? Long.MAX_VALUE : bound.toNanos();
        if (ns < LEAST_NS || ns > MOST_NS) {
            throw new IllegalArgumentException("recheck must be 100 ms to 1 day, recheck=" + bound);
        }
        recheckNs = ns;
    }
}
