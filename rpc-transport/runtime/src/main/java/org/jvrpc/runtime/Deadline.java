package org.jvrpc.runtime;

/** Instants at which calls end, on the clock of {@link System#nanoTime}: to be compared by their difference. */
final class Deadline {

    /** No instant: it is not fixed yet. */
    static final long NONE = 0;

    private Deadline() {
    }

    /** Returns the instant so many nanoseconds from now. */
    static long after(long ns) {
        long at = System.nanoTime() + ns;
        return at == NONE ? 1 : at;
    }

    /** Returns the nanoseconds until an instant, negative once it has passed. */
    static long leftNs(long at) {
        return at - System.nanoTime();
    }
}
