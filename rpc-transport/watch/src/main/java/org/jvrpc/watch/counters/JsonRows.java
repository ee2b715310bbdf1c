package org.jvrpc.watch.counters;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads the JSON that {@code rdma -j} prints: an array of objects of texts and whole numbers. What is deeper is passed
 * over, to a depth. Nothing else is taken. Source: RFC 8259.
 */
final class JsonRows {

    private static final int MOST_DEPTH = 20;

    private final String text;
    private int at;

    private JsonRows(String text) {
        this.text = text;
    }

    /**
     * Reads all rows.
     *
     * @return members by name, in order: a text in quotes with them, a number as it stands
     * @throws IllegalArgumentException when it is no such JSON, with the place
     */
    static List<Map<String, String>> parse(String text) {
        JsonRows rows = new JsonRows(text);
        List<Map<String, String>> all = rows.array();
        rows.space();
        if (rows.at != text.length()) {
            throw rows.wrong("more behind its end");
        }
        return all;
    }

    private List<Map<String, String>> array() {
        List<Map<String, String>> rows = new ArrayList<>();
        expect('[');
        if (next() == ']') {
            at++;
            return rows;
        }
        do {
            rows.add(object());
        } while (isFollowed(']'));
        return rows;
    }

    private Map<String, String> object() {
        Map<String, String> members = new LinkedHashMap<>();
        expect('{');
        if (next() == '}') {
            at++;
            return members;
        }
        do {
            next();
            String name = unquoted(string());
            expect(':');
            String value = value(0);
            if (value != null) {
                members.put(name, value);
            }
        } while (isFollowed('}'));
        return members;
    }

    /** Takes a comma, or the end. */
    private boolean isFollowed(char end) {
        char c = next();
        if (c != ',' && c != end) {
            throw wrong("no ',' and no '" + end + "'");
        }
        at++;
        return c == ',';
    }

    /** Returns null for what is deeper. */
    private String value(int depth) {
        char c = next();
        if (c == '"') {
            return string();
        }
        if (c == '{' || c == '[') {
            skip(c, depth + 1);
            return null;
        }
        int from = at;
        while (at < text.length() && isOfAWord(text.charAt(at))) {
            at++;
        }
        if (from == at) {
            throw wrong("no value");
        }
        return text.substring(from, at);
    }

    private static boolean isOfAWord(char c) {
        return Character.isLetterOrDigit(c) || "+-.".indexOf(c) >= 0;
    }

    private void skip(char open, int depth) {
        if (depth > MOST_DEPTH) {
            throw wrong("deeper than " + MOST_DEPTH);
        }
        char end = open == '{' ? '}' : ']';
        at++;
        if (next() == end) {
            at++;
            return;
        }
        do {
            if (open == '{') {
                next();
                string();
                expect(':');
            }
            value(depth);
        } while (isFollowed(end));
    }

    /** Returns a text with its quotes and escapes. */
    private String string() {
        int from = at;
        if (text.charAt(at) != '"') {
            throw wrong("no text");
        }
        at++;
        while (at < text.length() && text.charAt(at) != '"') {
            at += text.charAt(at) == '\\' ? 2 : 1;
        }
        if (at >= text.length()) {
            throw wrong("a text without an end");
        }
        at++;
        return text.substring(from, at);
    }

    /** Returns a text without its quotes. Escapes stay: no name of Linux has one. */
    static String unquoted(String value) {
        return value.startsWith("\"") ? value.substring(1, value.length() - 1) : value;
    }

    private void expect(char c) {
        if (next() != c) {
            throw wrong("no '" + c + "'");
        }
        at++;
    }

    private char next() {
        space();
        if (at >= text.length()) {
            throw wrong("it ends too early");
        }
        return text.charAt(at);
    }

    private void space() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    private IllegalArgumentException wrong(String what) {
        return new IllegalArgumentException(what + " at " + at + " of " + text.length());
    }
}
