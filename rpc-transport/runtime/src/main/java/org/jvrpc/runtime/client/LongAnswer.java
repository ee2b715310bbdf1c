package org.jvrpc.runtime.client;

import java.nio.ByteBuffer;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.session.Descriptor;
import org.jvrpc.runtime.session.Fetch;
import org.jvrpc.runtime.session.RpcHeader;

/**
 * An answer on its way in from the server's rendezvous memory. Its call is pending until all of it is there, and may be
 * given up. Under the session's lock, but for {@link #allocate}.
 */
final class LongAnswer extends Fetch {

    private final ClientSession session;
    private final ClientReceiver receiver;
    private final ClientSlot slot;
    private final Status status;
    private final int thrown;

    /** @param in where its descriptor lies */
    LongAnswer(ClientSession session, ClientReceiver receiver, ClientSlot slot, Status status, int thrown, int length,
            ByteBuffer in, int at) {
        super(Descriptor.address(in, at), Descriptor.rkey(in, at), length);
        this.session = session;
        this.receiver = receiver;
        this.slot = slot;
        this.status = status;
        this.thrown = thrown;
        long limit = session.client().settings().maxBodyBytes();
        if (length < 0 || length > limit) {
            refuse(new RpcException(Status.RESOURCE_EXHAUSTED, "answer is longer than the limit: bytes="
                    + (length & 0xffffffffL) + " limit=" + limit));
        }
        slot.answer = this;
    }

    @Override
    protected boolean isWanted() {
        return slot.state() == ClientSlot.SENT;
    }

    /** Has the server's memory released, and ends the call. */
    @Override
    protected void ended() {
        slot.answer = null;
        session.sendControl(RpcHeader.RELEASE, slot.callId());
        if (!slot.leaveSent(ClientSlot.ARRIVING)) {
            giveBack(session.bodies());
            receiver.unawaited(slot);
            return;
        }
        RpcFuture<?> future = slot.future;
        if (refusal() == null) {
            slot.arriveInBody(status, thrown, takeBody(), length());
            slot.finish();
        } else {
            slot.endWith(refusal());
        }
        if (future != null) {
            session.finishFuture(slot);
        }
    }
}
