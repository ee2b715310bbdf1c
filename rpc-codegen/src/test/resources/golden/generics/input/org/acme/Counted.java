package org.acme;

public interface Counted {

    int count();
}
