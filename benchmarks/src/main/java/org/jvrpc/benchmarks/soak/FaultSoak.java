package org.jvrpc.benchmarks.soak;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jvrpc.benchmarks.Session;
import org.jvrpc.benchmarks.report.Format;
import org.jvrpc.benchmarks.soak.plan.Campaign;
import org.jvrpc.benchmarks.soak.plan.Fault;
import org.jvrpc.benchmarks.soak.plan.Place;

/** The benchmark {@code soak --faults}: a campaign, its verdict, and the fewest faults that bring a bad one about. */
public final class FaultSoak {

    private static final long LOAD_MS = 10_000;
    /** About what a round takes: its load, and the rest behind it. */
    private static final long ROUND_MS = 14_000;
    private static final int TRIES = 2;
    private static final int MOST_PRINTED = 30;

    private final Session session;
    private final PrintStream out;
    private final long seed;
    private final double minutes;
    private final double shrinkMinutes;

    /**
     * A campaign.
     *
     * @param minutes how long it takes, without what follows a failure
     * @param shrinkMinutes how long faults may be left out of a failing one
     */
    public FaultSoak(Session session, long seed, double minutes, double shrinkMinutes) {
        this.session = session;
        this.out = session.out();
        this.seed = seed;
        this.minutes = minutes;
        this.shrinkMinutes = shrinkMinutes;
    }

    /** Runs it with these faults only; null for all. */
    public void run(Set<Integer> onlyFaults) throws Exception {
        Campaign whole = Campaign.of(seed, Place.full(), LOAD_MS,
                (int) Math.max(2, Math.round(minutes * 60_000 / ROUND_MS)));
        Campaign campaign = onlyFaults == null ? whole : whole.only(onlyFaults);
        out.println("soak --faults: seed " + seed + ", " + campaign.rounds().size() + " rounds of " + LOAD_MS / 1000
                + " s and a rest, " + campaign.faults().size() + " faults, " + campaign.places().size()
                + " processes, every call accounted for");
        Outcome outcome = CampaignRun.run(campaign, List.of(), out);
        report(outcome);
        if (!outcome.violations().isEmpty() && onlyFaults == null) {
            shrink(campaign, outcome.violations().get(0).round());
        }
    }

    private void report(Outcome outcome) {
        out.println();
        out.print(outcome.slopes().table());
        out.println();
        outcome.skipped().forEach(skipped -> out.println("skipped " + skipped));
        out.println("soak --faults: " + Format.count(outcome.calls()) + " calls " + outcome.ends() + ", "
                + outcome.faults() + " faults, " + outcome.violations().size() + " violations, "
                + outcome.leaks().size() + " leaks");
        session.figures().put("soak", "violations", "count", outcome.violations().size());
        session.figures().put("soak", "leaks", "count", outcome.leaks().size());
        session.figures().put("soak", "faults", "count", outcome.faults());
        session.figures().put("soak", "calls", "count", outcome.calls());
        outcome.violations().stream().limit(MOST_PRINTED)
                .forEach(violation -> session.fail("round " + violation.round() + ": " + violation.text()));
        outcome.leaks().forEach(leak -> session.fail("leak: " + leak));
        if (!outcome.isGood()) {
            session.fail("again: " + command());
        }
    }

    private String command() {
        return "benchmarks/bench soak --faults --minutes " + minutes + " --seed " + seed;
    }

    /** Rounds begin at rest: the faults of the failing one, then fewer of them. */
    private void shrink(Campaign campaign, int round) throws Exception {
        List<Fault> faults = campaign.faultsOf(round);
        long endNs = System.nanoTime() + Math.round(shrinkMinutes * 60e9);
        if (faults.isEmpty() || shrinkMinutes <= 0) {
            return;
        }
        out.println("shrinking the " + faults.size() + " faults of round " + round);
        if (!fails(campaign, round, faults, endNs)) {
            print("round " + round + " does not fail by itself again; its faults are", faults);
            return;
        }
        List<Fault> fewest = new ArrayList<>(Shrink.fewest(faults, some -> fails(campaign, round, some, endNs)));
        print(fewest.isEmpty() ? "it fails without any fault" : "the fewest faults that still fail", fewest);
    }

    private void print(String what, List<Fault> faults) {
        out.println(what + ":");
        faults.forEach(fault -> out.println("  " + fault));
        String numbers = faults.stream().map(fault -> Integer.toString(fault.number()))
                .collect(Collectors.joining(","));
        session.fail(what + ": " + command() + (faults.isEmpty() ? "" : " --only-faults " + numbers));
    }

    private boolean fails(Campaign campaign, int round, List<Fault> faults, long endNs) {
        for (int attempt = 0; attempt < TRIES && System.nanoTime() - endNs < 0; attempt++) {
            try {
                Campaign part = campaign.round(round, faults);
                if (!CampaignRun.run(part, List.of(), out).violations().isEmpty()) {
                    return true;
                }
            } catch (Exception e) {
                out.println("  the part cannot be run: " + e);
            }
        }
        return false;
    }
}
