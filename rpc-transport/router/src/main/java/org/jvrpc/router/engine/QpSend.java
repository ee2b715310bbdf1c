package org.jvrpc.router.engine;

/** The send queue of a QP that the worker executes by itself. The worker's thread. */
interface QpSend {

    /** Takes the tenant's word for how far its ring is filled; false when it cannot be. What is old says nothing. */
    boolean ring(int word);

    /** Executes until so many WQEs are done, or so many bytes are moved; see {@link TenantSend#DONE}. */
    int run(int wqes, long bytes);

    /** Returns when to look again at one that waits. */
    long againNs();

    /** Returns how many bytes were moved since it was asked last. */
    long takeBytes();

    /** Returns how many WQEs were executed, or tried, since it was asked last. */
    int takeAttempts();

    /** Moves the QP to ERR, and has its owner told. */
    void toError();
}
