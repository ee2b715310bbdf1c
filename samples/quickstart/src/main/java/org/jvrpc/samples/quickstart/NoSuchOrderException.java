package org.jvrpc.samples.quickstart;

/** The book keeps no order of that number. A declared exception with a field: it arrives at the caller as itself. */
public final class NoSuchOrderException extends Exception {

    private static final long serialVersionUID = 1L;

    private final long id;

    /** Makes one; the parameter has a getter of its name, so that it can travel. */
    public NoSuchOrderException(long id) {
        super("no order " + id);
        this.id = id;
    }

    /** Returns the number that was asked for. */
    public long id() {
        return id;
    }
}
