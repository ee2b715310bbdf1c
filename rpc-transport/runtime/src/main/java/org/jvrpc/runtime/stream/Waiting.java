package org.jvrpc.runtime.stream;

import org.jvrpc.api.RpcException;

/** An answer that a thread waits for, which polls meanwhile. */
public abstract class Waiting {

    private static final long SOON_NS = 1_000_000;

    private final Blocker blocker = new Blocker() {
        @Override
        boolean isReady() {
            return isThere();
        }
    };

    /** Returns true when it has come. Any thread. */
    protected abstract boolean isThere();

    /** It has come. */
    protected final void wakeUp() {
        blocker.wake();
    }

    /** Waits until it has come; gives the call up where that does not go on, which makes it come. */
    public final void await(Stream stream) {
        try {
            stream.session().await(blocker, stream.session().newIdler(), stream.endNs());
        } catch (RpcException e) {
            stream.fail(e);
            while (!isThere()) { // another thread has ended it just now, and is about to tell
                blocker.sleep(SOON_NS);
            }
        }
    }
}
