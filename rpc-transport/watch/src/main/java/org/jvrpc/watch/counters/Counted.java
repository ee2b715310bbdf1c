package org.jvrpc.watch.counters;

import org.jvrpc.watch.Reading;

/**
 * A reading, and where it is from.
 *
 * @param origin of the source, as {@code sysfs}
 * @param bits before it begins again at 0: 32 or 64
 * @param atNs when it was read, monotonic
 */
public record Counted(Reading reading, String origin, int bits, long atNs) {

    /** Returns {@code rxe0/1 out_of_sequence}, for people. */
    public String label() {
        return subject() + " " + reading.name();
    }

    /** Returns {@code rxe0/1}, or {@code rxe0} for a whole device. */
    public String subject() {
        return reading.port() == 0 ? reading.device() : reading.device() + "/" + reading.port();
    }
}
