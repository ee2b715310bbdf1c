package org.jvrpc.codegen.parse;

/** A type that cannot travel. Its message is the error to report, on the element that uses the type. */
final class UnsupportedTypeException extends Exception {

    private static final long serialVersionUID = 1L;

    UnsupportedTypeException(Problem problem, Object... values) {
        this(problem.text(values));
    }

    private UnsupportedTypeException(String message) {
        super(message, null, false, false);
    }

    /** Says through which component or field the type was reached. */
    UnsupportedTypeException via(String path) {
        return new UnsupportedTypeException(path + ": " + getMessage());
    }
}
