package org.jvrpc.runtime.thread;

/** Instants at which calls end, on the clock of their client or server: to be compared by their difference. */
public final class Deadline {

    /** No instant: it is not fixed yet. */
    public static final long NONE = 0;

    private Deadline() {
    }

    /** Returns the instant so many nanoseconds from now. */
    public static long after(Clock clock, long ns) {
        long at = clock.nanoTime() + ns;
        return at == NONE ? 1 : at;
    }

    /** Returns the nanoseconds until an instant, negative once it has passed. */
    public static long leftNs(Clock clock, long at) {
        return at - clock.nanoTime();
    }
}
