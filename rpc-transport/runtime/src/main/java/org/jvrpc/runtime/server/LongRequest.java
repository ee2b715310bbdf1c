package org.jvrpc.runtime.server;

import java.nio.ByteBuffer;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.session.Body;
import org.jvrpc.runtime.session.Descriptor;
import org.jvrpc.runtime.session.FarBody;
import org.jvrpc.runtime.session.Fetch;
import org.jvrpc.runtime.session.RpcHeader;

/** A long request on its way in. Poller thread, but for {@link #allocate}. */
final class LongRequest extends Fetch {

    final ServerSlot slot;
    private final ServerSession session;
    private final FarRequest far;
    private final long first;
    private final long second;

    /**
     * @param in where its descriptor lies
     * @throws RpcException RESOURCE_EXHAUSTED when it is longer than the limit
     */
    LongRequest(ServerSession session, FarRequest far, ServerSlot slot, long first, long second, ByteBuffer in, int at,
            long limit) {
        super(Descriptor.address(in, at), Descriptor.rkey(in, at), checkedLength(second, limit));
        this.session = session;
        this.far = far;
        this.slot = slot;
        this.first = first;
        this.second = second;
    }

    private static int checkedLength(long second, long limit) {
        long bytes = (long) RpcHeader.bodyLength(second) + RpcHeader.extensionLength(second);
        if (RpcHeader.bodyLength(second) < 0 || bytes > limit) {
            throw new RpcException(Status.RESOURCE_EXHAUSTED, "arguments are longer than the limit: bytes=" + bytes
                    + " limit=" + limit);
        }
        return (int) bytes;
    }

    @Override
    protected void ended() {
        Body body = takeBody();
        if (body != null) {
            slot.request(body);
            session.handle(slot, first, second, body.buffer(), 0);
        } else if (refusal() != null) {
            session.refused(slot, refusal());
        } else {
            far.handle(this);
        }
    }

    /** Has it handled, with its arguments read from where they lie. */
    void handle(FarBody body) {
        slot.arguments(body);
        session.handle(slot, first, second, null, 0);
    }
}
