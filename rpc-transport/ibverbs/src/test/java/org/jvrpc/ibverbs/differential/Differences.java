package org.jvrpc.ibverbs.differential;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What may differ from rxe, each with its reason: {@code differences.txt}. */
final class Differences {

    private static final String FILE = "differences.txt";
    /** Begins what a run may show or not. */
    private static final String SOMETIMES = "?";
    /** Begins what is of no scenario alone. */
    private static final String ANY = "*";

    /** A line of the file: patterns, with * for whatever. */
    private record Known(
            String line, Pattern scenario, Pattern duel, Pattern faults, Pattern expected, Pattern found) {

        static Known of(String line) {
            String patternsAndReason = line.startsWith(SOMETIMES) ? line.substring(SOMETIMES.length()) : line;
            List<String> parts = Stream.of(patternsAndReason.split("\\|", -1)).map(String::strip).toList();
            if (parts.size() != 6 || parts.get(5).isEmpty()) {
                throw new IllegalArgumentException(FILE + ": five patterns and a reason, not " + line);
            }
            List<Pattern> patterns = parts.stream().map(part -> Pattern.compile(Stream.of(part.split("\\*", -1))
                    .map(Pattern::quote).collect(Collectors.joining(".*")))).toList();
            return new Known(line, patterns.get(0), patterns.get(1), patterns.get(2), patterns.get(3), patterns.get(4));
        }

        /** True for one that each run of a scenario shows. */
        boolean isCertain(String scenarioName) {
            return !line.startsWith(SOMETIMES) && !line.startsWith(ANY) && scenario.matcher(scenarioName).matches();
        }

        boolean is(String scenarioName, String duelName, String plan, String rxe, String ours) {
            return scenario.matcher(scenarioName).matches() && duel.matcher(duelName).matches()
                    && faults.matcher(plan).matches() && expected.matcher(rxe).matches()
                    && found.matcher(ours).matches();
        }
    }

    private final List<Known> known;
    /** Entries that a scenario has shown since it began. */
    private final Set<Known> seen = new HashSet<>();

    private Differences(List<Known> known) {
        this.known = known;
    }

    static Differences read() {
        try (InputStream in = Differences.class.getResourceAsStream(FILE)) {
            return of(new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Differences of(List<String> lines) {
        return new Differences(lines.stream().filter(line -> !line.isBlank() && !line.startsWith("#")).map(Known::of)
                .toList());
    }

    /** Returns the lines that differ and are not known to, as the file has them. */
    List<String> unknown(String scenario, String duel, String plan, List<String> expected, List<String> found) {
        List<String> unknown = new ArrayList<>();
        for (int i = 0; i < Math.max(expected.size(), found.size()); i++) {
            String rxe = i < expected.size() ? expected.get(i) : "";
            String ours = i < found.size() ? found.get(i) : "";
            if (rxe.equals(ours)) {
                continue;
            }
            List<Known> those = known.stream().filter(one -> one.is(scenario, duel, plan, rxe, ours)).toList();
            seen.addAll(those);
            if (those.isEmpty()) {
                unknown.add(String.join(" | ", scenario, duel, plan, rxe, ours));
            }
        }
        return unknown;
    }

    /** Returns entries of a scenario that it was to show since the last call, and did not. */
    List<String> unseen(String scenario) {
        List<String> unseen = known.stream().filter(one -> one.isCertain(scenario) && !seen.contains(one))
                .map(Known::line).toList();
        seen.clear();
        return unseen;
    }
}
