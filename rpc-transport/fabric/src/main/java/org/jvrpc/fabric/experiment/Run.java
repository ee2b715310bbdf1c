package org.jvrpc.fabric.experiment;

import org.jvrpc.fabric.trace.Watcher;

/**
 * An experiment by its name, with the sizes and times of {@code EXPERIMENTS.md}.
 *
 * @param about what it shows, in a line
 */
public record Run(String name, String about, Body body) {

    /** Runs it. */
    public interface Body {

        /** Returns what came of it, to be printed. */
        Object run(long seed, Watcher watcher);
    }

    /** Returns true for its name, and for the beginning of it up to a hyphen. */
    public boolean isMeantBy(String word) {
        return name.equals(word) || name.startsWith(word + "-");
    }
}
