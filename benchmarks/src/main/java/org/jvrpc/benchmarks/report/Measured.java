package org.jvrpc.benchmarks.report;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleBiFunction;

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

    /** Returns the quartiles of the rounds' p50. */
    public Quartiles p50() {
        return Quartiles.of(rounds.stream().mapToDouble(Summary::p50).toArray());
    }

    /** Returns true when every round has its limit. */
    public boolean hasLimit() {
        return !rounds.isEmpty() && limits.size() == rounds.size();
    }

    /** Returns p50 over the limit's: the quartiles over the rounds. */
    public Quartiles overLimit() {
        double[] ratios = new double[rounds.size()];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = (double) rounds.get(i).p50() / limits.get(i);
        }
        return Quartiles.of(ratios);
    }

    /** Returns p50 over another's in the same round: the quartiles over the rounds. */
    public Quartiles over(Measured other) {
        return over(other, (ours, theirs) -> (double) ours.p50() / theirs.p50());
    }

    /** Returns p99 over another's in the same round: the quartiles over the rounds. */
    public Quartiles p99Over(Measured other) {
        return over(other, (ours, theirs) -> (double) ours.p99() / theirs.p99());
    }

    private Quartiles over(Measured other, ToDoubleBiFunction<Summary, Summary> ratio) {
        double[] ratios = new double[Math.min(rounds.size(), other.rounds.size())];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = ratio.applyAsDouble(rounds.get(i), other.rounds.get(i));
        }
        return Quartiles.of(ratios);
    }

    /** Returns the largest of the limit's p50 over the smallest: 1 on a machine that stays as it is. */
    public double limitSpread() {
        return (double) limits.stream().mapToLong(Long::longValue).max().orElse(1)
                / limits.stream().mapToLong(Long::longValue).min().orElse(1);
    }
}
