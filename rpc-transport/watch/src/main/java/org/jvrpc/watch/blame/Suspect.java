package org.jvrpc.watch.blame;

/**
 * A part that may be bad, for all that crosses it or for some of it.
 *
 * @param big for probes over 1 KB alone
 * @param serviceLevel for one alone; -1: for all
 * @param there for the way there alone, on which long probes are long: answers are short
 * @param span over so many windows, the latest last
 * @param strength log-likelihood ratio less what so many suspects, and restrictions, cost
 */
record Suspect(int part, boolean big, int serviceLevel, boolean there, int span, long trials, long bad,
        double strength) {

    /** Returns true when it is about flows of that size class and service level. */
    boolean covers(int kind) {
        return (!big || kind >> 3 == 2) && (serviceLevel < 0 || (kind & 7) == serviceLevel);
    }

    /** Returns true when it is about a flow's time. */
    boolean crosses(Evidence evidence, int flow) {
        return covers(evidence.kind(flow))
                && (evidence.goesThere(flow, part) || !there && evidence.comesBack(flow, part));
    }

    boolean isRestricted() {
        return big || serviceLevel >= 0;
    }
}
