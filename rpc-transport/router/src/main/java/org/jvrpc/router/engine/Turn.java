package org.jvrpc.router.engine;

/** What has a tenant's turns: a QP that sends, or a group of chains. The worker's thread. */
interface Turn {

    TenantDevice device();

    boolean isClosed();

    /** Notes that it is listed, as one that has work or waits, or no more; returns false when that was so already. */
    boolean list(boolean now);

    /** Returns when to look at it again, of one that waits. */
    long againNs();

    /** The send queue of a QP that the worker executes by itself. The worker's thread. */
    interface Queue {

        /**
         * Takes the tenant's word for how far its ring is filled; false when it cannot be. What is old says nothing.
         */
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
}
