package org.jvrpc.testing.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Says whether a history is linearizable: whether all operations, each at some instant between its start and its end,
 * one after another, explain every answer. Each key is judged by itself, which is the same as all together (Herlihy and
 * Wing 1990); {@link Search} is Wing and Gong's with Lowe's memory of what was tried.
 */
public final class Linearizability {

    /** Configurations that are tried for a key before the search gives up. */
    public static final int MOST = 300_000;

    private static final int SHOWN = 60;

    private Linearizability() {
    }

    /** How a check ended. */
    public enum Outcome {
        /** There is such an order. */
        LINEARIZABLE,
        /** There is none. */
        VIOLATION,
        /** It takes too long to tell: no pass. */
        GAVE_UP
    }

    /**
     * What a check found.
     *
     * @param outcome of the first key that is not linearizable; LINEARIZABLE of all
     * @param explanation the smallest part that has no order; empty when linearizable
     */
    public record Verdict(Outcome outcome, String explanation) {
    }

    /** Checks, and fails unless it is linearizable. @param seed what the failure names to be found again by */
    public static void check(Model<?> model, List<Operation> history, String seed) {
        Verdict verdict = judge(model, history, MOST);
        if (verdict.outcome != Outcome.LINEARIZABLE) {
            throw new AssertionError(verdict.outcome + ", " + seed + "\n" + verdict.explanation);
        }
    }

    /** Judges. @param most configurations that are tried for a key */
    public static <S> Verdict judge(Model<S> model, List<Operation> history, int most) {
        Map<String, List<Operation>> byKey = history.stream()
                .filter(operation -> !operation.isPending() || !model.isRead(operation.call()))
                .collect(Collectors.groupingBy(Operation::key, TreeMap::new, Collectors.toList()));
        Verdict gaveUp = null;
        for (Map.Entry<String, List<Operation>> each : byKey.entrySet()) {
            Outcome outcome = new Search<>(model, each.getValue(), most).run();
            if (outcome == Outcome.VIOLATION) {
                return new Verdict(outcome, explain(model, each.getKey(), each.getValue(), most));
            }
            if (outcome == Outcome.GAVE_UP && gaveUp == null) {
                gaveUp = new Verdict(outcome, "key " + each.getKey() + ": more than " + most + " configurations of "
                        + each.getValue().size() + " operations");
            }
        }
        return gaveUp == null ? new Verdict(Outcome.LINEARIZABLE, "") : gaveUp;
    }

    private static <S> String explain(Model<S> model, String key, List<Operation> all, int most) {
        List<Operation> part = withoutNeedlessReads(model, firstBad(model, all, most), most);
        part.sort(Comparator.comparingLong(Operation::startNs));
        Operation last = part.stream().filter(operation -> !operation.isPending())
                .max(Comparator.comparingLong(Operation::endNs)).orElseThrow();
        Search<S> search = new Search<>(model, part, most);
        search.run();
        long originNs = part.get(0).startNs();
        StringBuilder text = new StringBuilder("key " + key
                + ": no order of the operations explains the last that ended,\n" + last.line(originNs)
                + "\nbefore it the state can be " + search.statesBefore(last) + "; start, end:\n");
        int first = Math.max(0, part.size() - SHOWN);
        text.append(first == 0 ? "" : "(" + first + " that began earlier, of which there are pending:)\n");
        for (int i = 0; i < part.size(); i++) {
            if (i >= first || part.get(i).isPending()) {
                text.append(part.get(i).line(originNs)).append('\n');
            }
        }
        return text.toString();
    }

    /** Returns what was known when the first operation ended that has no place: prefixes of good histories are good. */
    private static <S> List<Operation> firstBad(Model<S> model, List<Operation> all, int most) {
        long[] ends = all.stream().mapToLong(Operation::endNs).filter(ns -> ns != Operation.NEVER).sorted().toArray();
        int low = 0;
        int high = ends.length - 1; // the whole is bad
        while (low < high) {
            int middle = low + high >>> 1;
            if (new Search<>(model, until(model, all, ends[middle]), most).run() == Outcome.VIOLATION) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return until(model, all, ends[high]);
    }

    private static List<Operation> until(Model<?> model, List<Operation> all, long ns) {
        return all.stream().filter(operation -> operation.startNs() <= ns).map(operation -> operation.asOf(ns))
                .filter(operation -> !operation.isPending() || !model.isRead(operation.call()))
                .collect(Collectors.toCollection(ArrayList::new));
    }

    /** A good history without some of its reads is good. They go in large pieces first. */
    private static <S> List<Operation> withoutNeedlessReads(Model<S> model, List<Operation> bad, int most) {
        List<Operation> part = new ArrayList<>(bad);
        for (int piece = Math.max(1, bad.size() / 2); piece > 0; piece /= 2) {
            for (int from = 0; from < part.size(); from += piece) {
                List<Operation> less = new ArrayList<>(part);
                boolean some = less.subList(from, Math.min(from + piece, less.size()))
                        .removeIf(operation -> model.isRead(operation.call()));
                if (some && new Search<>(model, less, most).run() == Outcome.VIOLATION) {
                    part = less;
                }
            }
        }
        return part;
    }
}
