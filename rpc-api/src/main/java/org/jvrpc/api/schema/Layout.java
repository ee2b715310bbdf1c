package org.jvrpc.api.schema;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The layout of something that has a name: a record, an enum, an exception, or a class of object graphs.
 *
 * @param name with type arguments, as signatures write it
 * @param parts components, constants or fields, in order
 */
public record Layout(Kind kind, String name, List<Part> parts) {

    public Layout {
        parts = List.copyOf(parts);
    }

    /** The kind of type that a layout describes. */
    public enum Kind {
        RECORD,
        ENUM,
        EXCEPTION,
        OBJECT;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * A component, a constant or a field.
     *
     * @param text {@code name:type} of a component, without its version
     * @param since the version of {@link org.jvrpc.api.Since}, 0 for none
     */
    public record Part(String text, int since) {
    }

    /** Returns the number of components that every version has: those before the first with {@code @Since}. */
    public int base() {
        int base = 0;
        while (base < parts.size() && parts.get(base).since == 0) {
            base++;
        }
        return base;
    }

    /** Returns true when it has components with {@code @Since}. */
    public boolean grows() {
        return base() < parts.size();
    }

    /** Returns a record or an exception as {@code name{…}}, an enum as {@code name[…]}. */
    static Layout parse(String text, Kind braces) {
        int open = braces == Kind.OBJECT ? text.indexOf('{') : Split.find(text, "{[", 0); // arrays are of those
        if (open <= 0) {
            throw new IllegalArgumentException("not a layout: " + Split.brief(text));
        }
        boolean isEnum = braces != Kind.OBJECT && text.charAt(open) == '[';
        if (text.charAt(text.length() - 1) != (isEnum ? ']' : '}')) {
            throw new IllegalArgumentException("a layout without an end: " + Split.brief(text));
        }
        List<Part> parts = new ArrayList<>();
        for (String part : Split.at(text.substring(open + 1, text.length() - 1), ',')) {
            parts.add(isEnum || braces == Kind.OBJECT ? new Part(part, 0) : component(part));
        }
        return new Layout(isEnum ? Kind.ENUM : braces, text.substring(0, open), parts);
    }

    // note@2:String?
    private static Part component(String text) {
        int colon = text.indexOf(':');
        int at = text.indexOf('@');
        if (colon <= 0) {
            throw new IllegalArgumentException("a component without a type: " + Split.brief(text));
        }
        if (at < 0 || at > colon) {
            return new Part(text, 0);
        }
        int since = Integer.parseInt(text.substring(at + 1, colon));
        if (since < 1) {
            throw new IllegalArgumentException("a component since version=" + since);
        }
        return new Part(text.substring(0, at) + text.substring(colon), since);
    }
}
