package org.jvrpc.watch.blame;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jvrpc.watch.Cause;
import org.jvrpc.watch.Component.Kind;
import org.jvrpc.watch.Verdict;

/**
 * Tells a part that flaps from one that fails: it lost in some of the latest windows, and between them it was sound
 * beyond doubt. What comes and goes within one window is loss, as a window has sums alone. One thread.
 */
final class Outages {

    private static final Set<Cause> LOSSES = EnumSet.of(Cause.DROPS, Cause.DOWN, Cause.BLACKHOLE);
    private static final double MOST = 0.999;

    /** What each part lost in a window, whoever is to blame for it, and which parts were blamed. */
    private record Window(long[] trials, long[] bad, Set<Integer> blamed) { }

    private final Parts parts;
    private final Deque<Window> windows = new ArrayDeque<>();

    Outages(Parts parts) {
        this.parts = parts;
    }

    /** Begins a window, of which nothing has been taken out yet. */
    void begin(Evidence now) {
        Sums sums = new Sums(parts);
        sums.addLoss(now);
        long[] trials = new long[parts.size()];
        long[] bad = new long[parts.size()];
        for (int part = 0; part < trials.length; part++) {
            trials[part] = sums.trials(part);
            bad[part] = sums.bad(part);
        }
        windows.addLast(new Window(trials, bad, new HashSet<>()));
        if (windows.size() > Thresholds.REMEMBERED) {
            windows.removeFirst();
        }
    }

    /** Returns the verdicts of the window, in which parts that flap are said to. */
    List<Verdict> tell(List<Verdict> verdicts) {
        List<Verdict> told = new ArrayList<>(verdicts.size());
        for (Verdict verdict : verdicts) {
            Kind kind = verdict.who().kind();
            boolean isLoss = LOSSES.contains(verdict.cause()) && kind != Kind.AGENT && kind != Kind.FABRIC;
            told.add(isLoss ? tell(verdict) : verdict);
        }
        return told;
    }

    private Verdict tell(Verdict verdict) {
        int part = parts.whole(verdict.who());
        windows.getLast().blamed.add(part);
        int outages = outages(part);
        return outages < Thresholds.OUTAGES ? verdict : new Verdict(verdict.window(), verdict.who(), Cause.FLAPPING,
                verdict.strength(), verdict.share(), verdict.observations(), verdict.windows(), verdict.evidence()
                + "; outage " + outages + " in " + windows.size() + " windows, sound between them");
    }

    private int outages(int part) {
        double share = share(windows.getLast(), part);
        int outages = 0;
        boolean isUp = true;
        for (Window window : windows) {
            if (window.blamed.contains(part)) {
                outages += isUp ? 1 : 0;
                isUp = false;
            } else if (isSound(window, part, share)) {
                isUp = true;
            }
        }
        return outages;
    }

    private static double share(Window window, int part) {
        return part < window.trials.length && window.trials[part] > 0
                ? (double) window.bad[part] / window.trials[part] : 0;
    }

    /** Returns true when a window's figures are far better told by a sound part than by one that loses that share. */
    private static boolean isSound(Window window, int part, double share) {
        if (part >= window.trials.length || share <= Thresholds.LOSS) {
            return false;
        }
        double loses = Math.min(MOST, share);
        long bad = window.bad[part];
        return bad * Math.log(Thresholds.LOSS / loses)
                + (window.trials[part] - bad) * Math.log((1 - Thresholds.LOSS) / (1 - loses)) > Thresholds.SOUND;
    }
}
