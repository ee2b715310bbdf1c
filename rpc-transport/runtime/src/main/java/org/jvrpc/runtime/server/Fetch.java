package org.jvrpc.runtime.server;

import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.session.Bodies;
import org.jvrpc.runtime.session.Body;
import org.jvrpc.runtime.session.RpcHeader;

/** A long request on its way in. Poller thread, but for {@link #allocate}. */
final class Fetch {

    final ServerSlot slot;
    final long first;
    final long second;
    final long address;
    final int rkey;
    final int length;
    Body body;
    RpcException refusal;
    int done;

    /** @throws RpcException RESOURCE_EXHAUSTED when it is longer than the limit */
    Fetch(ServerSlot slot, long first, long second, long address, int rkey, long limit) {
        long bytes = (long) RpcHeader.bodyLength(second) + RpcHeader.extensionLength(second);
        if (RpcHeader.bodyLength(second) < 0 || bytes > limit) {
            throw new RpcException(Status.RESOURCE_EXHAUSTED, "arguments are longer than the limit: bytes=" + bytes
                    + " limit=" + limit);
        }
        this.slot = slot;
        this.first = first;
        this.second = second;
        this.address = address;
        this.rkey = rkey;
        this.length = (int) bytes;
    }

    /** Finds memory, or says why there is none. One thread, before others look. */
    void allocate(Bodies bodies) {
        try {
            body = bodies.takeForFetch(length);
        } catch (RpcException e) {
            refusal = e;
        }
    }

    void giveBack(Bodies bodies) {
        if (body != null) {
            bodies.give(body);
        }
    }
}
