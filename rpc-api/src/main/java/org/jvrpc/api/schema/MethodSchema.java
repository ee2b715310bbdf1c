package org.jvrpc.api.schema;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A method of a service, as its signature says it.
 *
 * @param key name and parameter types, {@code find(long)}: what tells it from the others of its service
 * @param result type of its result, {@code void} for none
 * @param oneWay true when it has no answer
 * @param thrown its declared exceptions, in order
 * @param layouts of the records, enums and classes that it reaches, by name
 * @param signature the whole text
 */
public record MethodSchema(
        String key,
        String result,
        boolean oneWay,
        List<Layout> thrown,
        SortedMap<String, Layout> layouts,
        String signature) {

    private static final String OBJECT = "object";

    public MethodSchema {
        thrown = List.copyOf(thrown);
        layouts = Collections.unmodifiableSortedMap(new TreeMap<>(layouts));
    }

    /** Returns the method's Java name. */
    public String name() {
        return key.substring(0, key.indexOf('('));
    }

    /**
     * Returns the types of its parameters, in order: {@code stream of} stands before that of elements, {@code into}
     * before a buffer that takes the result.
     */
    public List<String> parameters() {
        return Split.at(key.substring(key.indexOf('(') + 1, key.length() - 1), ',');
    }

    /** Returns true when object graphs are among its arguments or its answers. */
    public boolean hasObjects() {
        return signature.contains(OBJECT + " ");
    }

    /**
     * Reads a signature.
     *
     * @throws IllegalArgumentException when the text is none
     */
    public static MethodSchema parse(String signature) {
        List<String> words = Split.at(signature, ' ');
        String first = words.isEmpty() ? "" : words.get(0);
        int open = first.indexOf('(');
        int close = open <= 0 ? -1 : Split.find(first.substring(open + 1), ")", 0);
        if (close < 0) {
            throw new IllegalArgumentException("not a signature: " + Split.brief(signature));
        }
        int end = open + 1 + close + 1;
        Words rest = new Words(words);
        String result = rest.type(first.substring(end));
        boolean oneWay = rest.skip("oneway");
        List<Layout> thrown = new ArrayList<>();
        if (rest.skip("throws")) {
            for (String exception : Split.at(rest.next(), ',')) {
                thrown.add(Layout.parse(exception, Layout.Kind.EXCEPTION));
            }
        }
        SortedMap<String, Layout> layouts = new TreeMap<>();
        while (rest.has()) {
            Layout layout = rest.layout();
            layouts.put(layout.name(), layout);
        }
        return new MethodSchema(first.substring(0, end), result, oneWay, thrown, layouts, signature);
    }

    /** Returns the signature in pieces that make it with a blank between them: the method, then each layout. */
    public List<String> pieces() {
        List<String> words = Split.at(signature, ' ');
        List<String> pieces = new ArrayList<>();
        int end = words.size();
        for (int i = 0; i < layouts.size(); i++) {
            int from = words.get(end - 2).equals(OBJECT) ? end - 2 : end - 1;
            pieces.add(0, String.join(" ", words.subList(from, end)));
            end = from;
        }
        pieces.add(0, String.join(" ", words.subList(0, end)));
        return pieces;
    }

    /** Returns a method of a signature that cannot be read: it equals none that can. */
    public static MethodSchema unread(String signature) {
        int end = signature.indexOf(')');
        String key = end < 0 || signature.lastIndexOf('(', end) < 0 ? Split.brief(signature) + "()"
                : signature.substring(0, end + 1);
        return new MethodSchema("?" + key, "", false, List.of(), new TreeMap<>(), signature);
    }

    /** The words of a signature, one after the other. */
    private static final class Words {

        private final List<String> words;
        private int at = 1;

        Words(List<String> words) {
            this.words = words;
        }

        boolean has() {
            return at < words.size();
        }

        String next() {
            if (!has()) {
                throw new IllegalArgumentException("a signature that ends too early: "
                        + Split.brief(String.join(" ", words)));
            }
            return words.get(at++);
        }

        boolean skip(String word) {
            boolean is = has() && words.get(at).equals(word);
            at += is ? 1 : 0;
            return is;
        }

        /** Returns a type that begins with a word: {@code stream of object java.util.TreeMap}. */
        String type(String begin) {
            String stream = begin.equals("stream") && skip("of") ? "stream of " : "";
            String first = stream.isEmpty() ? begin : next();
            return stream + (first.equals(OBJECT) ? first + " " + next() : first);
        }

        Layout layout() {
            return skip(OBJECT)
                    ? Layout.parse(next(), Layout.Kind.OBJECT)
                    : Layout.parse(next(), Layout.Kind.RECORD);
        }
    }
}
