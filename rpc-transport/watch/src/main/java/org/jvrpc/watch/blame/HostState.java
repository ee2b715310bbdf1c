package org.jvrpc.watch.blame;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import org.jvrpc.watch.AgentInfo;
import org.jvrpc.watch.RackNames;
import org.jvrpc.watch.Reading;
import org.jvrpc.watch.report.Report;

/** What is known of one agent's host: this window's sums, and what is remembered of earlier windows. */
final class HostState {

    /** Packets whose ICRC was wrong, as mlx5 calls them. */
    static final String DAMAGED = "rx_icrc_encapsulated";

    private static final String PAUSE = "tx_prio\\d_pause";

    /** Delays of one window, or of some. */
    static final class Delays {
        long all;
        long bad;
        final Set<Integer> beside = new HashSet<>();

        private Delays and(Delays other) {
            Delays sum = new Delays();
            sum.all = all + other.all;
            sum.bad = bad + other.bad;
            sum.beside.addAll(beside);
            sum.beside.addAll(other.beside);
            return sum;
        }

        double strength() {
            return Likelihood.ratio(all, bad, Thresholds.DELAYED);
        }
    }

    final AgentInfo agent;
    /** With its pod, as racks of two pods may have one name. */
    final String rack;
    final int part;
    /** The switch it hangs on, found anew for each window. */
    int tor;
    /** Ways from and to its rack are known, some at least. */
    boolean isTraced;
    long sentTo;
    long lostTo;
    /** Of other racks. */
    long sentFromAfar;
    long lostFromAfar;
    long worstDelayNs;
    final Set<Integer> probers = new HashSet<>();
    boolean reports;
    long pauses;
    long damaged;

    /** The latest first. */
    private final Deque<Delays> kept = new ArrayDeque<>();
    private long pausesUntilNow = -1;
    private long damagedUntilNow = -1;
    boolean everReported;
    int silentWindows;
    int deadWindows;
    int heldUpWindows;

    HostState(AgentInfo agent, int part) {
        this.agent = agent;
        this.rack = RackNames.full(agent);
        this.part = part;
    }

    void begin() {
        sentTo = 0;
        lostTo = 0;
        sentFromAfar = 0;
        lostFromAfar = 0;
        worstDelayNs = 0;
        probers.clear();
        if (kept.size() == Thresholds.KEPT_WINDOWS) {
            kept.removeLast();
        }
        kept.addFirst(new Delays());
        reports = false;
        pauses = 0;
        damaged = 0;
    }

    void reported(Report report) {
        reports = true;
        everReported = true;
        long pausesNow = 0;
        long damagedNow = 0;
        boolean readPauses = false;
        boolean readDamaged = false;
        for (Reading reading : report.counters()) {
            if (reading.isReadable() && reading.name().equals(DAMAGED)) {
                damagedNow += reading.value();
                readDamaged = true;
            } else if (reading.isReadable() && reading.name().matches(PAUSE)) {
                pausesNow += reading.value();
                readPauses = true;
            }
        }
        pauses = readPauses && pausesUntilNow >= 0 ? Math.max(0, pausesNow - pausesUntilNow) : 0;
        damaged = readDamaged && damagedUntilNow >= 0 ? Math.max(0, damagedNow - damagedUntilNow) : 0;
        pausesUntilNow = readPauses ? pausesNow : -1;
        damagedUntilNow = readDamaged ? damagedNow : -1;
    }

    void probed(AgentInfo by, boolean isNear, int sent, int lost) {
        probers.add(by.id());
        sentTo += sent;
        lostTo += lost;
        if (!isNear) {
            sentFromAfar += sent;
            lostFromAfar += lost;
        }
    }

    /** A delay that this host added; of 0 what is not known. */
    void delay(long ns, long limitNs, int beside) {
        if (ns > 0) {
            Delays now = kept.getFirst();
            now.all++;
            worstDelayNs = Math.max(worstDelayNs, ns);
            if (ns > limitNs) {
                now.bad++;
                now.beside.add(beside);
            }
        }
    }

    void end() {
        silentWindows = reports ? 0 : silentWindows + 1;
        deadWindows = isDead() ? deadWindows + 1 : 0;
        heldUpWindows = kept.getFirst().strength() > 0 ? heldUpWindows + 1 : 0;
    }

    boolean isProbed() {
        return sentTo >= Thresholds.BAD && probers.size() >= Thresholds.PROBERS;
    }

    /** Returns true when nothing that is sent to it is answered. */
    boolean isDead() {
        return isProbed() && lostTo >= sentTo * Thresholds.ALL;
    }

    /** Returns true when all that other racks send to it is lost. */
    boolean isCutOff() {
        return sentFromAfar >= Thresholds.BAD && lostFromAfar >= sentFromAfar * Thresholds.ALL;
    }

    /** Returns true when it is dead beyond doubt. */
    boolean isSurelyDead() {
        return isDead() && (deadWindows >= Thresholds.WINDOWS || strengthOfLoss() > Thresholds.AT_ONCE);
    }

    double strengthOfLoss() {
        return Likelihood.ratio(sentTo, lostTo, Thresholds.LOSS);
    }

    /** Sums of the latest windows, of as many as speak most clearly. */
    Delays delays() {
        Delays best = new Delays();
        Delays sum = new Delays();
        for (Delays each : kept) {
            sum = sum.and(each);
            best = best.all == 0 || sum.strength() > best.strength() ? sum : best;
        }
        return best;
    }

    boolean isHeldUp() {
        Delays told = delays();
        return told.bad >= Thresholds.BAD && told.beside.size() >= Thresholds.PAIRS && kept.getFirst().strength() > 0
                && told.strength() > Thresholds.STRENGTH
                && Likelihood.lowerBound(told.all, told.bad) > Thresholds.LEAST_DELAYED;
    }

    /** Returns true when it was seen in as many windows as it has to be. */
    boolean isSurelyHeldUp() {
        return isHeldUp() && (heldUpWindows >= Thresholds.WINDOWS
                || kept.getFirst().strength() > Thresholds.AT_ONCE);
    }
}
