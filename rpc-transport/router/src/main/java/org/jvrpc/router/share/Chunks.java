package org.jvrpc.router.share;

import java.util.Arrays;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import org.jvrpc.router.Quota;
import org.jvrpc.router.Shares;
import org.jvrpc.router.TenantId;

/**
 * Rates and turns of a worker's tenants. What a tenant owes is remembered when its last device goes: coming anew pays
 * no debt and fills no bucket.
 */
public final class Chunks implements Shares {

    private record Change(TenantId tenant, Quota quota) { }

    private final Function<TenantId, Quota> quotas;
    private final Rounds rounds = new Rounds();
    /** Changed by the worker alone. */
    private final Map<TenantId, Rates> known = new ConcurrentHashMap<>();
    private final Queue<Change> changes = new ConcurrentLinkedQueue<>();
    private volatile boolean changed;
    private Rates[] rates = new Rates[8];

    /** @param quotas tells what a tenant may that is seen for the first time; null: {@link Quota#DEFAULT} */
    public Chunks(Function<TenantId, Quota> quotas) {
        this.quotas = quotas;
    }

    @Override
    public void begin(int tenant, TenantId id) {
        applyChanges();
        if (tenant >= rates.length) {
            rates = Arrays.copyOf(rates, Math.max(tenant + 1, 2 * rates.length));
        }
        Rates its = known.get(id);
        if (its == null) {
            Quota quota = quotas.apply(id);
            its = new Rates(quota == null ? Quota.DEFAULT : quota);
            known.put(id, its);
        }
        rates[tenant] = its;
        rounds.add(tenant, its.weight());
    }

    @Override
    public void end(int tenant) {
        rounds.remove(tenant);
        rates[tenant] = null;
    }

    @Override
    public void change(TenantId id, Quota quota) {
        changes.add(new Change(id, quota));
        changed = true;
    }

    private void applyChanges() {
        if (!changed) {
            return;
        }
        changed = false; // before the queue is read: what comes later sets it again
        for (Change change = changes.poll(); change != null; change = changes.poll()) {
            Rates its = known.get(change.tenant());
            if (its != null) {
                its.change(change.quota());
            }
        }
        for (int i = 0; i < rates.length; i++) {
            if (rates[i] != null) {
                rounds.add(i, rates[i].weight());
            }
        }
    }

    @Override
    public boolean mayGo(int tenant, long nowNs) {
        applyChanges();
        return rates[tenant].mayGo(nowNs);
    }

    /** {@inheritDoc} Each WQE is charged 64 bytes besides. */
    @Override
    public void took(int tenant, long moved, int done) {
        long charged = moved + (long) Rates.WQE_BYTES * done;
        rates[tenant].took(charged, done);
        rounds.took(tenant, charged, done);
    }

    /** Returns what a tenant has moved, or null for one that never came. Any thread. */
    public Moved moved(TenantId id) {
        Rates its = known.get(id);
        return its == null ? null : its.moved();
    }

    /** Takes all tenants' rates; to be called about each second, by one thread. */
    public void look(long nowNs) {
        known.values().forEach(its -> its.moved().look(nowNs));
    }

    @Override
    public boolean mayOffload(int tenant, long nowNs) {
        return rates[tenant].offloads().has(nowNs);
    }

    @Override
    public void offloaded(int tenant, int done) {
        rates[tenant].offloads().take(done);
    }

    @Override
    public long nextOffloadNs(int tenant, long nowNs) {
        return rates[tenant].offloads().nextNs(nowNs);
    }

    @Override
    public long nextNs(int tenant, long nowNs) {
        return rates[tenant].nextNs(nowNs);
    }

    @Override
    public int next() {
        return rounds.next();
    }

    @Override
    public void ready(int tenant) {
        rounds.ready(tenant);
    }

    @Override
    public void idle(int tenant) {
        rounds.idle(tenant);
    }

    @Override
    public int budgetBytes(int tenant) {
        return rounds.budgetBytes(tenant);
    }
}
