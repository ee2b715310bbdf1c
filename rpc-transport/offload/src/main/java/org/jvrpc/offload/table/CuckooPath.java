package org.jvrpc.offload.table;

/**
 * Makes room in a table in which each key has two places: an entry that is in the way goes to its other place, what is
 * there goes to its own other place, and so on, to a bucket that is empty. Moves begin at that end, so that whoever
 * looks meanwhile finds each entry in one of its places, or in both. One thread.
 */
public final class CuckooPath {

    /** Stands for no bucket. */
    public static final long NONE = -1;

    private final Buckets buckets;
    private final long[] path;

    /** The table. Buckets have numbers from 0 on, or any other names that are not {@link #NONE}. */
    public interface Buckets {

        /** Returns true when a bucket holds no entry. */
        boolean isEmpty(long bucket);

        /** Returns the other place of the entry in a bucket. */
        long other(long bucket);

        /** Copies an entry to a bucket that is empty, or whose own entry has moved on; the old one is written next. */
        void move(long from, long to);
    }

    /** @param longest the most entries that are moved for a new one */
    public CuckooPath(Buckets buckets, int longest) {
        this.buckets = buckets;
        this.path = new long[longest + 1];
    }

    /**
     * Returns one of a key's two places that may be written, after having moved others away where both are taken;
     * {@link #NONE} when there is no way, and nothing was moved.
     */
    public long room(long first, long second) {
        if (buckets.isEmpty(first)) {
            return first;
        }
        if (buckets.isEmpty(second)) {
            return second;
        }
        return leads(first) || leads(second) ? path[0] : NONE;
    }

    /** Moves all on the way from a bucket to an empty one; false when that is too long, or leads round for ever. */
    private boolean leads(long from) {
        path[0] = from;
        for (int steps = 1; steps < path.length; steps++) {
            long bucket = buckets.other(path[steps - 1]);
            path[steps] = bucket;
            if (buckets.isEmpty(bucket)) {
                for (int i = steps; i > 0; i--) {
                    buckets.move(path[i - 1], path[i]);
                }
                return true;
            }
        }
        return false;
    }
}
