package org.jvrpc.router.engine;

import java.util.function.Consumer;

/**
 * The QPs whose submit rings the worker looks at in each round: those that had something to do of late. The others'
 * owners ring by their sockets, so that a silent tenant costs nothing. The worker's thread.
 */
final class Hot {

    static final int SIZE = 64;
    /** How long a QP stays without having anything to do. */
    static final long SILENT_NS = 1_000_000;

    private final Recent recent;
    private final TenantQp[] qps = new TenantQp[SIZE];
    private int count;
    /** Memory of some was touched that are let go of since, and nobody has asked whether it was there. */
    private boolean cooled;

    Hot(Recent recent) {
        this.recent = recent;
    }

    /** Returns how many there are. */
    int count() {
        return count;
    }

    boolean isEmpty() {
        return count == 0;
    }

    /** Returns whether memory of other tenants than these two was touched here, perhaps, since {@link #asked}. */
    boolean hasOthers(Tenant tenant, Tenant peer) {
        return cooled || count > tenant.hot() + (tenant == peer ? 0 : peer.hot());
    }

    /**
     * A QP was served. Where there is no room, one of the tenant that has the most makes it, unless that has no more
     * than this one's; what was submitted to it meanwhile is found.
     */
    void serve(TenantQp qp, long nowNs, Consumer<TenantQp> found) {
        qp.served(nowNs);
        if (qp.isHot()) {
            return;
        }
        if (count == SIZE) {
            int i = ofTheGreediest();
            TenantQp other = qps[i];
            if (tenant(other).hot() <= tenant(qp).hot() + 1) {
                return;
            }
            if (cool(i)) {
                found.accept(other);
            }
        }
        tenant(qp).addHot(1);
        qps[count++] = qp; // first: to say so may be where memory of somebody is found to be gone
        qp.hot(true);
    }

    private int ofTheGreediest() {
        int most = 0;
        for (int i = 1; i < count; i++) {
            if (tenant(qps[i]).hot() > tenant(qps[most]).hot()) {
                most = i;
            }
        }
        return most;
    }

    private static Tenant tenant(TenantQp qp) {
        return qp.device().tenant();
    }

    /** Has those that have something in their submit rings found, and lets go of the silent ones. */
    void look(long nowNs, Consumer<TenantQp> found) {
        for (int i = count - 1; i >= 0; i--) {
            TenantQp qp = qps[i];
            if (qp.isClosed()) {
                remove(i);
            } else if (qp.hasSubmitted() || nowNs - qp.servedNs() > SILENT_NS && cool(i)) {
                found.accept(qp);
            }
        }
    }

    /** Lets go of all, and has those found whose owners were faster; true when there were some. */
    boolean cool(Consumer<TenantQp> found) {
        boolean some = false;
        for (int i = count - 1; i >= 0; i--) {
            TenantQp qp = qps[i];
            if (cool(i)) {
                some = true;
                found.accept(qp);
            }
        }
        return some;
    }

    /** Lets go of a QP; true when its owner was faster. */
    private boolean cool(int i) {
        TenantQp qp = qps[i];
        cooled = true;
        recent.add(qp.device());
        qp.hot(false);
        remove(i);
        return qp.hasSubmitted(); // its owner looks whether it is hot behind its entry
    }

    /** Somebody asks whether all memory was there that was touched. */
    void asked() {
        cooled = false;
    }

    /** Memory of one of them is gone: has all looked at. */
    void recall() {
        for (int i = 0; i < count; i++) {
            recent.add(qps[i].device());
        }
    }

    private void remove(int i) {
        tenant(qps[i]).addHot(-1);
        qps[i] = qps[--count];
        qps[count] = null;
    }

    /** Lets go of all of a device, whose memory is not touched any more. */
    void forget(TenantDevice device) {
        for (int i = count - 1; i >= 0; i--) {
            if (qps[i].device() == device) {
                remove(i);
            }
        }
    }
}
