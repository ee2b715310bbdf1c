package org.acme;

/** Carried by its constructor without parameters. */
final class Closed extends Exception {

    private static final long serialVersionUID = 1L;

    Closed() {
        super("closed");
    }
}
