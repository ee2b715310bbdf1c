package org.jvrpc.tools.selftest;

/** A step cannot be taken here: nothing is proven by it, and nothing is wrong. */
final class NotProvenException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    NotProvenException(String why) {
        super(why);
    }
}
