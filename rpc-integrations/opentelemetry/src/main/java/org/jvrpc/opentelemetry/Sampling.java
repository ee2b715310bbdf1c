package org.jvrpc.opentelemetry;

import java.util.concurrent.ThreadLocalRandom;

/** Which part of the calls begins a trace. Immutable; any thread. */
final class Sampling {

    private static final double SCALE = 0x1p63;

    private final boolean all;
    private final long bound;

    /** @param part from 0 to 1 */
    Sampling(double part) {
        this.all = part == 1;
        this.bound = (long) (part * SCALE);
    }

    /** @throws IllegalArgumentException for anything but 0 to 1 */
    static double check(String name, double part) {
        if (!(part >= 0 && part <= 1)) {
            throw new IllegalArgumentException(name + " must be from 0 to 1, " + name + "=" + part);
        }
        return part;
    }

    /** Decides about one call; allocates nothing. */
    boolean takes() {
        return all || bound > 0 && ThreadLocalRandom.current().nextLong() >>> 1 < bound;
    }
}
