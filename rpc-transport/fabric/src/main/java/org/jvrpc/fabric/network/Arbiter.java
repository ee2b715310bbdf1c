package org.jvrpc.fabric.network;

/** Chooses the queue that sends next, of 64 at most. */
final class Arbiter {

    /** What it knows of queues. */
    interface Heads {

        /** Returns the oldest frame of a queue that is not empty. */
        Frame head(int queue);
    }

    private final Scheduling scheduling;
    private final int[] weights;
    private final long[] deficits;
    private int at;
    /** The queue at hand has got its weight for this visit. */
    private boolean served;

    /**
     * Makes one.
     *
     * @param weights bytes that a queue may send a round, at least 1, for deficit round robin
     */
    Arbiter(Scheduling scheduling, int[] weights) {
        this.scheduling = scheduling;
        this.weights = weights;
        deficits = new long[weights.length];
        at = weights.length - 1;
    }

    /**
     * Chooses one, which then sends its oldest frame.
     *
     * @param ready queues that are not empty and may send, as bits, at least one
     */
    int pick(long ready, Heads heads) {
        if ((ready & ready - 1) == 0 && scheduling != Scheduling.DEFICIT_ROUND_ROBIN) {
            at = Long.numberOfTrailingZeros(ready);
            return at;
        }
        return switch (scheduling) {
            case STRICT_PRIORITY -> Long.SIZE - 1 - Long.numberOfLeadingZeros(ready);
            case FIRST_COME -> oldest(ready, heads);
            case ROUND_ROBIN -> after(ready);
            case DEFICIT_ROUND_ROBIN -> deficit(ready, heads);
        };
    }

    private static int oldest(long ready, Heads heads) {
        int best = -1;
        for (long left = ready; left != 0; left &= left - 1) {
            int queue = Long.numberOfTrailingZeros(left);
            if (best < 0 || heads.head(queue).order < heads.head(best).order) {
                best = queue;
            }
        }
        return best;
    }

    /** Goes on to the next that is ready. */
    private int after(long ready) {
        long later = at == Long.SIZE - 1 ? 0 : ready & -1L << at + 1;
        at = Long.numberOfTrailingZeros(later != 0 ? later : ready);
        return at;
    }

    private int deficit(long ready, Heads heads) {
        while (true) {
            if ((ready >> at & 1) == 0) {
                deficits[at] = 0; // who has nothing to send saves nothing
            } else {
                if (!served) {
                    deficits[at] += weights[at];
                    served = true;
                }
                int bytes = heads.head(at).bytes;
                if (bytes <= deficits[at]) {
                    deficits[at] -= bytes;
                    return at;
                }
            }
            after(ready);
            served = false;
        }
    }
}
