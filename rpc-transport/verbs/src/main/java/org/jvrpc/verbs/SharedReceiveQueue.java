package org.jvrpc.verbs;

/**
 * Receives that several QPs of one device take, in the order in which they were posted: whichever QP a message comes to
 * takes the oldest. The completion is that QP's, on its receive CQ. An error of a QP flushes nothing of the queue.
 * Source: ibv_create_srq(3), ibv_post_srq_recv(3). One thread at a time posts.
 */
public interface SharedReceiveQueue extends AutoCloseable {

    /** Returns the number of the queue on its device. */
    int number();

    /** Returns how many receives may be outstanding: posted, and neither completed nor given back. */
    int depth();

    /**
     * Makes a stateful verb call of receives. Its {@link PostReceive#execute()} accepts fewer requests when the queue
     * is full.
     *
     * @throws VerbsException when a request has more SGEs, or the list more requests, than the queue
     */
    PostReceive prepareReceive(ReceiveRequest... requests);

    /** Ends the queue; what is posted is not reported. Idempotent. @throws VerbsException while QPs use it */
    @Override
    void close();
}
