package org.jvrpc.watch.drift;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** What is wanted: for each kind and names, values by key; a later rule that fits wins. Immutable. */
public final class Desired {

    /**
     * What is wanted of all of a kind whose names fit all of some patterns; values are in their normal form.
     *
     * @param where line and column, for notes
     */
    record Rule(ConfigurationSource.Kind kind, List<String> globs, SortedMap<String, String> values, String where) {

        boolean fits(ConfigurationSource.Kind asked, String subject) {
            return kind == asked && globs.stream().allMatch(glob -> Glob.fits(glob, subject));
        }
    }

    private final List<Rule> rules;

    Desired(List<Rule> rules) {
        this.rules = List.copyOf(rules);
    }

    /**
     * Reads a file, YAML or JSON, of 1 MiB at most.
     *
     * @throws DesiredException when it does not say rightly what is wanted; the message has each mistake's place
     * @throws IOException when it cannot be read
     */
    public static Desired read(Path file) throws DesiredException, IOException {
        return new DesiredReader(file.toString()).read(DesiredReader.text(file, DesiredReader.MOST_BYTES));
    }

    /** Reads what stands in a file; the name is for messages. */
    public static Desired parse(String name, String text) throws DesiredException {
        return new DesiredReader(name).read(text);
    }

    /** Returns what is wanted of a subject, by key, in normal form. */
    SortedMap<String, String> of(ConfigurationSource.Kind kind, String subject) {
        SortedMap<String, String> all = new TreeMap<>();
        for (Rule rule : rules) {
            if (rule.fits(kind, subject)) {
                all.putAll(rule.values());
            }
        }
        if ("off".equals(all.get("ecn"))) {
            all.keySet().removeIf(key -> key.startsWith("ecn."));
        }
        return all;
    }

    /** Returns the kinds that something is wanted of. */
    public Set<ConfigurationSource.Kind> kinds() {
        Set<ConfigurationSource.Kind> kinds = new TreeSet<>();
        rules.stream().filter(rule -> !rule.values().isEmpty()).forEach(rule -> kinds.add(rule.kind()));
        return kinds;
    }

    /** Returns the rules with names that none of these has, as text. */
    List<String> unmet(List<ConfigurationSource> sources) {
        List<String> unmet = new ArrayList<>();
        for (Rule rule : rules) {
            if (!rule.values().isEmpty() && sources.stream()
                    .noneMatch(source -> rule.fits(source.kind(), source.subject()))) {
                String kind = rule.kind().name().toLowerCase(Locale.ROOT);
                unmet.add(rule.where() + ": no " + kind + (rule.globs().isEmpty() ? " is told of here"
                        : " here has a name like " + String.join(" and ", rule.globs())));
            }
        }
        return unmet;
    }
}
