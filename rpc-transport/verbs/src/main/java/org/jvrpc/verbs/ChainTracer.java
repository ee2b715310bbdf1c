package org.jvrpc.verbs;

/** Hears of each WQE that a cross-channel queue executes, on the executing thread. Must not post or poll. */
public interface ChainTracer {

    /**
     * Called when a WQE was fetched and is about to be executed. A WAIT is announced when it lets its queue go on.
     *
     * @param qpn of the queue
     * @param index blocks of the queue executed before; not wrapped
     */
    void before(int qpn, int index);

    /** Called when it was executed. */
    void after(int qpn, int index, WcStatus status);
}
