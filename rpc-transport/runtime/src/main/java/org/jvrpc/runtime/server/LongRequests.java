package org.jvrpc.runtime.server;

import java.nio.ByteBuffer;
import org.jvrpc.api.RpcException;
import org.jvrpc.runtime.session.Fetches;

/** The long requests of a session on their way in. Poller thread. */
final class LongRequests {

    private final ServerSession session;
    private final Fetches fetches;

    LongRequests(ServerSession session) {
        this.session = session;
        this.fetches = new Fetches(session.link(), session.bodies(), session.server().clock());
    }

    boolean isEmpty() {
        return fetches.isEmpty();
    }

    /**
     * Takes a request over.
     *
     * @param in where its descriptor lies
     * @throws RpcException RESOURCE_EXHAUSTED when it is longer than the limit
     */
    void begin(ServerSlot slot, long first, long second, ByteBuffer in, int at, long limit) {
        LongRequest request = new LongRequest(session, slot, first, second, in, at, limit);
        if (request.allocateSoon(session.bodies())) {
            allocated(request);
        } else {
            session.server().allocate(() -> {
                request.allocate(session.bodies());
                session.finish(() -> allocated(request));
            });
        }
    }

    private void allocated(LongRequest request) {
        if (session.isBuried()) {
            request.giveBack(session.bodies());
        } else if (request.refusal() != null) {
            session.failed(request.slot, request.refusal());
        } else {
            fetches.add(request);
            session.longRequestBegins();
        }
    }

    /** Goes on with the request whose turn it is; true when a piece came. */
    boolean poll(int turn) {
        return fetches.poll(turn);
    }

    /** Gives the memory back of those that are still on their way. After the end of the link. */
    void clear() {
        fetches.clear();
    }
}
