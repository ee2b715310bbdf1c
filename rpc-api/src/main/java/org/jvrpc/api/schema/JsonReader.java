package org.jvrpc.api.schema;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads JSON as maps, lists, strings, whole numbers, booleans and null: what a descriptor is made of. One thread. */
final class JsonReader {

    private static final int MAX_DEPTH = 32;

    private final String text;
    private int at;
    private int depth;

    JsonReader(String text) {
        this.text = text;
    }

    /** Returns the value that is the whole text. @throws IllegalArgumentException when it is none */
    @Nullable Object read() {
        @Nullable Object value = value();
        blanks();
        if (at < text.length()) {
            throw wrong("something behind the end");
        }
        return value;
    }

    private IllegalArgumentException wrong(String what) {
        return new IllegalArgumentException("not JSON: " + what + " at offset=" + at);
    }

    private void blanks() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private char peek() {
        blanks();
        if (at == text.length()) {
            throw wrong("the end");
        }
        return text.charAt(at);
    }

    private boolean skip(char c) {
        boolean is = peek() == c;
        at += is ? 1 : 0;
        return is;
    }

    private void expect(char c) {
        if (!skip(c)) {
            throw wrong("no '" + c + "'");
        }
    }

    private @Nullable Object value() {
        if (++depth > MAX_DEPTH) {
            throw wrong("nested deeper than " + MAX_DEPTH);
        }
        @Nullable Object value = switch (peek()) {
            case '{' -> object();
            case '[' -> array();
            case '"' -> string();
            default -> word();
        };
        depth--;
        return value;
    }

    private Map<String, @Nullable Object> object() {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        expect('{');
        if (skip('}')) {
            return members;
        }
        do {
            peek();
            String name = string();
            expect(':');
            members.put(name, value());
        } while (skip(','));
        expect('}');
        return members;
    }

    private List<@Nullable Object> array() {
        List<@Nullable Object> elements = new ArrayList<>();
        expect('[');
        if (skip(']')) {
            return elements;
        }
        do {
            elements.add(value());
        } while (skip(','));
        expect(']');
        return elements;
    }

    private String string() {
        expect('"');
        StringBuilder value = new StringBuilder();
        while (at < text.length() && text.charAt(at) != '"') {
            char c = text.charAt(at++);
            value.append(c == '\\' ? escaped() : c);
        }
        if (at == text.length()) {
            throw wrong("a string without an end");
        }
        at++;
        return value.toString();
    }

    private char escaped() {
        char c = at < text.length() ? text.charAt(at++) : ' ';
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> hex();
            default -> throw wrong("an unknown escape");
        };
    }

    private char hex() {
        if (at + 4 > text.length()) {
            throw wrong("an escape without an end");
        }
        at += 4;
        try {
            return (char) Integer.parseInt(text.substring(at - 4, at), 16);
        } catch (NumberFormatException e) {
            throw wrong("an escape without four digits");
        }
    }

    private @Nullable Object word() {
        int from = at;
        while (at < text.length() && ",]} \t\r\n".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        String word = text.substring(from, at);
        return switch (word) {
            case "true" -> true;
            case "false" -> false;
            case "null" -> null;
            default -> number(word);
        };
    }

    private Long number(String word) {
        try {
            return Long.parseLong(word);
        } catch (NumberFormatException e) {
            throw wrong("\"" + Split.brief(word) + "\" before");
        }
    }
}
