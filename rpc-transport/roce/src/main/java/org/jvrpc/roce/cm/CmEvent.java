package org.jvrpc.roce.cm;

import org.jvrpc.roce.cm.message.ConnectReply;
import org.jvrpc.roce.cm.message.ConnectRequest;

/**
 * What happened to a connection.
 *
 * @param request of {@link Kind#REQUESTED}; else null
 * @param reply of {@link Kind#REPLIED}; else null
 * @param reason of {@link Kind#REFUSED}: that of the REJ, or 0 when nothing came back; else 0
 * @param data private data of the REJ, padded with zeroes; else empty
 */
public record CmEvent(
        Kind kind, CmConnection connection, ConnectRequest request, ConnectReply reply, int reason, byte[] data) {

    /** What. */
    public enum Kind {
        /** A listener has a request, to be accepted or rejected. */
        REQUESTED,
        /** A request was accepted: make the QP ready, then call {@link ConnectionManager#ready}. */
        REPLIED,
        /** A request was refused, or nothing came back: the connection does not exist any more. */
        REFUSED,
        /** The peer has the REP. */
        ESTABLISHED,
        /** The peer gave up or disconnected, or never showed that it has the REP. */
        ENDED
    }

    private static final byte[] NONE = {};

    static CmEvent of(Kind kind, CmConnection connection) {
        return new CmEvent(kind, connection, null, null, 0, NONE);
    }

    static CmEvent requested(CmConnection connection, ConnectRequest request) {
        return new CmEvent(Kind.REQUESTED, connection, request, null, 0, NONE);
    }

    static CmEvent replied(CmConnection connection, ConnectReply reply) {
        return new CmEvent(Kind.REPLIED, connection, null, reply, 0, NONE);
    }

    static CmEvent refused(CmConnection connection, int reason, byte[] data) {
        return new CmEvent(Kind.REFUSED, connection, null, null, reason, data);
    }
}
