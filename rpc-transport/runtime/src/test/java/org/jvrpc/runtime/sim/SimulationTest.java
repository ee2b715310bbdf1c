package org.jvrpc.runtime.sim;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.jvrpc.runtime.sim.world.Choices;
import org.jvrpc.runtime.sim.world.Script;
import org.jvrpc.runtime.sim.world.Shrinker;
import org.jvrpc.runtime.sim.world.World;

/** Many worlds, each of a seed of its own; one with a violation is made as small as it goes and printed as a test. */
class SimulationTest {

    private static final int SEEDS = Integer.getInteger("jvrpc.sim.seeds", 1000);

    @BeforeAll
    static void needs() {
        assumeTrue(World.isPossible(), "simulations need a JDK 21 or later, whose threads a test can schedule");
    }

    @Test
    void nothingGoesWrongWhateverTheOrder() {
        long first = Long.getLong("jvrpc.sim.seed", System.nanoTime());
        System.out.println("nothingGoesWrongWhateverTheOrder: -Djvrpc.sim.seed=" + first + " -Djvrpc.sim.seeds="
                + SEEDS);
        long startNs = System.nanoTime();
        long steps = 0;
        for (long seed = first; seed < first + SEEDS; seed++) {
            Choices choices = Choices.seeded(seed);
            try {
                steps += Simulation.run(choices).steps();
            } catch (Throwable t) {
                System.out.println("seed " + seed + " violates: " + t.getMessage()); // to make it small takes a while
                throw new AssertionError("seed " + seed + " violates: " + t.getMessage() + "\n" + asTest(choices), t);
            }
        }
        System.out.println("seeds=" + SEEDS + " steps=" + steps + " ms=" + (System.nanoTime() - startNs) / 1_000_000);
    }

    /** Returns the violation that a script shows, or null. */
    static String violation(Script script) {
        try {
            Simulation.run(Choices.scripted(script));
            return null;
        } catch (Throwable t) {
            return String.valueOf(t.getMessage());
        }
    }

    /** Returns a test of the smallest script that shows what the choices showed. */
    static String asTest(Choices choices) {
        Script script = new Shrinker(SimulationTest::violation, choices.made()).shrink();
        return "    @Test // steps=" + script.steps().size() + ": " + Shrinker.kind(violation(script))
                + "\n    void aViolation() {\n        Simulation.run(Choices.scripted(Script.of(\"" + script
                + "\")));\n    }";
    }
}
