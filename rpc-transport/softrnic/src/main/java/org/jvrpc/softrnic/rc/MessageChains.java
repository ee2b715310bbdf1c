package org.jvrpc.softrnic.rc;

/**
 * The cross-channel queues that messages to a QP run: whoever delivers one runs them, on its thread. All but
 * {@link #claim}, {@link #isHeld} and {@link #resume} with the claim held.
 */
public interface MessageChains {

    /** Claims the queues, waiting a moment for whoever has them; false when that takes too long or they are cut off. */
    boolean claim();

    /** Runs the queues until all of them wait, or the run is over. */
    void run();

    /** Ends a claim. */
    void release();

    /** Returns true when the last run stopped before all queues waited. */
    boolean isHeld();

    /** Goes on where the last run stopped. */
    void resume();
}
