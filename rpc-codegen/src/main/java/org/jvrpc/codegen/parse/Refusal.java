package org.jvrpc.codegen.parse;

/** A type that cannot travel. Its message is the error to report, on the element that uses the type. */
final class Refusal extends Exception {

    private static final long serialVersionUID = 1L;

    Refusal(Problem problem, Object... values) {
        this(problem.text(values));
    }

    private Refusal(String message) {
        super(message, null, false, false);
    }

    /** Says through which component or field the type was reached. */
    Refusal via(String path) {
        return new Refusal(path + ": " + getMessage());
    }
}
