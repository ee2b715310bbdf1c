package org.jvrpc.router.audit;

/** What others wrote, as it may stand in a log: nothing that ends a line, moves a cursor, or is a secret. */
public final class Redaction {

    /** The most characters of one text. */
    public static final int MOST = 256;
    /** Tokens and keys have more characters of base64 or hex than any name of ours in one piece. */
    private static final String SECRET = "(?<![A-Za-z0-9_+/-])[A-Za-z0-9_+/-]{40,}={0,2}";

    private Redaction() {
    }

    /** Returns a text for a message: what is not printable ASCII is ?, and the rest of a long one is left out. */
    public static String quote(String text) {
        String cut = text.length() > MOST ? text.substring(0, MOST) + "..." : text;
        StringBuilder quoted = new StringBuilder(cut.length());
        cut.chars().forEach(c -> quoted.append(c < ' ' || c > '~' ? '?' : (char) c));
        return quoted.toString();
    }

    /** As {@link #quote}, without what could be a token. */
    public static String hide(String text) {
        return quote(text.replaceAll(SECRET, "***"));
    }

    /** Returns a text as a string of JSON. */
    static String json(String text) {
        return '"' + hide(text).replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
