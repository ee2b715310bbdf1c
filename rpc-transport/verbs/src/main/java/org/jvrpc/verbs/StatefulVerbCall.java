package org.jvrpc.verbs;

/**
 * A verb call that keeps its marshalled form: made once, executed many times, changed in place between. This is the
 * stateful verb call of jVerbs (SOCC'13, section 4.2). The list of requests and the list of SGEs of each keep the sizes
 * that they were made with; a change past them is refused with {@link IndexOutOfBoundsException}. One thread.
 */
public interface StatefulVerbCall {

    /**
     * Performs the call. Never blocks, allocates nothing.
     *
     * @return requests accepted; less than {@link #size()} means that the queue was full at that index: poll, then
     *     execute a call with the rest
     * @throws IllegalStateException after {@link #free()}, or in a QP state that does not take it
     */
    int execute();

    /** Returns the number of requests. */
    int size();

    /** Returns false after {@link #free()} and after the QP was closed. */
    boolean valid();

    /** Gives the call's resources back. Idempotent. */
    void free();
}
