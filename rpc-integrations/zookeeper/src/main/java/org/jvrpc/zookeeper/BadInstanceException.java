package org.jvrpc.zookeeper;

/** What a znode says is no server. The message has no character that a log must not have. */
final class BadInstanceException extends Exception {

    private static final long serialVersionUID = 1L;
    private static final int MAX_SHOWN = 120;

    BadInstanceException(String message) {
        super(shown(message), null, false, false);
    }

    /** Returns a text as it may stand in a log: of some length, and of printable ASCII alone. */
    static String shown(String text) {
        StringBuilder shown = new StringBuilder();
        for (int i = 0; i < text.length() && shown.length() < MAX_SHOWN; i++) {
            char c = text.charAt(i);
            if (c < ' ' || c > '~') {
                shown.append(String.format("\\u%04x", (int) c));
            } else {
                shown.append(c);
            }
        }
        return shown.length() < MAX_SHOWN ? shown.toString() : shown.append('…').toString();
    }
}
