package org.jvrpc.tools.selftest;

/** What a step expected did not come about. */
final class StepFailure extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    StepFailure(String message) {
        super(message);
    }
}
