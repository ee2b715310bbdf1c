package org.jvrpc.testing.crash;

import java.util.List;
import java.util.function.BooleanSupplier;
import org.jvrpc.testing.Waits;

/**
 * The parent's side of an operation: the peer of the child, others who have nothing to do with it, and the auditor. One
 * scene serves all the children of an operation, so that what one of them spoils is seen. One thread.
 */
public interface CrashScene extends AutoCloseable {

    /** Makes ready for a child; returns its arguments. */
    List<String> begin();

    /** The child is ready, and about to begin. */
    default void go() {
    }

    /** A turn of this side's part while the child does its own. Does not block. */
    void step();

    /** Others go on, also while the child stands behind a store. */
    void others();

    /**
     * The child is dead: looks whether all is in order, and gives back what was made for it.
     *
     * @param whole true when the operation was done to its end
     */
    void end(boolean whole);

    /** Takes turns until a condition holds. */
    default void stepUntil(String what, BooleanSupplier condition) {
        Waits.until(what, () -> {
            step();
            return condition.getAsBoolean();
        }, this::toString);
    }

    @Override
    void close();
}
