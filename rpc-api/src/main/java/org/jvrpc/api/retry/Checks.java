package org.jvrpc.api.retry;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import org.jvrpc.api.Status;

/** What the values of policies may be. */
final class Checks {

    static final int MOST_ATTEMPTS = 5;
    private static final Duration LONGEST = Duration.ofDays(1);

    private Checks() {
    }

    static int attempts(int value) {
        if (value < 2 || value > MOST_ATTEMPTS) {
            throw new IllegalArgumentException("maxAttempts must be 2 to " + MOST_ATTEMPTS + ", maxAttempts=" + value);
        }
        return value;
    }

    /** @param least the least that it may be */
    static Duration time(String name, Duration value, Duration least) {
        if (value.compareTo(least) < 0 || value.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(name + " must be " + least + " to " + LONGEST + ", " + name + "="
                    + value);
        }
        return value;
    }

    static Set<Status> codes(String name, Status... codes) {
        EnumSet<Status> all = EnumSet.noneOf(Status.class);
        for (Status code : codes) {
            if (code == Status.OK) {
                throw new IllegalArgumentException(name + " cannot have OK: a call that ended so did not fail");
            }
            all.add(code);
        }
        return Set.copyOf(all);
    }
}
