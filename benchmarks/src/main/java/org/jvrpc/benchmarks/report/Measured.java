package org.jvrpc.benchmarks.report;

import java.util.ArrayList;
import java.util.List;

/**
 * The rounds of one contender, each with the p50 of the bare limit taken just before it.
 *
 * <p>Ratios are taken round by round and their median is what counts: the distance between two processors of a virtual
 * machine, and with it every figure below a microsecond, changes by a factor of four when its host moves one of them.
 */
public final class Measured {

    private final List<Summary> rounds = new ArrayList<>();
    private final List<Long> limits = new ArrayList<>();

    /** Adds a round without the limit. */
    public void add(Summary round) {
        rounds.add(round);
    }

    /**
     * Adds a round.
     *
     * @param limitNs the limit's p50 just before it
     */
    public void add(Summary round, long limitNs) {
        rounds.add(round);
        limits.add(limitNs);
    }

    /** Returns the number of rounds. */
    public int size() {
        return rounds.size();
    }

    /** Returns the medians over the rounds. */
    public Summary median() {
        return Summary.median(rounds);
    }

    /** Returns true when every round has its limit. */
    public boolean hasLimit() {
        return !rounds.isEmpty() && limits.size() == rounds.size();
    }

    /** Returns the median over the rounds of p50 over the limit's. */
    public double overLimit() {
        double[] ratios = new double[rounds.size()];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = (double) rounds.get(i).p50() / limits.get(i);
        }
        return Summary.median(ratios);
    }

    /** Returns the median over the rounds of p50 over another's in the same round. */
    public double over(Measured other) {
        double[] ratios = new double[Math.min(rounds.size(), other.rounds.size())];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = (double) rounds.get(i).p50() / other.rounds.get(i).p50();
        }
        return Summary.median(ratios);
    }

    /** Returns the largest of the limit's p50 over the smallest: 1 on a machine that stays as it is. */
    public double limitSpread() {
        return (double) limits.stream().mapToLong(Long::longValue).max().orElse(1)
                / limits.stream().mapToLong(Long::longValue).min().orElse(1);
    }
}
