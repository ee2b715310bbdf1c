package org.jvrpc.runtime.session;

import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.wire.WireWriter;

/** Memory for the long bodies of one session: those that are sent, and those that are fetched. Any thread. */
public interface Bodies extends AutoCloseable {

    /** Of a cache line. */
    int LINE = 64;
    /** What an array's bytes lie behind. */
    int ARRAY_COUNT_BYTES = 4;

    /**
     * Takes memory for at least so many bytes, at most {@link Settings#MAX_BODY_BYTES}, that the peer may fetch.
     *
     * @throws RpcException RESOURCE_EXHAUSTED when there is none, UNAVAILABLE after the end of the session
     */
    Body take(long bytes);

    /** As {@link #take}, for what is fetched from the peer, which has no right to this memory. */
    Body takeForFetch(long bytes);

    /** As {@link #takeForFetch}, where it need not be made, which takes time; null where it must. */
    Body reuseForFetch(long bytes);

    /** Gives memory back, of either kind. */
    void give(Body body);

    /**
     * Moves what was written to memory for {@code needed} bytes more.
     *
     * @param old what the writer was moved to before, or null
     * @param what begins the message of the failure
     * @param method or null where none is known
     * @throws RpcException RESOURCE_EXHAUSTED beyond the limit, or when there is no memory
     */
    default Body grow(WireWriter writer, int needed, Body old, long limit, String what, MethodDescriptor method) {
        long wanted = (long) writer.length() + needed;
        if (wanted > limit) {
            throw new RpcException(Status.RESOURCE_EXHAUSTED, what + " longer than the limit: bytes=" + wanted
                    + " limit=" + limit + (method == null ? "" : " method=" + method.fullName()));
        }
        Body body = take(old == null ? wanted : Math.min(Math.max(wanted, 2L * old.capacity()), limit));
        int begin = body.beginAt(lineUp(writer.length(), wanted, body.capacity()));
        writer.moveTo(body.buffer(), begin, (int) Math.min(body.capacity(), begin + limit));
        if (old != null) {
            give(old);
        }
        return body;
    }

    /** Returns where bytes begin so that the array which they were too many for lies in whole cache lines, or 0. */
    private static int lineUp(int written, long wanted, int capacity) {
        int begin = -(written + ARRAY_COUNT_BYTES) & LINE - 1;
        return begin + wanted <= capacity ? begin : 0;
    }

    /** Gives all of it back, now or when the last body is given back. After the session's link is closed. */
    @Override
    void close();
}
