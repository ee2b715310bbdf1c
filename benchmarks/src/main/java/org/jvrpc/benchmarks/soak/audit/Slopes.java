package org.jvrpc.benchmarks.soak.audit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jvrpc.benchmarks.report.Table;

/**
 * What processes held at each rest. A leak is growth that goes on: the least of the last third of a campaign is above
 * the most of its first third, by more than an allowance. One thread.
 */
public final class Slopes {

    private static final int LEAST_SAMPLES = 3;

    private final Map<String, Leak> figures = new LinkedHashMap<>();
    private final Map<String, List<Long>> samples = new LinkedHashMap<>();

    /** Adds a sample of a figure of a process. */
    public void add(String who, Leak figure, long value) {
        String name = who + ' ' + figure.name();
        figures.put(name, figure);
        samples.computeIfAbsent(name, none -> new ArrayList<>()).add(value);
    }

    /** The first rests are those of processes that are still warming up. */
    private static List<Long> warm(List<Long> all) {
        int cold = Math.max(1, all.size() / 10);
        return all.subList(Math.min(cold, all.size()), all.size());
    }

    private static boolean isJudged(List<Long> warm) {
        return warm.size() >= LEAST_SAMPLES;
    }

    private static long firstMost(List<Long> warm) {
        return warm.subList(0, (warm.size() + 2) / 3).stream().mapToLong(value -> value).max().orElse(0);
    }

    private static long lastLeast(List<Long> warm) {
        return warm.subList(warm.size() - (warm.size() + 2) / 3, warm.size()).stream().mapToLong(value -> value).min()
                .orElse(0);
    }

    private boolean isLeak(String name) {
        List<Long> warm = warm(samples.get(name));
        return isJudged(warm) && lastLeast(warm) - firstMost(warm) > figures.get(name).allowance();
    }

    /** Returns the names and the growth of what leaks. */
    public List<String> leaks() {
        return samples.keySet().stream().filter(this::isLeak).map(name -> {
            List<Long> warm = warm(samples.get(name));
            return name + ": from " + firstMost(warm) + " to " + lastLeast(warm) + ", allowed "
                    + figures.get(name).allowance();
        }).toList();
    }

    /** Returns a row for each figure. */
    public Table table() {
        Table table = new Table("held at rest", "rests", "most, first third", "least, last third", "may grow", "");
        for (Map.Entry<String, List<Long>> entry : samples.entrySet()) {
            List<Long> warm = warm(entry.getValue());
            table.add(entry.getKey(), Integer.toString(warm.size()), Long.toString(firstMost(warm)),
                    Long.toString(lastLeast(warm)), Long.toString(figures.get(entry.getKey()).allowance()),
                    !isJudged(warm) ? "too few rests" : isLeak(entry.getKey()) ? "LEAK" : "steady");
        }
        return table;
    }
}
