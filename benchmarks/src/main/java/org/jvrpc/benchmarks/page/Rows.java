package org.jvrpc.benchmarks.page;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The figures of one benchmark: who was measured, and each one's statistics by their names. One thread.
 *
 * @param bench its name
 * @param byWho statistics by contender
 */
record Rows(String bench, SortedMap<String, SortedMap<String, Double>> byWho) {

    /** Returns those of all benchmarks, from names {@code <bench>.<who>.<statistic>}. */
    static List<Rows> of(Map<String, Double> figures) {
        SortedMap<String, Rows> all = new TreeMap<>();
        figures.forEach((name, value) -> {
            String[] parts = name.split("\\.");
            all.computeIfAbsent(parts[0], bench -> new Rows(bench, new TreeMap<>())).byWho
                    .computeIfAbsent(parts[1], who -> new TreeMap<>()).put(parts[2], value);
        });
        return List.copyOf(all.values());
    }

    /** Returns who has a statistic, the least first. */
    List<String> whoHave(String statistic) {
        return byWho.keySet().stream().filter(who -> byWho.get(who).containsKey(statistic))
                .sorted(Comparator.comparingDouble(who -> value(who, statistic))).toList();
    }

    double value(String who, String statistic) {
        return byWho.get(who).get(statistic);
    }

    /** Returns the statistics that somebody has, but for some, by name. */
    List<String> others(List<String> known) {
        List<String> names = new ArrayList<>();
        byWho.forEach((who, statistics) -> statistics.keySet().stream().filter(name -> !known.contains(name))
                .forEach(name -> names.add(who + '.' + name)));
        return names;
    }
}
