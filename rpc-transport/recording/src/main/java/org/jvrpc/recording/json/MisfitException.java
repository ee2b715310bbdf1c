package org.jvrpc.recording.json;

/** JSON that is no value of its type. The message says where, what was expected, and what stands there. */
public final class MisfitException extends RuntimeException {

    private static final long serialVersionUID = 1L;
    private static final int MOST_SHOWN = 60;

    MisfitException(String where, String expected, Object found) {
        super(where + ": expected " + expected + ", found " + show(found));
    }

    /** Says what is wrong with text that is no JSON, or does not stand where it should. */
    public MisfitException(String message) {
        super(message);
    }

    private static String show(Object found) {
        String text = Json.write(found, false);
        return text.length() <= MOST_SHOWN ? text : text.substring(0, MOST_SHOWN) + "…";
    }
}
