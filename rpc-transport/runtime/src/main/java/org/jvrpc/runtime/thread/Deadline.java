package org.jvrpc.runtime.thread;

/** Instants at which calls end, on the clock of {@link System#nanoTime}: to be compared by their difference. */
public final class Deadline {

    /** No instant: it is not fixed yet. */
    public static final long NONE = 0;

    private Deadline() {
    }

    /** Returns the instant so many nanoseconds from now. */
    public static long after(long ns) {
        long at = System.nanoTime() + ns;
        return at == NONE ? 1 : at;
    }

    /** Returns the nanoseconds until an instant, negative once it has passed. */
    public static long leftNs(long at) {
        return at - System.nanoTime();
    }
}
