package org.jvrpc.runtime.sim;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.jvrpc.runtime.sim.world.World;

/** Many worlds, each of a seed of its own; one with a violation is made as small as it goes and printed as a test. */
class SimulationTest {

    private static final int SEEDS = Integer.getInteger("jvrpc.sim.seeds", 1000);

    @BeforeAll
    static void needs() {
        assumeTrue(World.isPossible(), "simulations need a JDK 21 or later, whose threads a test can schedule");
    }

    @Test
    void callsGoRightWhateverTheOrder() {
        run("callsGoRightWhateverTheOrder", new Seeds("calls"));
    }

    @Test
    void framesGoRightWhateverTheOrder() {
        run("framesGoRightWhateverTheOrder", new Seeds("messages"));
    }

    private static void run(String test, Seeds seeds) {
        long first = Long.getLong("jvrpc.sim.seed", System.nanoTime());
        System.out.println(test + ": -Djvrpc.sim.seed=" + first + " -Djvrpc.sim.seeds=" + SEEDS);
        long startNs = System.nanoTime();
        for (long seed = first; seed < first + SEEDS; seed++) {
            Seeds.Finding found = seeds.run(seed);
            if (found != null) {
                throw new AssertionError("seed " + seed + " violates: " + found.message() + "\n" + found.asTest(),
                        found.cause());
            }
        }
        System.out.println(
                "seeds=" + SEEDS + " steps=" + seeds.steps() + " ms=" + (System.nanoTime() - startNs) / 1_000_000);
    }
}
