package org.jvrpc.samples.quickstart;

/** Which way an order goes. Enums travel as their position. */
public enum Side {
    /** Wants to have. */
    BUY,
    /** Wants to be rid of. */
    SELL
}
