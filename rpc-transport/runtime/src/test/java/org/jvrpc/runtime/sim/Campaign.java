package org.jvrpc.runtime.sim;

import java.time.Instant;
import org.jvrpc.runtime.sim.world.World;

/** Runs a range of seeds, and goes on after a violation: {@code .ci/simulate}. */
public final class Campaign {

    private static final long REPORT_NS = 60_000_000_000L;
    private static final long LONGEST_NS = 300_000_000_000L;

    private final String what;
    private final long first;
    private final long count;
    private volatile long at;
    private volatile long sinceNs = System.nanoTime();
    private long found;

    private Campaign(String what, long first, long count) {
        this.what = what;
        this.first = first;
        this.count = count;
    }

    /** @param args calls or messages, the first seed, and how many; exits with 1 when one of them violates */
    public static void main(String[] args) {
        if (!World.isPossible()) {
            System.err.println("simulations need a JDK 21 or later, and --add-opens=java.base/java.lang=ALL-UNNAMED");
            System.exit(2);
        }
        Campaign campaign = new Campaign(args[0], Long.parseLong(args[1]), Long.parseLong(args[2]));
        Thread watch = new Thread(campaign::watch, "watch");
        watch.setDaemon(true);
        watch.start();
        System.exit(campaign.run() ? 0 : 1);
    }

    private boolean run() {
        Seeds seeds = new Seeds(what);
        long startNs = System.nanoTime();
        long reportedNs = startNs;
        for (at = first; at < first + count; at++) {
            sinceNs = System.nanoTime();
            if (sinceNs - reportedNs > REPORT_NS) {
                reportedNs = sinceNs;
                report("at", seeds, startNs);
            }
            Seeds.Finding finding = seeds.run(at);
            if (finding != null) {
                found++;
                System.out.println(finding.asTest());
            }
        }
        report("done", seeds, startNs);
        return found == 0;
    }

    private void report(String word, Seeds seeds, long startNs) {
        System.out.println(Instant.now() + " " + what + " " + word + " first=" + first + " seeds="
                + (at - first) + " of=" + count + " steps=" + seeds.steps() + " violations=" + found + " ms="
                + (System.nanoTime() - startNs) / 1_000_000);
    }

    /** A thread that runs on and on without asking for anything cannot be scheduled away. */
    private void watch() {
        while (System.nanoTime() - sinceNs < LONGEST_NS) {
            try {
                Thread.sleep(1000);
            } catch (InterruptedException e) {
                return;
            }
        }
        System.out.println(what + " seed=" + at + " does not end");
        System.exit(1);
    }
}
