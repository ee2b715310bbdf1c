package org.jvrpc.roce.cm;

import java.nio.ByteBuffer;

/** One connection, from its REQ until its ids have rested. Changed by its {@link ConnectionManager} alone. */
public final class CmConnection {

    /** How far it is; the names are those of IBA volume 1, 12.9.7. */
    enum State {
        REQ_SENT, REP_RCVD, REQ_RCVD, REP_SENT, ESTABLISHED, DREQ_SENT, TIMEWAIT, GONE
    }

    final CmPeer peer;
    final int localId;
    /** Of the REQ; the peer's answers bear it, too. */
    final long tid;
    final boolean active;
    State state;
    int remoteId;
    int localQpn;
    int remoteQpn;
    /** The REQ as it came, while the same again is to be answered. */
    byte[] request;
    /** What is sent again. */
    ByteBuffer message;
    int sends;
    /** How many were half-open before it, if it was. */
    long number;
    /** The peer knows this side's id or QPN: what is sent to its address reaches it. */
    boolean proven;
    /** To be disconnected once the peer is proven. */
    boolean closing;
    long dreqTid;
    long deadlineNs;
    boolean timed;
    private volatile Object attachment;

    CmConnection(CmPeer peer, int localId, long tid, boolean active, State state, Object attachment) {
        this.peer = peer;
        this.localId = localId;
        this.tid = tid;
        this.active = active;
        this.state = state;
        this.attachment = attachment;
    }

    public CmPeer peer() {
        return peer;
    }

    /** Returns whose events these are: what was given to connect or to listen, or what was attached last. */
    public Object attachment() {
        return attachment;
    }

    public void attach(Object to) {
        attachment = to;
    }

    /** Returns true for a request that came and whose sender has not shown that it gets what is sent to it. */
    boolean isHalfOpen() {
        return !active && !proven && (state == State.REQ_RCVD || state == State.REP_SENT);
    }

    @Override
    public String toString() {
        return "connection peer=" + peer + " localId=" + Integer.toHexString(localId) + " remoteId="
                + Integer.toHexString(remoteId) + " state=" + state;
    }
}
