package org.jvrpc.benchmarks.harness;

/** A contender's process did not start, did not answer, or said that it failed. The others go on. */
public final class ContenderException extends Exception {

    private static final long serialVersionUID = 1L;

    /** Names the process and what it did. */
    public ContenderException(String message) {
        super(message);
    }
}
