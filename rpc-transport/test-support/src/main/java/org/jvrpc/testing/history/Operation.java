package org.jvrpc.testing.history;

import java.util.Objects;

/**
 * One operation of a history.
 *
 * @param who did it, for the eye
 * @param key names the object that it is about; operations of two keys have nothing to do with each other
 * @param call what was asked, as the model takes it
 * @param answer what came back; null while pending
 * @param startNs not later than it began
 * @param endNs not earlier than it ended; {@link #NEVER} while pending: it takes effect at any later time, or never
 */
public record Operation(String who, String key, Object call, Object answer, long startNs, long endNs) {

    /** The end of what is pending. */
    public static final long NEVER = Long.MAX_VALUE;

    /** Checks. @throws IllegalArgumentException when it ends before it begins, or has an answer and no end */
    public Operation {
        Objects.requireNonNull(call, "call");
        if (endNs < startNs || endNs == NEVER == (answer != null)) {
            throw new IllegalArgumentException(
                    call + ": startNs=" + startNs + " endNs=" + endNs + " answer=" + answer);
        }
    }

    /** Returns true when nobody knows whether, or when, it took effect. */
    public boolean isPending() {
        return endNs == NEVER;
    }

    /** Returns what was known of it at an earlier time. */
    Operation asOf(long ns) {
        return endNs <= ns ? this : new Operation(who, key, call, null, startNs, NEVER);
    }

    /** Returns it as a line, its times from an origin. */
    String line(long originNs) {
        String end = isPending() ? "       pending" : String.format("%14.3f", (endNs - originNs) / 1000.0);
        return String.format("%14.3f %s us  %-12s %s%s", (startNs - originNs) / 1000.0, end, who, call,
                isPending() ? "" : " = " + answer);
    }
}
