package org.acme;

public class NoSuchOrder extends Exception {

    private static final long serialVersionUID = 1L;

    private final long id;

    public NoSuchOrder(long id) {
        super("no order " + id);
        this.id = id;
    }

    public long id() {
        return id;
    }
}
