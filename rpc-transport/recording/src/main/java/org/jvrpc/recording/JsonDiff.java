package org.jvrpc.recording;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jvrpc.recording.json.Json;

/** What differs between two values of JSON, by where it stands: {@code answer.legs[1].venue}. */
public final class JsonDiff {

    private static final int MOST_SHOWN = 200;

    private final List<Pattern> ignored;
    private final List<Difference> found = new ArrayList<>();

    private JsonDiff(List<String> ignored) {
        this.ignored = ignored.stream().map(JsonDiff::pattern).toList();
    }

    /**
     * A difference.
     *
     * @param path where
     * @param before what stood there, as JSON; null for nothing
     * @param now what stands there, as JSON; null for nothing
     */
    public record Difference(String path, String before, String now) {

        @Override
        public String toString() {
            return path + ": " + (before == null ? "new: " + now : now == null ? "gone: " + before
                    : before + " -> " + now);
        }
    }

    /**
     * Compares two values.
     *
     * @param root where they stand
     * @param ignored where differences do not count, with all below: {@code answer.at}, {@code answer.legs[*].venue}
     */
    public static List<Difference> of(String root, Object before, Object now, List<String> ignored) {
        JsonDiff diff = new JsonDiff(ignored);
        diff.compare(root, Json.read(Json.write(before, false)), Json.read(Json.write(now, false)));
        return List.copyOf(diff.found);
    }

    private static Pattern pattern(String path) {
        return Pattern.compile(Pattern.quote(path).replace("[*]", "\\E\\[[0-9]+\\]\\Q"));
    }

    private void compare(String path, Object before, Object now) {
        if (Objects.equals(before, now) || ignored.stream().anyMatch(each -> each.matcher(path).matches())) {
            return;
        }
        if (before instanceof Map<?, ?> left && now instanceof Map<?, ?> right) {
            Set<Object> names = new LinkedHashSet<>(left.keySet());
            names.addAll(right.keySet());
            for (Object name : names) {
                compareMember(path.isEmpty() ? name.toString() : path + "." + name, left.containsKey(name),
                        left.get(name), right.containsKey(name), right.get(name));
            }
        } else if (before instanceof List<?> left && now instanceof List<?> right) {
            for (int i = 0; i < Math.max(left.size(), right.size()); i++) {
                compareMember(path + "[" + i + "]", i < left.size(), i < left.size() ? left.get(i) : null,
                        i < right.size(), i < right.size() ? right.get(i) : null);
            }
        } else {
            found.add(new Difference(path, show(before), show(now)));
        }
    }

    private void compareMember(String path, boolean was, Object before, boolean is, Object now) {
        if (was && is) {
            compare(path, before, now);
        } else if (ignored.stream().noneMatch(each -> each.matcher(path).matches())) {
            found.add(new Difference(path, was ? show(before) : null, is ? show(now) : null));
        }
    }

    private static String show(Object value) {
        String text = Json.write(value, false);
        return text.length() <= MOST_SHOWN ? text : text.substring(0, MOST_SHOWN) + "…";
    }
}
