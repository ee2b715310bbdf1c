package org.jvrpc.offload.hull;

/**
 * When an application that died is started again: at once after a long life, ever later after short ones, and never
 * after too many of these in a row. Has no clock. One thread.
 */
final class RestartPolicy {

    /** It is not started again. */
    static final long NEVER = -1;

    private static final long FIRST_NS = 100_000_000;
    private static final long LONGEST_NS = 5_000_000_000L;

    private final int quickDeaths;
    private final long quickNs;
    private int quick;

    /**
     * @param quickDeaths how many short lives in a row are the end; 0 to never start it again
     * @param quickNs how long a short life lasts at most
     */
    RestartPolicy(int quickDeaths, long quickNs) {
        this.quickDeaths = quickDeaths;
        this.quickNs = quickNs;
    }

    /** Returns how long to wait before the next start, or {@link #NEVER}. */
    long died(long livedNs) {
        if (quickDeaths == 0) {
            return NEVER;
        }
        if (livedNs > quickNs) {
            quick = 0;
            return 0;
        }
        quick++;
        return quick >= quickDeaths ? NEVER : Math.min(LONGEST_NS, FIRST_NS << Math.min(quick - 1, 16));
    }

    /** Returns how many short lives there were in a row. */
    int quick() {
        return quick;
    }
}
