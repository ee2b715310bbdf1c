package org.jvrpc.tools.call;

/** A server that does not tell what is asked. */
final class UndescribedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UndescribedException(String message, Throwable cause) {
        super(message, cause);
    }
}
