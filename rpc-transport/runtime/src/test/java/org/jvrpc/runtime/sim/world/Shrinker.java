package org.jvrpc.runtime.sim.world;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Makes a script that shows a violation shorter, as long as it shows one of the same kind. */
public final class Shrinker {

    private static final int RUNS = 5000;
    private static final long LONGEST_NS = 60_000_000_000L;

    private final Function<Script, String> violation;
    private final String kind;
    private List<Script.Step> best;
    private int runs;
    private final long startNs = System.nanoTime();

    /** @param violation runs a script; returns what is violated, or null */
    public Shrinker(Function<Script, String> violation, Script script) {
        this.violation = violation;
        this.best = script.steps();
        this.kind = kind(violation.apply(script));
    }

    /** Returns the first line of a message without its numbers. */
    public static String kind(String message) {
        return message == null ? null : message.lines().findFirst().orElse("").replaceAll(" at ns=.*", "")
                .replaceAll("[0-9]+", "n");
    }

    /** Returns the shortest script that was found in so many runs. */
    public Script shrink() {
        for (int before = -1; kind != null && before != best.size() && runs < RUNS;) {
            before = best.size();
            for (int length = Math.max(1, best.size() / 2); length > 0; length /= 2) {
                leaveOut(length);
            }
            lessen();
        }
        return Script.of(best);
    }

    private boolean accept(List<Script.Step> steps) {
        if (runs++ >= RUNS || System.nanoTime() - startNs > LONGEST_NS
                || !kind.equals(kind(violation.apply(Script.of(steps))))) {
            return false;
        }
        best = steps;
        return true;
    }

    /** From the end on, as what comes last depends on what comes first. */
    private void leaveOut(int length) {
        for (int end = best.size(); end > 0; end -= length) {
            List<Script.Step> fewer = new ArrayList<>(best.subList(0, Math.max(0, end - length)));
            fewer.addAll(best.subList(Math.min(end, best.size()), best.size()));
            accept(fewer);
        }
    }

    private void lessen() {
        for (int i = 0; i < best.size(); i++) {
            Script.Step step = best.get(i);
            for (int choice = 1; choice < step.choice(); choice *= 2) {
                List<Script.Step> less = new ArrayList<>(best);
                less.set(i, new Script.Step(step.who(), step.number(), choice));
                if (accept(less)) {
                    break;
                }
            }
        }
    }
}
