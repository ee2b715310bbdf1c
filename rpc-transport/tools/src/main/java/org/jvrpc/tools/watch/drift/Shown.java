package org.jvrpc.tools.watch.drift;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import org.jvrpc.watch.JsonWriter;
import org.jvrpc.watch.drift.Difference;
import org.jvrpc.watch.drift.Drift;

/** What was found, for people and for programs. What hosts say reaches no terminal with control characters. */
final class Shown {

    private Shown() {
    }

    /** Returns a text whose control characters, but the ends of lines, are question marks. */
    static String plain(String text) {
        return text == null ? "" : text.replaceAll("[\\p{Cntrl}&&[^\n]]|[\u202a-\u202e\u2066-\u2069]", "?");
    }

    private static String line(String text) {
        return plain(text).replace('\n', '?');
    }

    /** Returns a line for each, and one for all. */
    static String text(Drift drift, boolean remembers) {
        StringBuilder out = new StringBuilder();
        for (Difference one : drift.differences()) {
            out.append(String.format("DIFFERS     %s  %s is %s, wanted %s%s%n            would: %s%n",
                    line(one.subject()), one.key(), line(one.found()), line(one.desired()),
                    remembers ? since(one) : "", line(one.remedy())));
        }
        for (Drift.Unreadable one : drift.unreadable()) {
            out.append(String.format("unreadable  %s  %s: %s%n", line(one.subject()), one.key(), line(one.why())));
        }
        drift.notes().forEach(note -> out.append("note        ").append(line(note)).append(System.lineSeparator()));
        return out.append(drift.differences().size()).append(" differ, ").append(drift.unreadable().size())
                .append(" could not be read, ").append(drift.same()).append(" are as wanted.").toString();
    }

    private static String since(Difference one) {
        return one.sinceIsBound() ? "; already so at the first look, " + time(one.sinceMs())
                : "; since some time between " + time(one.notBeforeMs()) + " and " + time(one.sinceMs());
    }

    private static String time(long ms) {
        return Instant.ofEpochMilli(ms).truncatedTo(ChronoUnit.SECONDS).toString();
    }

    /**
     * {@code {"atMs":…,"same":…,"differ":[{"kind":…,"subject":…,"key":…,"wanted":…,"found":…,"sinceMs":…,
     * "notBeforeMs":…,"remedy":…},…],"unreadable":[{"kind":…,"subject":…,"key":…,"why":…},…],"notes":[…]}};
     * notBeforeMs is -1 where it was so at the first look.
     */
    static String json(Drift drift, long nowMs) {
        JsonWriter json = new JsonWriter().object().name("atMs").value(nowMs).name("same").value(drift.same())
                .name("differ").array();
        for (Difference one : drift.differences()) {
            member(json, one);
        }
        json.end().name("unreadable").array();
        for (Drift.Unreadable one : drift.unreadable()) {
            json.object().name("kind").value(one.kind().name().toLowerCase(Locale.ROOT)).name("subject")
                    .value(one.subject()).name("key").value(one.key()).name("why").value(one.why()).end();
        }
        json.end().name("notes").array();
        drift.notes().forEach(json::value);
        return json.end().end().toString();
    }

    /** Writes a difference. */
    static void member(JsonWriter json, Difference one) {
        json.object().name("kind").value(one.kind().name().toLowerCase(Locale.ROOT)).name("subject")
                .value(one.subject()).name("key").value(one.key()).name("wanted").value(one.desired()).name("found")
                .value(one.found()).name("sinceMs").value(one.sinceMs()).name("notBeforeMs").value(one.notBeforeMs())
                .name("remedy").value(one.remedy()).end();
    }
}
