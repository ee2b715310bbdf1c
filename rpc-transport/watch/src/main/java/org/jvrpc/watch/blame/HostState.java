package org.jvrpc.watch.blame;

import java.util.HashSet;
import java.util.Set;
import org.jvrpc.watch.AgentInfo;
import org.jvrpc.watch.Reading;
import org.jvrpc.watch.collect.Report;

/** What is known of one agent's host: this window's sums, and what is remembered of earlier windows. */
final class HostState {

    /** Packets whose ICRC was wrong, as mlx5 calls them. */
    static final String DAMAGED = "rx_icrc_encapsulated";

    private static final String PAUSE = "tx_prio\\d_pause";

    final AgentInfo agent;
    final int part;
    long sentTo;
    long lostTo;
    /** Of other racks. */
    long sentFromAfar;
    long lostFromAfar;
    long delays;
    long delayed;
    long worstDelayNs;
    final Set<Integer> probers = new HashSet<>();
    final Set<Integer> delayedBeside = new HashSet<>();
    boolean reports;
    long pauses;
    long damaged;

    private long pausesUntilNow = -1;
    private long damagedUntilNow = -1;
    boolean everReported;
    int silentWindows;
    int deadWindows;
    int heldUpWindows;

    HostState(AgentInfo agent, int part) {
        this.agent = agent;
        this.part = part;
    }

    void begin() {
        sentTo = 0;
        lostTo = 0;
        sentFromAfar = 0;
        lostFromAfar = 0;
        delays = 0;
        delayed = 0;
        worstDelayNs = 0;
        probers.clear();
        delayedBeside.clear();
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
            delays++;
            worstDelayNs = Math.max(worstDelayNs, ns);
            if (ns > limitNs) {
                delayed++;
                delayedBeside.add(beside);
            }
        }
    }

    void end() {
        silentWindows = reports ? 0 : silentWindows + 1;
        deadWindows = isDead() ? deadWindows + 1 : 0;
        heldUpWindows = isHeldUp() ? heldUpWindows + 1 : 0;
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

    double strengthOfDelay() {
        return Likelihood.ratio(delays, delayed, Thresholds.DELAYED);
    }

    boolean isHeldUp() {
        return delayed >= Thresholds.BAD && delayedBeside.size() >= Thresholds.PAIRS
                && strengthOfDelay() > Thresholds.STRENGTH
                && Likelihood.lowerBound(delays, delayed) > Thresholds.LEAST_DELAYED;
    }

    boolean isSurelyHeldUp() {
        return isHeldUp() && (heldUpWindows >= Thresholds.WINDOWS || strengthOfDelay() > Thresholds.AT_ONCE);
    }
}
