package org.jvrpc.benchmarks.soak;

import java.util.List;
import java.util.Map;
import org.jvrpc.benchmarks.soak.audit.CallEnd;
import org.jvrpc.benchmarks.soak.audit.Slopes;

/**
 * What came out of a campaign.
 *
 * @param violations in the order in which they were found
 * @param leaks figures that grew and grew
 * @param ends how many calls ended how
 * @param skipped kinds of faults that this machine does not allow, with the reason
 */
record Outcome(List<Violation> violations, List<String> leaks, Slopes slopes, Map<CallEnd, Long> ends, int faults,
        List<String> skipped) {

    /** A broken promise, found at the end of a round; round 0 is the end of all. */
    record Violation(int round, String text) {
    }

    long calls() {
        return ends.values().stream().mapToLong(count -> count).sum();
    }

    boolean isGood() {
        return violations.isEmpty() && leaks.isEmpty();
    }
}
