package org.jvrpc.router;

/** Rates of tenants, and whose turn it is. Tenants are numbers of the worker's own. One thread: the worker's. */
public interface Shares {

    /** Tells whether a tenant has tokens. */
    boolean mayGo(int tenant, long nowNs);

    void took(int tenant, long bytes, int wqes);

    /** Returns when a tenant that may not go is to be looked at again. */
    long nextNs(int tenant, long nowNs);

    /** Returns whose turn it is of those that are ready, by deficit round robin; -1: none is. */
    int next();

    void ready(int tenant);

    void idle(int tenant);

    /** Returns how many bytes are left of a tenant's turn. */
    int budgetBytes(int tenant);
}
