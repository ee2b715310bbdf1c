package org.jvrpc.tools.selftest;

/** A step cannot be taken here: nothing is proven by it, and nothing is wrong. */
final class NotHere extends RuntimeException {

    private static final long serialVersionUID = 1L;

    NotHere(String why) {
        super(why);
    }
}
