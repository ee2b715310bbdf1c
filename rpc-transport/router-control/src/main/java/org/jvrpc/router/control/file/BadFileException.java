package org.jvrpc.router.control.file;

/** A file that says nothing that may be gone by. */
final class BadFileException extends Exception {

    private static final long serialVersionUID = 1L;

    BadFileException(String message) {
        super(message);
    }
}
