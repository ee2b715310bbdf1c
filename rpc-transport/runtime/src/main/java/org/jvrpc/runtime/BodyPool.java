package org.jvrpc.runtime;

import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.wire.WireWriter;
import org.jvrpc.verbs.Access;

/**
 * Memory for the long bodies of one session: those that are sent, which the peer may read, and those that are fetched
 * from it, which nobody else may. What is given back may be read by the session's peer until it is used again: it was
 * that peer's. Any thread.
 */
final class BodyPool implements AutoCloseable {

    private final SessionDomain domain;
    private final BodyShelf sent;
    private final BodyShelf fetched;

    /** @param domain the session's, closed with this */
    BodyPool(SessionDomain domain) {
        this.domain = domain;
        this.sent = new BodyShelf(domain, Access.LOCAL_WRITE | Access.REMOTE_READ);
        this.fetched = new BodyShelf(domain, Access.LOCAL_WRITE);
    }

    /**
     * Takes memory for at least so many bytes, at most {@link Settings#MAX_BODY_BYTES}, that the peer may read.
     *
     * @throws RpcException RESOURCE_EXHAUSTED when there is none
     */
    Body take(long bytes) {
        return sent.take(bytes);
    }

    /** As {@link #take}, for what is fetched from the peer, which has no right to this memory. */
    Body takeForFetch(long bytes) {
        return fetched.take(bytes);
    }

    /**
     * Moves what was written to memory for {@code needed} bytes more.
     *
     * @param old what the writer was moved to before, or null
     * @param what begins the message of the failure
     * @param method or null where none is known
     * @throws RpcException RESOURCE_EXHAUSTED beyond the limit, or when there is no memory
     */
    Body grow(WireWriter writer, int needed, Body old, long limit, String what, MethodDescriptor method) {
        long wanted = (long) writer.length() + needed;
        if (wanted > limit) {
            throw new RpcException(Status.RESOURCE_EXHAUSTED, what + " longer than the limit: bytes=" + wanted
                    + " limit=" + limit + (method == null ? "" : " method=" + method.fullName()));
        }
        Body body = take(old == null ? wanted : Math.min(Math.max(wanted, 2L * old.capacity()), limit));
        writer.moveTo(body.buffer(), 0, (int) Math.min(body.capacity(), limit));
        if (old != null) {
            give(old);
        }
        return body;
    }

    /** Gives memory back, of either kind. */
    void give(Body body) {
        body.shelf().give(body);
    }

    /** Ends the session's domain, now or when the last body is given back. After its link is closed. */
    @Override
    public void close() {
        sent.close();
        fetched.close();
        domain.close();
    }
}
