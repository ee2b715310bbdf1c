package org.jvrpc.watch.counters;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A counter of pauses, by its name.
 *
 * @param received of pauses that came: this port rested; else of those sent
 * @param priority 0 to 7
 */
record PauseName(boolean received, int priority, What what) {

    /** What it counts. */
    enum What { FRAMES, DURATION, TRANSITIONS }

    static final Pattern PATTERN = Pattern.compile("([rt]x)_prio([0-7])_pause(|_duration|_transition)");

    static PauseName of(Matcher matched) {
        What what = switch (matched.group(3)) {
            case "" -> What.FRAMES;
            case "_duration" -> What.DURATION;
            default -> What.TRANSITIONS;
        };
        return new PauseName(matched.group(1).equals("rx"), matched.group(2).charAt(0) - '0', what);
    }

    /** Returns what a name is, null when it has nothing to do with pauses of a priority. */
    static PauseName of(String name) {
        Matcher matcher = PATTERN.matcher(name);
        return matcher.matches() ? of(matcher) : null;
    }

    String meaning() {
        String of = " of priority " + priority;
        return switch (what) {
            case FRAMES -> "Pause frames" + of + (received ? " that came." : " that were sent.");
            case DURATION -> "Microseconds that " + (received ? "this port sent nothing" : "the other end was told to"
                    + " send nothing") + of + ".";
            case TRANSITIONS -> "Times that a pause" + of + " ended.";
        };
    }
}
