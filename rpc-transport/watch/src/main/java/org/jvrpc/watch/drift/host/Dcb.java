package org.jvrpc.watch.drift.host;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jvrpc.watch.drift.Setting;

/**
 * Reads what {@code dcb -N} of iproute2 prints: lines of a name and {@code key:value} pairs. Sources: dcb-pfc(8),
 * dcb-ets(8), dcb-app(8).
 */
final class Dcb {

    private static final int DSCPS = 64;
    private static final int PRIORITIES = 8;

    private Dcb() {
    }

    /** Returns the pairs behind a name, with all values of a key; empty when the name is not there. */
    private static SortedMap<Integer, List<String>> pairs(String text, String name) {
        SortedMap<Integer, List<String>> pairs = new TreeMap<>();
        boolean ours = false;
        for (String word : text.split("\\s+")) {
            int colon = word.indexOf(':');
            if (colon < 0) {
                ours = word.equals(name) || ours && word.matches("[0-9]+");
            } else if (ours && word.substring(0, colon).matches("[0-9]{1,5}")) {
                pairs.computeIfAbsent(Integer.parseInt(word.substring(0, colon)), key -> new ArrayList<>())
                        .add(word.substring(colon + 1));
            }
        }
        return pairs;
    }

    /** Returns the priorities with PFC: {@code prio-pfc 0:off … 3:on}. */
    static Setting pfc(String text) {
        SortedMap<Integer, List<String>> pairs = pairs(text, "prio-pfc");
        if (pairs.size() != PRIORITIES) {
            return Setting.refused("dcb pfc show has no whole prio-pfc: " + head(text));
        }
        List<String> on = new ArrayList<>();
        pairs.forEach((priority, values) -> {
            if (values.contains("on")) {
                on.add(priority.toString());
            }
        });
        return Setting.of(on.isEmpty() ? "none" : String.join(",", on));
    }

    /** Puts the class of each DSCP: {@code dscp-prio 26:3}; those without an entry have none. */
    static void classes(String text, SortedMap<String, Setting> to) {
        SortedMap<Integer, List<String>> pairs = pairs(text, "dscp-prio");
        for (int dscp = 0; dscp < DSCPS; dscp++) {
            List<String> values = pairs.getOrDefault(dscp, List.of("none"));
            to.put("dscp." + dscp + ".class", values.size() == 1 ? Setting.of(values.get(0))
                    : Setting.refused("several entries: " + String.join(", ", values)));
        }
    }

    /** Puts the queue of each class and the share of each queue: {@code prio-tc 0:0 … tc-bw 0:50 …}. */
    static void queues(String text, SortedMap<String, Setting> to) {
        SortedMap<Integer, List<String>> queues = pairs(text, "prio-tc");
        SortedMap<Integer, List<String>> shares = pairs(text, "tc-bw");
        for (int i = 0; i < PRIORITIES; i++) {
            to.put("class." + i + ".queue", one(queues.get(i), "", "prio-tc", text));
            to.put("queue." + i + ".share", one(shares.get(i), "%", "tc-bw", text));
        }
    }

    /** Puts a refusal for each DSCP. */
    static void noClasses(Setting why, SortedMap<String, Setting> to) {
        for (int dscp = 0; dscp < DSCPS; dscp++) {
            to.put("dscp." + dscp + ".class", why);
        }
    }

    /** Puts a refusal for each class and queue. */
    static void noQueues(Setting why, SortedMap<String, Setting> to) {
        for (int i = 0; i < PRIORITIES; i++) {
            to.put("class." + i + ".queue", why);
            to.put("queue." + i + ".share", why);
        }
    }

    private static Setting one(List<String> values, String unit, String name, String text) {
        return values == null || values.size() != 1 ? Setting.refused("dcb ets show has no whole " + name + ": "
                + head(text)) : Setting.of(values.get(0) + unit);
    }

    private static String head(String text) {
        String line = text.lines().findFirst().orElse("nothing");
        return line.length() > DSCPS ? line.substring(0, DSCPS) : line;
    }
}
