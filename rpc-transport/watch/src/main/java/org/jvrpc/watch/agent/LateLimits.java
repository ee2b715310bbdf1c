package org.jvrpc.watch.agent;

import java.util.HashMap;
import java.util.Map;
import org.jvrpc.watch.AgentInfo;

/**
 * From when on an answer is late: half as long again as all but one of a thousand take to hosts as near, of that size
 * and service level, and 2 us. Learnt from windows in which few were late, so that what lasts does not become the rule;
 * there is no limit before {@value #ENOUGH} samples. One thread.
 */
final class LateLimits {

    static final int ENOUGH = 1000;

    private static final int MOST = 8192;
    private static final double MOST_LATE = 0.01;
    private static final long MARGIN_NS = 2_000;

    /** What is known of a class, and what this window brings. */
    private static final class Learnt {
        private final Samples known = new Samples();
        private final Samples fresh = new Samples();
        private int late;
        private long limitNs = Long.MAX_VALUE;

        private void learn() {
            if (late <= MOST_LATE * fresh.count()) {
                if (known.count() + fresh.count() > MOST) {
                    known.clear();
                }
                for (int i = 0; i < fresh.count(); i++) {
                    known.add(fresh.get(i));
                }
                if (known.count() >= ENOUGH) {
                    limitNs = known.perMille(999) * 3 / 2 + MARGIN_NS;
                }
            }
            fresh.clear();
            late = 0;
        }
    }

    private final AgentInfo self;
    private final Map<Integer, Learnt> classes = new HashMap<>();

    LateLimits(AgentInfo self) {
        this.self = self;
    }

    /** Takes the network's part of a probe, and tells whether it is late. */
    boolean isLate(AgentInfo target, int size, int serviceLevel, long networkNs) {
        int distance = self.rack().equals(target.rack()) && self.pod().equals(target.pod()) ? 0
                : self.pod().equals(target.pod()) ? 1 : 2;
        Learnt learnt = classes.computeIfAbsent(distance << 8 | size << 4 | serviceLevel, none -> new Learnt());
        learnt.fresh.add(networkNs);
        boolean late = networkNs > learnt.limitNs;
        learnt.late += late ? 1 : 0;
        return late;
    }

    /** A window is over. */
    void learn() {
        classes.values().forEach(Learnt::learn);
    }
}
