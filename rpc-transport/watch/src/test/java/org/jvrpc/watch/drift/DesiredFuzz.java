package org.jvrpc.watch.drift;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jvrpc.testing.fuzz.FuzzCheck;
import org.jvrpc.watch.drift.ConfigurationSource.Kind;

/**
 * Any text in UTF-8 as what is wanted. It is refused with mistakes that can be shown, twenty at most, or each value
 * that is wanted is of the schema, and the same value when it is shown and read again.
 */
final class DesiredFuzz {

    private static final int MOST_MISTAKES = 20;
    private static final int LONGEST_LINE = 2000;

    private DesiredFuzz() {
    }

    public static void fuzzerTestOneInput(byte[] input) {
        Desired desired;
        try {
            desired = Desired.parse("file", new String(input, StandardCharsets.UTF_8));
        } catch (DesiredException e) {
            refused(e);
            return;
        }
        for (Kind kind : Kind.values()) {
            for (String subject : new String[] {"", "T0", "h1/mlx5_0/1", "a*b/?"}) {
                for (Map.Entry<String, String> wanted : desired.of(kind, subject).entrySet()) {
                    value(Schema.key(kind, wanted.getKey()), wanted);
                }
            }
        }
        desired.kinds();
    }

    static void refused(DesiredException e) {
        String[] lines = e.getMessage().split("\n", -1);
        FuzzCheck.that(lines.length <= MOST_MISTAKES, "mistakes=" + lines.length);
        for (String line : lines) {
            FuzzCheck.that(line.startsWith("file") && line.length() < LONGEST_LINE
                    && line.chars().noneMatch(Character::isISOControl), "mistake: " + line);
        }
    }

    private static void value(Schema.Key key, Map.Entry<String, String> wanted) {
        FuzzCheck.that(key != null, "no such key: " + wanted);
        String shown = key.form().shown(wanted.getValue());
        String again = key.normal(shown);
        FuzzCheck.that(key.form().same(wanted.getValue(), again), wanted + ", shown as " + shown + ", is " + again);
    }
}
