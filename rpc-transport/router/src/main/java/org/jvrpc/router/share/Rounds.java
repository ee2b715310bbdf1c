package org.jvrpc.router.share;

import java.util.Arrays;

/**
 * Deficit round robin over the tenants that are ready, in a ring of their numbers. A turn is 16 KiB and 8 WQEs at a
 * weight of 10. What a turn took too much is missing in the next ones, also after a rest.
 */
final class Rounds {

    /** The most bytes of a piece while others are ready. */
    static final int PIECE = 16 << 10;
    /** The most bytes of a piece while nobody else is. */
    static final int PIECE_ALONE = 64 << 10;
    /** A piece is no shorter because a turn ends. */
    private static final int LEAST_PIECE = 4 << 10;
    private static final int USUAL_WEIGHT = 10;
    private static final int TURN_WQES = 8;
    private static final int NONE = -1;
    /** Debts beyond are forgotten: no single piece of work is as much. */
    private static final long MOST_DEBT = 1L << 31;

    private int[] weights = new int[8];
    private int[] next = new int[8];
    private int[] previous = new int[8];
    /** In bytes times {@link #USUAL_WEIGHT}, as a turn's are {@link #PIECE} times the weight; so for WQEs. */
    private long[] bytes = new long[8];
    private long[] wqes = new long[8];
    private int current = NONE;
    private int count;

    /** Adds a tenant, or sets its weight. */
    void add(int tenant, int weight) {
        if (tenant >= weights.length) {
            int length = Math.max(tenant + 1, 2 * weights.length);
            weights = Arrays.copyOf(weights, length);
            next = Arrays.copyOf(next, length);
            previous = Arrays.copyOf(previous, length);
            bytes = Arrays.copyOf(bytes, length);
            wqes = Arrays.copyOf(wqes, length);
        }
        if (weights[tenant] == 0) {
            next[tenant] = NONE;
            bytes[tenant] = 0;
            wqes[tenant] = 0;
        }
        weights[tenant] = weight;
    }

    void remove(int tenant) {
        idle(tenant);
        weights[tenant] = 0;
    }

    private boolean isReady(int tenant) {
        return next[tenant] != NONE;
    }

    int ready() {
        return count;
    }

    /** Puts a tenant at the end of the round. */
    void ready(int tenant) {
        if (isReady(tenant)) {
            return;
        }
        if (count++ == 0) {
            next[tenant] = tenant;
            previous[tenant] = tenant;
            current = tenant;
            begin(tenant, 1);
            return;
        }
        int last = previous[current];
        next[last] = tenant;
        previous[tenant] = last;
        next[tenant] = current;
        previous[current] = tenant;
    }

    /** Takes a tenant out of the round: what is left of its turn is lost, what it owes is not. */
    void idle(int tenant) {
        if (!isReady(tenant)) {
            return;
        }
        next[previous[tenant]] = next[tenant];
        previous[next[tenant]] = previous[tenant];
        boolean its = tenant == current;
        int follower = next[tenant];
        next[tenant] = NONE;
        bytes[tenant] = Math.min(0, bytes[tenant]);
        wqes[tenant] = Math.min(0, wqes[tenant]);
        if (--count == 0) {
            current = NONE;
        } else if (its) {
            current = follower;
            begin(current, 1);
        }
    }

    private void begin(int tenant, long turns) {
        bytes[tenant] = filled(bytes[tenant], PIECE * (long) weights[tenant], turns);
        wqes[tenant] = filled(wqes[tenant], TURN_WQES * (long) weights[tenant], turns);
    }

    /** What is left of a turn that was ended by the other amount does not pile up. */
    private static long filled(long left, long turn, long turns) {
        return Math.min(left + turn * turns, turn);
    }

    private boolean hasTurn(int tenant) {
        return bytes[tenant] > 0 && wqes[tenant] > 0;
    }

    /** Returns whose turn it is; -1 when nobody is ready. */
    int next() {
        if (current == NONE || hasTurn(current)) {
            return current;
        }
        for (int i = 0; i < count; i++) {
            current = next[current];
            begin(current, 1);
            if (hasTurn(current)) {
                return current;
            }
        }
        return skip();
    }

    /** All owe: as many rounds pass at once as the first needs to have a turn. */
    private int skip() {
        long turns = Long.MAX_VALUE;
        for (int i = 0, tenant = current; i < count; i++, tenant = next[tenant]) {
            turns = Math.min(turns, Math.max(missing(bytes[tenant], PIECE * (long) weights[tenant]),
                    missing(wqes[tenant], TURN_WQES * (long) weights[tenant])));
        }
        int first = NONE;
        for (int i = 0; i < count; i++) {
            current = next[current];
            begin(current, turns);
            first = first == NONE && hasTurn(current) ? current : first;
        }
        current = first;
        return first;
    }

    private static long missing(long left, long turn) {
        return left > 0 ? 0 : -left / turn + 1;
    }

    void took(int tenant, long moreBytes, int moreWqes) {
        bytes[tenant] -= Math.min(moreBytes, MOST_DEBT) * USUAL_WEIGHT;
        bytes[tenant] = Math.max(bytes[tenant], -MOST_DEBT * USUAL_WEIGHT);
        wqes[tenant] = Math.max(wqes[tenant] - (long) moreWqes * USUAL_WEIGHT, -MOST_DEBT * USUAL_WEIGHT);
    }

    /** Returns how long the next piece of a tenant may be. */
    int budgetBytes(int tenant) {
        if (count <= 1) {
            return PIECE_ALONE;
        }
        return (int) Math.max(LEAST_PIECE, Math.min(PIECE, bytes[tenant] / USUAL_WEIGHT));
    }
}
