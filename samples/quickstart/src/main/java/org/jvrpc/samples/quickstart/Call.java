package org.jvrpc.samples.quickstart;

/** What is measured apart: the methods of {@link Orders}, in the order of the table. */
enum Call {
    PLACE("place"),
    FIND("find"),
    FIND_MISSING("find, NoSuchOrderException"),
    SNAPSHOT("snapshot"),
    REPORT("report, heavy"),
    TICK("tick, one-way"),
    PLACE_LATER("placeLater, async");

    private final String label;

    Call(String label) {
        this.label = label;
    }

    /** Returns the name in the table. */
    String label() {
        return label;
    }
}
