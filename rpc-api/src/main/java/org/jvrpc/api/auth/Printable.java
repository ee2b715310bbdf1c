package org.jvrpc.api.auth;

/** Text of others, as lines of a log may have it. Stateless. */
final class Printable {

    private Printable() {
    }

    /**
     * Returns a text in one line, of so many characters at most and an ellipsis: whatever ends lines, moves the cursor
     * or the direction of writing, or cannot be seen, is written as its number.
     */
    static String of(String text, int most) {
        StringBuilder out = new StringBuilder(Math.min(text.length(), most) + 8);
        for (int i = 0; i < text.length();) {
            int point = text.codePointAt(i);
            i += Character.charCount(point);
            String shown = isPlain(point) ? Character.toString(point) : String.format("\\u{%x}", point);
            if (out.length() + shown.length() > most) {
                return out.append('…').toString();
            }
            out.append(shown);
        }
        return out.toString();
    }

    private static boolean isPlain(int point) {
        if (point < 0x7f) {
            return point >= 0x20 && point != '\\' && point != '"';
        }
        return switch (Character.getType(point)) {
            case Character.CONTROL, Character.FORMAT, Character.SURROGATE, Character.PRIVATE_USE, Character.UNASSIGNED,
                    Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR, Character.SPACE_SEPARATOR -> false;
            default -> true;
        };
    }
}
