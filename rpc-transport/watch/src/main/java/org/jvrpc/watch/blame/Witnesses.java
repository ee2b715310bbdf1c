package org.jvrpc.watch.blame;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What speaks against one suspect, flow by flow. */
final class Witnesses {

    private static final int ID_BITS = 24;

    private final Suspect suspect;
    private final Aspect aspect;
    private final Baselines baselines;
    private final Set<Long> pairs = new HashSet<>();
    private final Set<Integer> probers = new HashSet<>();
    private long trials;
    private long bad;
    private double latest;
    private long trialsNow;
    private long badNow;
    private int inARow;

    Witnesses(List<Evidence> windows, Suspect suspect, Aspect aspect, Baselines baselines) {
        this.suspect = suspect;
        this.aspect = aspect;
        this.baselines = baselines;
        for (int i = 0; i < windows.size(); i++) {
            if (i == windows.size() - suspect.span()) {
                trials = 0;
                bad = 0;
                pairs.clear();
                probers.clear();
            }
            long trialsBefore = trials;
            long badBefore = bad;
            hear(windows.get(i));
            trialsNow = trials - trialsBefore;
            badNow = bad - badBefore;
            latest = Likelihood.ratio(trialsNow, badNow, aspect.base);
            inARow = latest > 0 ? inARow + 1 : 0;
        }
    }

    private void hear(Evidence evidence) {
        for (int flow = 0; flow < evidence.count(); flow++) {
            if (suspect.covers(evidence.kind(flow))) {
                long before = bad;
                if (aspect == Aspect.LOSS) {
                    loss(evidence, flow);
                } else {
                    time(evidence, flow);
                }
                if (bad > before) {
                    pairs.add((long) evidence.from(flow) << ID_BITS | evidence.to(flow));
                    probers.add(evidence.from(flow));
                }
            }
        }
    }

    private void loss(Evidence evidence, int flow) {
        boolean there = evidence.goesThere(flow, suspect.part());
        boolean back = evidence.comesBack(flow, suspect.part());
        int unknown = evidence.lostUnknown(flow);
        if (there && !evidence.isGone(Evidence.GONE_FORWARD, flow)) {
            trials += evidence.sent(flow) - unknown;
            bad += evidence.lostForward(flow);
        }
        if (back && !evidence.isGone(Evidence.GONE_BACK, flow)) {
            trials += evidence.sent(flow) - unknown - evidence.lostForward(flow);
            bad += evidence.lostBack(flow);
        }
        if ((there || back) && !evidence.isGone(Evidence.GONE_UNKNOWN, flow)) {
            trials += unknown;
            bad += unknown;
        }
    }

    private void time(Evidence evidence, int flow) {
        if (suspect.crosses(evidence, flow) && !evidence.isGone(aspect.gone, flow)) {
            int slow = aspect.bad(evidence, flow, baselines);
            if (slow >= 0) {
                trials += evidence.received(flow);
                bad += slow;
            }
        }
    }

    /** Returns true when they are many enough, and not of one mind only. */
    boolean areEnough() {
        return bad >= Thresholds.BAD && pairs.size() >= Thresholds.PAIRS && probers.size() >= Thresholds.PROBERS
                && lowerBound() > aspect.least && latest > 0
                && (inARow >= Thresholds.WINDOWS || latest > Thresholds.AT_ONCE);
    }

    double lowerBound() {
        return Likelihood.lowerBound(trials, bad);
    }

    /** Returns true when all are lost: nearly all of all windows, or all of the latest, when it was sound before. */
    boolean tellOfAll() {
        return lowerBound() > Thresholds.ALL || Likelihood.lowerBound(trialsNow, badNow) > Thresholds.ALL;
    }

    /** Returns true when nothing has passed in the latest window. */
    boolean tellOfAllNow() {
        return badNow == trialsNow;
    }

    int pairs() {
        return pairs.size();
    }

    int inARow() {
        return inARow;
    }

    /** Takes out of the evidence what the suspect explains: of all kinds when it is named, else of its own. */
    void take(List<Evidence> windows, boolean isNamed) {
        for (Evidence evidence : windows) {
            for (int flow = 0; flow < evidence.count(); flow++) {
                if (suspect.covers(evidence.kind(flow))) {
                    take(evidence, flow, isNamed);
                }
            }
        }
    }

    private void take(Evidence evidence, int flow, boolean isNamed) {
        boolean there = evidence.goesThere(flow, suspect.part());
        boolean back = evidence.comesBack(flow, suspect.part());
        if (!there && !back) {
            return;
        }
        if (aspect != Aspect.LOSS && !isNamed) {
            evidence.take(aspect.gone, flow);
            return;
        }
        if (there) {
            evidence.take(Evidence.GONE_FORWARD, flow);
        }
        if (back) {
            evidence.take(Evidence.GONE_BACK, flow);
        }
        evidence.take(Evidence.GONE_UNKNOWN, flow);
        if (isNamed) {
            evidence.takeTimes(flow);
        }
    }
}
