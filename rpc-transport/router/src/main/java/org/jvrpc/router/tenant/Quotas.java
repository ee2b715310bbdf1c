package org.jvrpc.router.tenant;

import java.util.EnumMap;
import java.util.Map;
import org.jvrpc.router.Quota;
import org.jvrpc.router.QuotaKind;
import org.jvrpc.router.RefusedException;
import org.jvrpc.router.TenantId;

/** What a tenant has of what it may have, with all its devices. Any thread. */
public final class Quotas {

    private final TenantId tenant;
    private final Map<QuotaKind, Long> has = new EnumMap<>(QuotaKind.class);
    private Quota quota;

    /** A tenant that has nothing. */
    public Quotas(TenantId tenant, Quota quota) {
        this.tenant = tenant;
        this.quota = quota;
    }

    /**
     * Takes something.
     *
     * @param amount at least 0
     * @throws RefusedException QUOTA, and nothing is taken
     */
    public synchronized void take(QuotaKind kind, long amount) {
        long now = has(kind);
        long limit = quota.of(kind);
        if (amount < 0 || amount > limit - now) {
            throw RefusedException.quota(tenant, kind, now, amount, limit);
        }
        has.put(kind, now + amount);
    }

    /** Gives something back. @throws IllegalStateException when that is more than there was */
    public synchronized void give(QuotaKind kind, long amount) {
        long now = has(kind);
        if (amount < 0 || amount > now) {
            throw new IllegalStateException("tenant=" + tenant + " quota=" + kind + " has=" + now + " gives=" + amount);
        }
        has.put(kind, now - amount);
    }

    /** Returns how much it has. */
    public synchronized long has(QuotaKind kind) {
        return has.getOrDefault(kind, 0L);
    }

    /** Returns all that it has. */
    public synchronized Map<QuotaKind, Long> all() {
        return new EnumMap<>(has);
    }

    public synchronized Quota quota() {
        return quota;
    }

    /** Sets other limits. Who has more keeps it, and gets no more. */
    public synchronized void change(Quota now) {
        quota = now;
    }
}
