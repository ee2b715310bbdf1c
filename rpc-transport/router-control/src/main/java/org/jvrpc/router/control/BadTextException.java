package org.jvrpc.router.control;

/** A text that says nothing that may be gone by: the message has each mistake with its line. */
public final class BadTextException extends Exception {

    private static final long serialVersionUID = 1L;

    /** @param message what is wrong, and where */
    public BadTextException(String message) {
        super(message);
    }
}
