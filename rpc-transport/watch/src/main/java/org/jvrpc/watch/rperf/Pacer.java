package org.jvrpc.watch.rperf;

/** Says when the next message is due: a grid of time that does not move when messages are late. */
final class Pacer {

    /** So many periods late, it begins anew: a host that stood still does not send all at once what it missed. */
    private static final int MOST_LATE = 16;

    private final LoadPattern pattern;
    private final long startNs;
    /** Messages that were due before. */
    private long count;
    /** Active time that was skipped. */
    private double skippedNs;

    Pacer(LoadPattern pattern, long startNs) {
        this.pattern = pattern;
        this.startNs = startNs;
    }

    /** Returns when the next is due; of those without a period, when there is activity next, now or later. */
    long dueNs(long nowNs) {
        if (pattern.periodNs() == 0) {
            return fromActive(toActive(nowNs));
        }
        return fromActive((long) (count / pattern.burst() * pattern.periodNs() + skippedNs));
    }

    /** One more was begun, or was due and could not be. */
    void next() {
        count++;
    }

    /** Skips what is long overdue; returns how many messages that is. */
    long skip(long nowNs) {
        if (pattern.periodNs() == 0) {
            return 0;
        }
        double lateNs = toActive(nowNs) - (count / pattern.burst() * pattern.periodNs() + skippedNs);
        if (lateNs < MOST_LATE * pattern.periodNs()) {
            return 0;
        }
        long periods = (long) (lateNs / pattern.periodNs());
        skippedNs += periods * pattern.periodNs();
        return periods * pattern.burst();
    }

    /** Active time until then; within a pause, until its end. */
    private long toActive(long atNs) {
        long sinceNs = atNs - startNs;
        if (pattern.onNs() == 0) {
            return sinceNs;
        }
        long cycle = pattern.onNs() + pattern.offNs();
        return sinceNs / cycle * pattern.onNs() + Math.min(pattern.onNs(), sinceNs % cycle);
    }

    private long fromActive(long activeNs) {
        if (pattern.onNs() == 0) {
            return startNs + activeNs;
        }
        return startNs + activeNs / pattern.onNs() * (pattern.onNs() + pattern.offNs()) + activeNs % pattern.onNs();
    }
}
