package org.jvrpc.router;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts what tenants are refused, on its way into the audit log. Any thread. */
final class Tally implements Audit {

    private final Audit log;
    private final Map<TenantId, LongAdder> refused = new ConcurrentHashMap<>();

    Tally(Audit log) {
        this.log = log;
    }

    @Override
    public void write(TenantId tenant, String what, Refusal refusal, String detail) {
        if (tenant != null && refusal != null) {
            refused.computeIfAbsent(tenant, id -> new LongAdder()).increment();
        }
        log.write(tenant, what, refusal, detail);
    }

    /** Returns how often a tenant was refused something. */
    long refused(TenantId tenant) {
        LongAdder count = refused.get(tenant);
        return count == null ? 0 : count.sum();
    }
}
