package org.jvrpc.api.schema;

import java.util.ArrayList;
import java.util.List;

/** Cuts texts of a schema where no bracket is open. */
final class Split {

    private static final int BRIEF = 200;

    private Split() {
    }

    /** Returns where one of some characters stands, from an index on, outside all brackets; -1 when none does. */
    static int find(String text, String which, int from) {
        int depth = 0;
        for (int i = from; i < text.length(); i++) {
            char c = text.charAt(i);
            if (depth == 0 && which.indexOf(c) >= 0) {
                return i;
            }
            if ("<({[".indexOf(c) >= 0) {
                depth++;
            } else if (">)}]".indexOf(c) >= 0 && --depth < 0) {
                throw new IllegalArgumentException("a bracket too many at offset=" + i + ": " + brief(text));
            }
        }
        return -1;
    }

    /** Returns the pieces between separators outside all brackets; none of an empty text. */
    static List<String> at(String text, char separator) {
        List<String> pieces = new ArrayList<>();
        if (text.isEmpty()) {
            return pieces;
        }
        int from = 0;
        for (int to = find(text, String.valueOf(separator), 0); to >= 0;
                to = find(text, String.valueOf(separator), from)) {
            pieces.add(text.substring(from, to));
            from = to + 1;
        }
        pieces.add(text.substring(from));
        return pieces;
    }

    /** Returns the beginning of a text that may be long. */
    static String brief(String text) {
        return text.length() <= BRIEF ? text : text.substring(0, BRIEF) + "…";
    }
}
