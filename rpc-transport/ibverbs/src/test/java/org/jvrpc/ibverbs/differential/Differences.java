package org.jvrpc.ibverbs.differential;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What may differ from rxe, each with its reason: {@code differences.txt}. */
final class Differences {

    private static final String FILE = "differences.txt";

    /** A line of the file: patterns, with * for whatever. */
    private record Known(Pattern scenario, Pattern duel, Pattern faults, Pattern expected, Pattern found) {

        static Known of(String line) {
            List<String> parts = Stream.of(line.split("\\|", -1)).map(String::strip).toList();
            if (parts.size() != 6 || parts.get(5).isEmpty()) {
                throw new IllegalArgumentException(FILE + ": five patterns and a reason, not " + line);
            }
            List<Pattern> patterns = parts.stream().map(part -> Pattern.compile(Stream.of(part.split("\\*", -1))
                    .map(Pattern::quote).collect(Collectors.joining(".*")))).toList();
            return new Known(patterns.get(0), patterns.get(1), patterns.get(2), patterns.get(3), patterns.get(4));
        }

        boolean is(String scenarioName, String duelName, String plan, String rxe, String ours) {
            return scenario.matcher(scenarioName).matches() && duel.matcher(duelName).matches()
                    && faults.matcher(plan).matches() && expected.matcher(rxe).matches()
                    && found.matcher(ours).matches();
        }
    }

    private final List<Known> known;

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
            if (!rxe.equals(ours) && known.stream().noneMatch(one -> one.is(scenario, duel, plan, rxe, ours))) {
                unknown.add(String.join(" | ", scenario, duel, plan, rxe, ours));
            }
        }
        return unknown;
    }
}
