package org.jvrpc.tools.selftest;

/** What a step expected did not come about. */
final class StepFailedException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    StepFailedException(String message) {
        super(message);
    }
}
