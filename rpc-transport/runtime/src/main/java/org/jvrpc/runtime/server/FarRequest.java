package org.jvrpc.runtime.server;

import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.session.Body;
import org.jvrpc.runtime.session.FarBody;

/** The arguments of a light call while they lie at the client. Poller thread. */
final class FarRequest extends FarBody {

    private final ServerSession session;
    private ServerSlot slot;

    FarRequest(ServerSession session) {
        super(session.link(), session.bodies());
        this.session = session;
    }

    /** Handles a request whose turn it is. */
    void handle(LongRequest request) {
        slot = request.slot;
        if (request.begin(this)) {
            request.handle(this);
        } else {
            session.unreadable();
        }
    }

    @Override
    protected RpcException lost() {
        session.unreadable();
        return new RpcException(Status.UNAVAILABLE, session.link().failure());
    }

    @Override
    protected void keep(Body body) {
        slot.request(body);
    }
}
