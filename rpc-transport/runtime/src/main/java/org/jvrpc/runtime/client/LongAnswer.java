package org.jvrpc.runtime.client;

import java.nio.ByteBuffer;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.session.Body;
import org.jvrpc.runtime.session.Descriptor;
import org.jvrpc.runtime.session.Link;
import org.jvrpc.runtime.session.RpcHeader;

/** Brings an answer over that lies in the server's rendezvous memory. Under the session's lock. */
final class LongAnswer {

    private static final int PIECE = 1 << 20;

    private LongAnswer() {
    }

    /** Reads the answer that the message polled last describes, has the server's memory released, ends the call. */
    static void fetch(
            ClientSession session, ClientReceiver receiver, ClientSlot slot, Status status, int thrown, int length) {
        Link link = session.link();
        ByteBuffer in = link.payload();
        int at = link.payloadOffset() + RpcHeader.BYTES;
        long address = Descriptor.address(in, at);
        int rkey = Descriptor.rkey(in, at);
        int callId = slot.callId();
        Body body = null;
        RpcException trouble = null;
        if (slot.state() == ClientSlot.SENT) {
            try {
                body = read(session, address, rkey, length);
            } catch (RpcException e) {
                trouble = e;
            }
        }
        session.sendControl(RpcHeader.RELEASE, callId);
        if (!slot.leaveSent(ClientSlot.ARRIVING)) {
            if (body != null) {
                session.bodies().give(body);
            }
            receiver.unawaited(slot);
            return;
        }
        RpcFuture<?> future = slot.future;
        if (trouble == null) {
            slot.arriveInBody(status, thrown, body, length);
            slot.finish();
        } else {
            slot.endWith(trouble);
        }
        if (future != null) {
            session.finishFuture(slot);
        }
    }

    private static Body read(ClientSession session, long address, int rkey, int length) {
        long limit = session.client().settings().maxBodyBytes();
        if (length < 0 || length > limit) {
            throw new RpcException(Status.RESOURCE_EXHAUSTED, "answer is longer than the limit: bytes="
                    + (length & 0xffffffffL) + " limit=" + limit);
        }
        Body body = session.bodies().takeForFetch(length);
        for (int done = 0; done < length; done += PIECE) {
            if (!session.link().fetch(body, done, Math.min(PIECE, length - done), address, rkey)) {
                session.bodies().give(body);
                session.fail();
                throw session.lost();
            }
        }
        return body;
    }
}
