package org.jvrpc.runtime.sim;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.function.Function;
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
    void callsGoRightWhateverTheOrder() {
        run("callsGoRightWhateverTheOrder", "Simulation", Simulation::run);
    }

    @Test
    void framesGoRightWhateverTheOrder() {
        run("framesGoRightWhateverTheOrder", "MessageSimulation", MessageSimulation::run);
    }

    private static void run(String test, String simulation, Function<Choices, World> simulated) {
        long first = Long.getLong("jvrpc.sim.seed", System.nanoTime());
        System.out.println(test + ": -Djvrpc.sim.seed=" + first + " -Djvrpc.sim.seeds=" + SEEDS);
        long startNs = System.nanoTime();
        long steps = 0;
        for (long seed = first; seed < first + SEEDS; seed++) {
            Choices choices = Choices.seeded(seed);
            try {
                steps += simulated.apply(choices).steps();
            } catch (Throwable t) {
                System.out.println("seed " + seed + " violates: " + t.getMessage()); // to make it small takes a while
                throw new AssertionError("seed " + seed + " violates: " + t.getMessage() + "\n"
                        + asTest(simulation, simulated, choices), t);
            }
        }
        System.out.println("seeds=" + SEEDS + " steps=" + steps + " ms=" + (System.nanoTime() - startNs) / 1_000_000);
    }

    /** Returns the violation that a script shows, or null. */
    private static String violation(Function<Choices, World> simulated, Script script) {
        try {
            simulated.apply(Choices.scripted(script));
            return null;
        } catch (Throwable t) {
            return String.valueOf(t.getMessage());
        }
    }

    /** Returns a test of the smallest script that shows what the choices showed. */
    private static String asTest(String simulation, Function<Choices, World> simulated, Choices choices) {
        Script script = new Shrinker(tried -> violation(simulated, tried), choices.made()).shrink();
        return "    @Test // steps=" + script.steps().size() + ": " + Shrinker.kind(violation(simulated, script))
                + "\n    void aViolation() {\n        " + simulation + ".run(Choices.scripted(Script.of(\"" + script
                + "\")));\n    }";
    }
}
