package org.jvrpc.ibverbs.core;

/** A CQ, seen by its channel. */
public interface CompletionSink {

    /**
     * Called when the kernel says that the armed CQ has a completion. The thread that waits.
     *
     * @return false when nobody asked any more
     */
    boolean completed();
}
