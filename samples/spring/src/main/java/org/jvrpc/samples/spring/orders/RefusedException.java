package org.jvrpc.samples.spring.orders;

/** An order that cannot be taken. Declared, so it arrives at the caller as itself. */
public class RefusedException extends Exception {

    private static final long serialVersionUID = 1;

    /** Says why. */
    public RefusedException(String message) {
        super(message);
    }
}
