package org.jvrpc.watch.web;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/** What an address asks for behind its question mark. What is wrong is an IllegalArgumentException with the value. */
final class Query {

    private static final int MOST_BYTES = 2048;
    private static final int MOST_SHOWN = 100;

    private final Map<String, String> values = new TreeMap<>();

    private Query() {
    }

    /** Parses; null is nothing. */
    static Query of(String raw) {
        Query query = new Query();
        if (raw == null || raw.isEmpty()) {
            return query;
        }
        if (raw.length() > MOST_BYTES) {
            throw new IllegalArgumentException("query of " + raw.length() + " characters, at most " + MOST_BYTES);
        }
        for (String part : raw.split("&")) {
            int equals = part.indexOf('=');
            if (equals <= 0) {
                throw new IllegalArgumentException("not name=value: " + shown(part));
            }
            String name = URLDecoder.decode(part.substring(0, equals), StandardCharsets.UTF_8);
            String value = URLDecoder.decode(part.substring(equals + 1), StandardCharsets.UTF_8);
            if (query.values.put(name, value) != null) {
                throw new IllegalArgumentException("twice: " + shown(name));
            }
        }
        return query;
    }

    /** Returns a value, or null. */
    String text(String name) {
        return values.get(name);
    }

    /** Returns a value that has to be there. */
    String needed(String name) {
        String value = values.get(name);
        if (value == null) {
            throw new IllegalArgumentException(name + " is missing");
        }
        return value;
    }

    /** Returns a number, or the given one when there is none. */
    long number(String name, long absent) {
        String value = values.get(name);
        try {
            return value == null ? absent : Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + "=" + shown(value) + " is no number", e);
        }
    }

    /** Returns an int that has to be there. */
    int id(String name) {
        try {
            return Integer.parseInt(needed(name));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + "=" + shown(needed(name)) + " is no id", e);
        }
    }

    /** Returns what was asked for: equal queries have equal ones. */
    Object key() {
        return values;
    }

    /** Returns a text that fits into a message: short, and without characters that no one can see. */
    static String shown(String text) {
        String cut = text.length() > MOST_SHOWN ? text.substring(0, MOST_SHOWN) + "..." : text;
        return cut.replaceAll("\\p{Cntrl}", "?");
    }
}
