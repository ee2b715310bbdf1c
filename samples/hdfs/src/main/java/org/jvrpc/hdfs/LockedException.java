package org.jvrpc.hdfs;

/**
 * A light call would wait for the namespace's lock, and the poller must not; nothing was done. The client repeats it by
 * {@link NameNodeCalls#queued}.
 */
final class LockedException extends Exception {

    private static final long serialVersionUID = 1L;

    LockedException() {
        super("a writer has the namespace's lock, or waits for it", null, false, false);
    }
}
