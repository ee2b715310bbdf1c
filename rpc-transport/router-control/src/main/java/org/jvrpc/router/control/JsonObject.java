package org.jvrpc.router.control;

import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/** Writes one object of JSON, field by field, in ASCII. One thread. */
public final class JsonObject {

    private final StringBuilder out = new StringBuilder("{");

    private JsonObject field(String name, String value) {
        out.append(out.length() == 1 ? "" : ", ").append(quoted(name)).append(": ").append(value);
        return this;
    }

    /** Adds a text. */
    public JsonObject text(String name, String value) {
        return field(name, quoted(value));
    }

    /** Adds a number. */
    public JsonObject number(String name, long value) {
        return field(name, Long.toString(value));
    }

    /** Adds true or false. */
    public JsonObject flag(String name, boolean value) {
        return field(name, Boolean.toString(value));
    }

    /** Adds what is JSON already. */
    public JsonObject raw(String name, String json) {
        return field(name, json);
    }

    /** Returns a list of what is JSON already. */
    public static String list(List<String> json) {
        return "[" + String.join(", ", json) + "]";
    }

    /** Returns a list of texts. */
    public static String texts(Collection<?> texts) {
        return texts.stream().map(text -> quoted(text.toString())).collect(Collectors.joining(", ", "[", "]"));
    }

    /** Returns a text in quotes; what is no ASCII is escaped. */
    public static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c < ' ' || c > '~') {
                quoted.append(String.format("\\u%04x", (int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }

    @Override
    public String toString() {
        return out + "}";
    }
}
