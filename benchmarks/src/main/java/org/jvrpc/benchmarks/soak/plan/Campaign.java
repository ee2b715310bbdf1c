package org.jvrpc.benchmarks.soak.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * A seed, the processes, and what happens to them. Equal seeds and lengths give equal campaigns; what the processes
 * make of them is up to the machine.
 *
 * @param seed of all that is drawn
 * @param places the processes, by numbers that differ
 * @param loadMs how long the load of a round lasts, in milliseconds
 * @param rounds the numbers of those that are run, from 1
 * @param faults of all rounds, in the order of time
 */
public record Campaign(long seed, List<Place> places, long loadMs, List<Integer> rounds, List<Fault> faults) {

    private static final int MEAN_GAP_MS = 800;
    private static final int LONGEST_STOP_MS = 5_000;
    private static final int LONGEST_FULL_MS = 3_000;

    /**
     * Makes the campaign of a seed. More rounds, with all else equal, begin with the same faults.
     *
     * @param places at least one
     * @param loadMs how long the load of a round lasts, in milliseconds
     */
    public static Campaign of(long seed, List<Place> places, long loadMs, int roundCount) {
        Random random = new Random(seed);
        List<Integer> rounds = new ArrayList<>();
        List<Fault> faults = new ArrayList<>();
        for (int round = 1; round <= roundCount; round++) {
            rounds.add(round);
            long atMs = gap(random);
            while (atMs < loadMs) {
                faults.add(fault(random, faults.size() + 1, round, atMs, places));
                atMs += gap(random);
            }
        }
        return new Campaign(seed, places, loadMs, rounds, faults);
    }

    private static long gap(Random random) {
        return 1 + random.nextInt(2 * MEAN_GAP_MS);
    }

    private static Fault fault(Random random, int number, int round, long atMs, List<Place> places) {
        Fault.Kind kind = kind(random);
        List<Place> takers = places.stream().filter(place -> place.takes(kind)).toList();
        String target = takers.isEmpty() ? "-" : takers.get(random.nextInt(takers.size())).name();
        long lengthMs = switch (kind) {
            case STOP -> logUniform(random, 10, LONGEST_STOP_MS);
            case FULL -> logUniform(random, 200, LONGEST_FULL_MS);
            default -> 0;
        };
        boolean possible = kind == Fault.Kind.FULL || !takers.isEmpty();
        return possible ? new Fault(number, round, atMs, kind, target, lengthMs)
                : new Fault(number, round, atMs, Fault.Kind.STOP, places.get(0).name(), 10);
    }

    private static Fault.Kind kind(Random random) {
        int sum = 0;
        for (Fault.Kind kind : Fault.Kind.values()) {
            sum += kind.weight;
        }
        int drawn = random.nextInt(sum);
        for (Fault.Kind kind : Fault.Kind.values()) {
            drawn -= kind.weight;
            if (drawn < 0) {
                return kind;
            }
        }
        throw new IllegalStateException("weights sum up wrong");
    }

    private static long logUniform(Random random, long least, long most) {
        return Math.round(least * Math.pow((double) most / least, random.nextDouble()));
    }

    /** Returns this campaign with these faults alone, and without the rounds that then have none. */
    public Campaign only(Set<Integer> numbers) {
        List<Fault> kept = faults.stream().filter(fault -> numbers.contains(fault.number())).toList();
        List<Integer> keptRounds = rounds.stream()
                .filter(round -> kept.stream().anyMatch(fault -> fault.round() == round)).toList();
        return new Campaign(seed, places, loadMs, keptRounds.isEmpty() ? rounds.subList(0, 1) : keptRounds, kept);
    }

    /** Returns one round of this campaign with some of its faults. */
    public Campaign round(int round, List<Fault> kept) {
        return new Campaign(seed, places, loadMs, List.of(round), List.copyOf(kept));
    }

    /** Returns the faults of a round, in the order of time. */
    public List<Fault> faultsOf(int round) {
        return faults.stream().filter(fault -> fault.round() == round).toList();
    }
}
