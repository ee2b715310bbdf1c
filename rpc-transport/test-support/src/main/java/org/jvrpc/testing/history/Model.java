package org.jvrpc.testing.history;

/**
 * How an object behaves when one operation follows another.
 *
 * @param <S> its states, immutable, with equals and hashCode
 */
public interface Model<S> {

    /** Returns the state in the beginning. */
    S initial();

    /**
     * Returns the state after an operation; null when the operation cannot have had its answer in this state. A pending
     * one has no answer yet, and can have had any.
     */
    S apply(S state, Operation operation);

    /** Returns true when a call never changes the state, so that a pending one of it says nothing. */
    boolean isRead(Object call);
}
