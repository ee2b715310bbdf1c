package org.acme;

public class NoSuchOrderException extends Exception {

    private static final long serialVersionUID = 1L;

    private final long id;

    public NoSuchOrderException(long id) {
        super("no order " + id);
        this.id = id;
    }

    public long id() {
        return id;
    }
}
