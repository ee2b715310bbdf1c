package org.jvrpc.router;

/** Rates of tenants, and whose turn it is. Tenants are numbers of the worker's own. One thread: the worker's. */
public interface Shares {

    /** A tenant that was not there has come; its rates and weight are to be looked up. */
    default void begin(int tenant, TenantId id) {
    }

    /** A tenant's rates or weight have changed. Any thread; it counts from the worker's next look on. */
    default void change(TenantId id, Quota quota) {
    }

    /** Its last device has gone; the number goes to another. */
    default void end(int tenant) {
    }

    /** Tells whether a tenant has tokens. */
    boolean mayGo(int tenant, long nowNs);

    void took(int tenant, long bytes, int wqes);

    /** Returns when a tenant that may not go is to be looked at again. */
    long nextNs(int tenant, long nowNs);

    /** Tells whether a tenant's chains may go on. */
    default boolean mayOffload(int tenant, long nowNs) {
        return true;
    }

    /** Charges WQEs of chains, on top of {@link #took}. */
    default void offloaded(int tenant, int done) {
    }

    /** Returns when a tenant whose chains may not go on is to be looked at again. */
    default long nextOffloadNs(int tenant, long nowNs) {
        return nowNs;
    }

    /** Returns whose turn it is of those that are ready, by deficit round robin; -1: none is. */
    int next();

    void ready(int tenant);

    void idle(int tenant);

    /** Returns how many bytes are left of a tenant's turn. */
    int budgetBytes(int tenant);
}
