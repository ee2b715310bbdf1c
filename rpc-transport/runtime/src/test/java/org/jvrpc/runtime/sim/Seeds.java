package org.jvrpc.runtime.sim;

import java.util.Map;
import java.util.function.Function;
import org.jvrpc.runtime.sim.world.Choices;
import org.jvrpc.runtime.sim.world.Script;
import org.jvrpc.runtime.sim.world.Shrinker;
import org.jvrpc.runtime.sim.world.World;

/** Seeds of simulations, one after another. One thread. */
public final class Seeds {

    /** False where somebody wants to know only whether there is a violation: to shrink it takes a while. */
    private static final boolean SHRINKS = Boolean.parseBoolean(System.getProperty("jvrpc.sim.shrink", "true"));
    private static final Map<String, Function<Choices, World>> ALL =
            Map.of("calls", Simulation::run, "messages", MessageSimulation::run);

    /** So many seeds whose violations shrink to long scripts are enough. */
    private static final int MOST_FINDINGS = 8;

    private final String what;
    private final Function<Choices, World> simulation;
    private long steps;

    /**
     * What a seed showed that must not be.
     *
     * @param asTest the smallest script that shows it, as a test
     * @param steps of that script
     */
    public record Finding(long seed, String message, Throwable cause, String asTest, int steps) {
    }

    /** @param what calls or messages */
    public Seeds(String what) {
        this.what = what;
        this.simulation = ALL.get(what);
        if (simulation == null) {
            throw new IllegalArgumentException("simulations are " + ALL.keySet() + ", not " + what);
        }
    }

    /** Returns how many steps all runs took that showed nothing. */
    public long steps() {
        return steps;
    }

    /** Runs one; returns null when all is right. */
    public Finding run(long seed) {
        Choices choices = Choices.seeded(seed);
        try {
            steps += simulation.apply(choices).steps();
            return null;
        } catch (Throwable t) {
            System.out.println(what + " seed=" + seed + " violates: " + t.getMessage());
            if (!SHRINKS) {
                return new Finding(seed, t.getMessage(), t, "", choices.made().steps().size());
            }
            Script script = new Shrinker(this::violation, choices.made()).shrink();
            int length = script.steps().size();
            return new Finding(seed, t.getMessage(), t, asTest(script, length), length);
        }
    }

    /**
     * For those who know nothing of this class. Returns what the first seed shows whose script is short enough, or, of
     * some, the one with the shortest; null when none shows anything.
     *
     * @param steps that are few enough
     */
    public static String find(String what, long first, long count, int steps) {
        Seeds seeds = new Seeds(what);
        Finding best = null;
        int findings = 0;
        for (long seed = first; seed < first + count && findings < MOST_FINDINGS; seed++) {
            Finding found = seeds.run(seed);
            if (found != null) {
                findings++;
                best = best == null || found.steps < best.steps ? found : best;
                if (found.steps <= steps) {
                    break;
                }
            }
        }
        return best == null ? null : "seeds=" + (best.seed - first + 1) + " steps=" + best.steps + " "
                + Shrinker.kind(best.message);
    }

    private String violation(Script script) {
        try {
            simulation.apply(Choices.scripted(script));
            return null;
        } catch (Throwable t) {
            return String.valueOf(t.getMessage());
        }
    }

    private String asTest(Script script, int length) {
        return "    @Test // steps=" + length + ": " + Shrinker.kind(violation(script))
                + "\n    void aViolation() {\n        " + (what.equals("calls") ? "Simulation" : "MessageSimulation")
                + ".run(Choices.scripted(Script.of(\"" + script + "\")));\n    }";
    }
}
