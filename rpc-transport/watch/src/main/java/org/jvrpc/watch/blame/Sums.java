package org.jvrpc.watch.blame;

import java.util.Arrays;
import org.jvrpc.watch.Component;

/** Trials and bad ones of each part, by size class and service level. */
final class Sums {

    private static final int KINDS = 24;
    private static final int SIZES = 3;
    private static final int LEVELS = 8;
    private static final int BIG = 2;
    /** Of size and of way. */
    private static final int CHOICES = 4;
    private static final int CABLE = 2;
    private static final double EQUAL = 1e-9;

    private final Parts parts;
    private final long[] trials;
    private final long[] bad;
    /** Of the way there alone. */
    private final long[] trialsThere;
    private final long[] badThere;
    private int levels;

    Sums(Parts parts) {
        this.parts = parts;
        trials = new long[parts.size() * KINDS];
        bad = new long[parts.size() * KINDS];
        trialsThere = new long[parts.size() * KINDS];
        badThere = new long[parts.size() * KINDS];
    }

    void addLoss(Evidence evidence) {
        for (int flow = 0; flow < evidence.count(); flow++) {
            int sent = evidence.sent(flow);
            int unknown = evidence.lostUnknown(flow);
            int forward = evidence.lostForward(flow);
            if (!evidence.isGone(Evidence.GONE_FORWARD, flow)) {
                hosts(evidence, flow, sent - unknown, forward);
                way(evidence, flow, evidence.thereAt(flow), evidence.backAt(flow), sent - unknown, forward);
            }
            if (!evidence.isGone(Evidence.GONE_BACK, flow)) {
                int came = sent - unknown - forward;
                hosts(evidence, flow, came, evidence.lostBack(flow));
                way(evidence, flow, evidence.backAt(flow), evidence.endAt(flow), came, evidence.lostBack(flow));
            }
            if (unknown > 0 && !evidence.isGone(Evidence.GONE_UNKNOWN, flow)) {
                both(evidence, flow, unknown, unknown);
            }
        }
    }

    void addTimes(Evidence evidence, Aspect aspect, Baselines baselines) {
        for (int flow = 0; flow < evidence.count(); flow++) {
            if (!evidence.isGone(aspect.gone, flow)) {
                int slow = aspect.bad(evidence, flow, baselines);
                if (slow >= 0) {
                    both(evidence, flow, evidence.received(flow), slow);
                    there(evidence, flow, evidence.received(flow), slow);
                }
            }
        }
    }

    /** Counts a part once that is on both ways. */
    private void both(Evidence evidence, int flow, int count, int badOnes) {
        hosts(evidence, flow, count, badOnes);
        int middle = evidence.backAt(flow);
        way(evidence, flow, evidence.thereAt(flow), middle, count, badOnes);
        for (int at = middle; at < evidence.endAt(flow); at++) {
            boolean counted = false;
            for (int other = evidence.thereAt(flow); other < middle && !counted; other++) {
                counted = evidence.part(other) == evidence.part(at);
            }
            if (!counted) {
                add(evidence.part(at), evidence.kind(flow), count, badOnes);
            }
        }
    }

    private void there(Evidence evidence, int flow, int count, int badOnes) {
        for (int at = evidence.thereAt(flow); at < evidence.backAt(flow); at++) {
            int index = evidence.part(at) * KINDS + evidence.kind(flow);
            trialsThere[index] += count;
            badThere[index] += badOnes;
        }
    }

    private void hosts(Evidence evidence, int flow, int count, int badOnes) {
        add(evidence.from(flow), evidence.kind(flow), count, badOnes);
        add(evidence.to(flow), evidence.kind(flow), count, badOnes);
    }

    private void way(Evidence evidence, int flow, int from, int to, int count, int badOnes) {
        for (int at = from; at < to; at++) {
            add(evidence.part(at), evidence.kind(flow), count, badOnes);
        }
    }

    private void add(int part, int kind, int count, int badOnes) {
        trials[part * KINDS + kind] += count;
        bad[part * KINDS + kind] += badOnes;
        levels |= 1 << (kind & LEVELS - 1);
    }

    /** Returns how many probes crossed a part, each way of theirs. */
    long trials(int part) {
        return Arrays.stream(trials, part * KINDS, (part + 1) * KINDS).sum();
    }

    /** Returns how many of {@link #trials(int)} were bad. */
    long bad(int part) {
        return Arrays.stream(bad, part * KINDS, (part + 1) * KINDS).sum();
    }

    /** Returns who explains most, or null when nobody does enough. */
    Suspect strongest(Aspect aspect, int span) {
        int choices = Integer.bitCount(levels) > 1 ? Integer.bitCount(levels) + 1 : 1;
        double price = Math.log(Math.max(1, (double) parts.size() * CHOICES * choices * Thresholds.KEPT_WINDOWS));
        Suspect best = null;
        for (int part = 0; part < parts.size(); part++) {
            for (int level = -1; level < (choices > 1 ? LEVELS : 0); level++) {
                best = better(best, suspect(aspect, part, false, level, false, span, price));
                best = better(best, suspect(aspect, part, true, level, false, span, price));
                if (aspect != Aspect.LOSS) {
                    best = better(best, suspect(aspect, part, false, level, true, span, price));
                    best = better(best, suspect(aspect, part, true, level, true, span, price));
                }
            }
        }
        return best;
    }

    /** Of times, a share that would not be named does not stand in front of a larger one of fewer probes. */
    private Suspect suspect(Aspect aspect, int part, boolean big, int level, boolean there, int span,
            double price) {
        long count = 0;
        long badOnes = 0;
        for (int size = big ? BIG : 0; size < SIZES; size++) {
            for (int each = level < 0 ? 0 : level; each < (level < 0 ? LEVELS : level + 1); each++) {
                int index = part * KINDS + size * LEVELS + each;
                count += there ? trialsThere[index] : trials[index];
                badOnes += there ? badThere[index] : bad[index];
            }
        }
        double strength = Likelihood.ratio(count, badOnes, aspect.base) - price
                - ((big ? 1 : 0) + (level >= 0 ? 1 : 0) + (there ? 1 : 0)) * Thresholds.RESTRICTION;
        boolean slight = aspect != Aspect.LOSS && Likelihood.lowerBound(count, badOnes) <= aspect.least;
        return strength < Thresholds.STRENGTH || slight ? null
                : new Suspect(part, big, level, there, span, count, badOnes, strength);
    }

    /** Of two that explain as much, the whole host, then the whole switch: nothing tells its link from it. */
    private Suspect better(Suspect best, Suspect next) {
        if (next == null || best == null) {
            return next == null ? best : next;
        }
        double more = next.strength() - best.strength();
        if (Math.abs(more) > EQUAL * best.strength()) {
            return more > 0 ? next : best;
        }
        return rank(next.part()) < rank(best.part()) ? next : best;
    }

    private int rank(int part) {
        Component.Kind kind = parts.part(part).kind();
        if (kind == Component.Kind.LINK) {
            return parts.part(part).name().contains(Parts.BOTH_WAYS) ? CABLE : CABLE + 1;
        }
        return kind == Component.Kind.HOST ? 0 : 1;
    }
}
