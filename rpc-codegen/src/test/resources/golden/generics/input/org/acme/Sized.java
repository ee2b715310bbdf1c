package org.acme;

public interface Sized {

    int count();
}
