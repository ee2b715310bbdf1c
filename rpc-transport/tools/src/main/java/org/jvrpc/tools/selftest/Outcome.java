package org.jvrpc.tools.selftest;

/**
 * What came of a step.
 *
 * @param step its name
 * @param kind how it ended
 * @param text what was proven, or why not; one line
 */
public record Outcome(String step, Kind kind, String text) {

    /** How a step ended. */
    public enum Kind {
        /** It did what it must. */
        PROVEN("proven"),
        /** It could not be taken here. */
        NOT_PROVEN("not proven"),
        /** It did something else. */
        FAILED("FAILED");

        private final String word;

        Kind(String word) {
            this.word = word;
        }

        /** Returns it as it is printed. */
        public String word() {
            return word;
        }
    }
}
