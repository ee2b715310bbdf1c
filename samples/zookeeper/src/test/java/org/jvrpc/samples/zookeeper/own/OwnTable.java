package org.jvrpc.samples.zookeeper.own;

import java.util.Map;
import java.util.TreeMap;

/** The table of what was run and what was left out, in Markdown. */
final class OwnTable {

    private OwnTable() {
    }

    static String of(
            Map<String, OwnResult> results, Map<String, String> classes, Selection selection, boolean stock) {
        StringBuilder text = new StringBuilder();
        int passed = results.values().stream().mapToInt(OwnResult::passed).sum();
        int failed = results.values().stream().mapToInt(OwnResult::failed).sum();
        text.append("# ZooKeeper's own tests ").append(stock ? "without" : "over").append(" the plugin\n\n")
                .append("Written by `own-tests --table`, JDK ").append(Runtime.version().feature()).append(": ")
                .append(results.size()).append(" classes run, ").append(passed).append(" tests passed, ")
                .append(failed).append(" failed.\n\n")
                .append("| class | passed | skipped by itself | failed |\n|---|---|---|---|\n");
        results.forEach((name, result) -> text.append("| ").append(name.replace(Selection.PREFIX, "")).append(" | ")
                .append(result.passed()).append(" | ").append(result.skipped()).append(" | ")
                .append(result.failed()).append(result.text().isEmpty() ? "" : ": " + result.text()).append(" |\n"));
        text.append("\n## Left out\n\n");
        Map<String, StringBuilder> byReason = new TreeMap<>();
        classes.forEach((name, reason) -> {
            if (!results.containsKey(name)) {
                add(byReason, reason.isEmpty() ? "not run: time was over" : reason, name);
            }
            selection.testsLeftOut(name).forEach((test, why) -> add(byReason, why, name + "." + test));
        });
        byReason.forEach((reason, names) -> text.append("- **").append(reason).append("**: ").append(names)
                .append(".\n"));
        return text.toString();
    }

    private static void add(Map<String, StringBuilder> byReason, String reason, String name) {
        StringBuilder names = byReason.computeIfAbsent(reason, key -> new StringBuilder());
        names.append(names.length() == 0 ? "" : ", ").append(name.replace(Selection.PREFIX, ""));
    }
}
