package org.jvrpc.tools.host;

/** How a check ended. */
public enum Mark {
    /** As it should be. */
    OK("ok"),
    /** To know, neither good nor bad. */
    NOTE("note"),
    /** Works, with a limit that somebody will meet. */
    WARN("warn"),
    /** Does not work. */
    FAIL("FAIL");

    private final String word;

    Mark(String word) {
        this.word = word;
    }

    /** Returns it as it is printed. */
    public String word() {
        return word;
    }
}
