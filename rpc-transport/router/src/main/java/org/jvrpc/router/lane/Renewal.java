package org.jvrpc.router.lane;

/**
 * When the QPs beside a set of lanes are made anew that broke: one at a time, at most one a second, and fewer when that
 * does not help. Who dialled the lanes does it; the other router asks for it. No tenant can have more made than that,
 * whatever it takes back in the midst of being read. The maker's thread.
 */
final class Renewal {

    static final long EACH_NS = 1_000_000_000L;
    private static final long LAST_NS = 60_000_000_000L;

    private final Bulk bulk;
    private int generation;
    /** A bit for each that the peer found broken. */
    private int asked;
    private long againNs;
    private long restNs = EACH_NS;

    /** @param nowNs the lanes were made just now */
    Renewal(Bulk bulk, long nowNs) {
        this.bulk = bulk;
        this.againNs = nowNs + EACH_NS;
    }

    /** The peer found one broken. */
    void ask(int qp) {
        asked |= 1 << qp;
    }

    /** Returns the QP that is to be made anew now; -1 for none. Time goes on until the next one is. */
    int due(long nowNs) {
        int wanted = asked | bulk.broken();
        if (wanted == 0 || againNs - nowNs > 0) {
            return -1;
        }
        againNs = nowNs + restNs;
        int qp = Integer.numberOfTrailingZeros(wanted);
        if (bulk.isRenewed(qp)) {
            return -1;
        }
        asked &= ~(1 << qp);
        return qp;
    }

    /** Returns a generation that none before had, of which somebody dials. */
    int next() {
        return ++generation;
    }

    /** Tells whether a generation is none that was, and has it be the last one. */
    boolean accept(int came) {
        boolean higher = came > generation;
        generation = Math.max(generation, came);
        return higher;
    }

    /** It was made, or could not be. */
    void ended(boolean made) {
        restNs = made ? EACH_NS : Math.min(LAST_NS, 2 * restNs);
    }
}
