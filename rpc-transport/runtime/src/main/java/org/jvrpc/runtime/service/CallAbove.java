package org.jvrpc.runtime.service;

import org.jvrpc.api.RpcContext;
import org.jvrpc.runtime.thread.Clock;

/**
 * A call as those know it that its handler makes, which may go on when another call has its memory. Any thread.
 */
public final class CallAbove implements RpcContext.Call {

    private final Caller waiting;
    private final Clock clock;
    private final int callId;
    private final Extension extension;
    private final long arrivedNs;
    private volatile boolean cancelled;

    /** @param waiting who waits for its answer; null for a one-way call, which goes on without its client */
    CallAbove(Caller waiting, Clock clock, int callId, Extension extension, long arrivedNs) {
        this.waiting = waiting;
        this.clock = clock;
        this.callId = callId;
        this.extension = extension;
        this.arrivedNs = arrivedNs;
    }

    /** The client has cancelled a call, which is this one or not. */
    public void cancel(int id) {
        if (id == callId) {
            cancelled = true;
        }
    }

    @Override
    public long remainingNs() {
        return extension.leftNs(clock, arrivedNs);
    }

    @Override
    public boolean isCancelled() {
        return cancelled || waiting != null && !waiting.isConnected();
    }
}
