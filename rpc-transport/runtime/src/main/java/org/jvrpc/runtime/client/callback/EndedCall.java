package org.jvrpc.runtime.client.callback;

import org.jvrpc.api.RpcException;
import org.jvrpc.api.wire.WireReader;

/** How a call with a callback ended, for the thread that calls it. */
public interface EndedCall {

    /** Returns how the call failed, or null when its answer is a result or a declared exception. */
    RpcException failed();

    /** Returns the reader of the answer. */
    WireReader answered();

    /** Returns 0, or the number of the declared exception that the answer is. */
    int thrown();

    /** The answer was read; the callback is called now. */
    void leaveToCallback();
}
