package org.jvrpc.router.engine;

/** What has a tenant's turns: a QP that sends, or a group of chains. The worker's thread. */
interface Turn {

    TenantDevice device();

    boolean isClosed();

    /** Notes that it is listed, as one that has work or waits, or no more; returns false when that was so already. */
    boolean list(boolean now);

    /** Returns when to look at it again, of one that waits. */
    long againNs();
}
