package org.jvrpc.recording;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jvrpc.recording.json.Json;

/**
 * Recorded answers by what was asked: those of equal calls in the order in which they were given, the last one again
 * and again. Many threads.
 */
final class AnswerBook {

    private static final int MOST_SHOWN = 5;
    private static final int MOST_CHARS = 200;

    private final Map<List<Object>, Deque<RecordedCall>> answers = new HashMap<>();
    private final Map<String, Set<String>> asked = new HashMap<>();

    AnswerBook(List<RecordedCall> calls) {
        for (RecordedCall call : calls) {
            answers.computeIfAbsent(key(call.fullName(), call.arguments(), call.elements()), key -> new ArrayDeque<>())
                    .add(call);
            asked.computeIfAbsent(call.fullName(), name -> new LinkedHashSet<>())
                    .add(show(call.arguments(), call.elements()));
        }
    }

    /** Numbers are what they are in JSON, whatever they were before. */
    private static List<Object> key(String method, List<Object> arguments, List<Object> elements) {
        return List.of(method, Json.read(Json.write(arguments, false)),
                elements == null ? List.of() : List.of(Json.read(Json.write(elements, false))));
    }

    private static String show(List<Object> arguments, List<Object> elements) {
        String text = Json.write(arguments, false) + (elements == null ? "" : " " + Json.write(elements, false));
        return text.length() <= MOST_CHARS ? text : text.substring(0, MOST_CHARS) + "…";
    }

    /** Returns the call whose answer is next; null when none was asked so. */
    synchronized RecordedCall next(String method, List<Object> arguments, List<Object> elements) {
        Deque<RecordedCall> left = answers.get(key(method, arguments, elements));
        return left == null ? null : left.size() > 1 ? left.poll() : left.peek();
    }

    /** Says what was asked, and what had been. */
    String miss(String method, List<Object> arguments, List<Object> elements) {
        Set<String> known = asked.getOrDefault(method, Set.of());
        return "no recorded call of " + method + " has the arguments " + show(arguments, elements)
                + (known.isEmpty() ? ": it was never called" : ": there are "
                        + String.join(", ", known.stream().limit(MOST_SHOWN).toList())
                        + (known.size() > MOST_SHOWN ? " and " + (known.size() - MOST_SHOWN) + " more" : ""));
    }
}
