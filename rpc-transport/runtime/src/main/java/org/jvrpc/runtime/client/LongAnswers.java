package org.jvrpc.runtime.client;

import java.nio.ByteBuffer;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.service.Trailers;
import org.jvrpc.runtime.session.Body;
import org.jvrpc.runtime.session.Descriptor;
import org.jvrpc.runtime.session.FarBody;
import org.jvrpc.runtime.session.Fetch;
import org.jvrpc.runtime.session.Fetches;
import org.jvrpc.runtime.session.Link;
import org.jvrpc.runtime.session.RpcHeader;
import org.jvrpc.verbs.rare.Rare;

/**
 * The long answers of a session on their way in. Whoever polls goes on with them, a piece in each hold of the lock, so
 * that others get it between the pieces, and while memory is made. Under the session's lock.
 */
final class LongAnswers {

    /**
     * An answer on its way in from the server's rendezvous memory. Its call is pending until all of it is there, and
     * may be given up. Under the session's lock, but for {@link #allocate}.
     */
    static final class Answer extends Fetch {

        private final ClientSession session;
        private final ClientReceiver receiver;
        private final ClientSlot slot;
        private final Status status;
        private final int thrown;
        /** Bytes of what travels beside the answer, behind its body. */
        private final int behind;

        /** @param in where its descriptor lies */
        Answer(ClientSession session, ClientReceiver receiver, ClientSlot slot, Status status, int thrown, int length,
                int behind, ByteBuffer in, int at) {
            super(Descriptor.address(in, at), Descriptor.rkey(in, at), length + behind);
            this.behind = behind;
            this.session = session;
            this.receiver = receiver;
            this.slot = slot;
            this.status = status;
            this.thrown = thrown;
            long limit = session.client().settings().maxBodyBytes();
            if (length < 0 || length > limit - behind) {
                refuse(new RpcException(Status.RESOURCE_EXHAUSTED, "answer is longer than the limit: bytes="
                        + (length & 0xffffffffL) + " limit=" + limit));
            }
            slot.answer = this;
        }

        @Override
        protected boolean isWanted() {
            return slot.state() == ClientSlot.SENT;
        }

        /** Ends the call, then has the server's memory released: where that breaks the link, the answer is here. */
        @Override
        protected void ended() {
            int callId = slot.callId();
            try {
                endCall();
            } finally {
                giveBack(session.bodies()); // unless the call has it
            }
            session.sendControl(RpcHeader.RELEASE, callId);
        }

        private void endCall() {
            try {
                Trailers trailers =
                        behind > 0 && isHere() ? ClientReceiver.trailers(buffer(), length() - behind, behind) : null;
                slot.answer = null; // not where that throws: its call has run
                if (slot.leaveSent(ClientSlot.ARRIVING)) {
                    end(trailers);
                } else {
                    Rare.reached("a long answer comes in vain");
                    receiver.unawaited(slot);
                }
            } catch (RpcException e) {
                receiver.breakOff(e);
            }
        }

        private void end(Trailers trailers) {
            if (refusal() == null) {
                int length = length() - behind;
                slot.take(trailers, status, thrown, buffer(), 0, length);
                slot.arriveInBody(status, thrown, takeBody(), length);
                slot.finish();
            } else {
                slot.endWith(refusal());
            }
            session.finishAsync(slot);
        }
    }

    /** An answer while it lies at the server and its caller has the lock. */
    private static final class FarAnswer extends FarBody {

        private final ClientSession session;
        /** Of the call whose answer it is; null when there is none. */
        private ClientSlot slot;

        FarAnswer(ClientSession session, Link link) {
            super(link, session.bodies());
            this.session = session;
        }

        @Override
        protected RpcException lost() {
            session.link().fail("long answer cannot be read");
            session.fail();
            return session.lost();
        }

        @Override
        protected void keep(Body body) {
            slot.response = body;
        }
    }

    private final ClientSession session;
    private final Link link;
    private final Fetches fetches;
    private final FarAnswer far;
    private volatile boolean underWay;

    LongAnswers(ClientSession session, Link link) {
        this.session = session;
        this.link = link;
        this.fetches = new Fetches(link, session.bodies(), session.clock());
        this.far = new FarAnswer(session, link);
    }

    /** Returns true when {@link #poll} has something to do. Any thread. */
    boolean areUnderWay() {
        return underWay;
    }

    /**
     * Leaves an answer at the server for its caller, who keeps the lock, to read it from there; false when it is to be
     * fetched.
     */
    boolean leave(ClientSlot slot, Status status, int thrown, int length, ByteBuffer in, int at) {
        if (far.slot != null // what decodes it makes a call
                || length > session.client().settings().maxBodyBytes()
                || !far.begin(Descriptor.address(in, at), Descriptor.rkey(in, at), length)) {
            return false;
        }
        far.slot = slot;
        slot.arriveFar(status, thrown, far);
        return true;
    }

    /** A caller has read its answer where it lay: gives its slot back, then the lock. */
    void endInPlace(ClientSlot slot) {
        int callId = slot.callId();
        slot.far = false;
        far.slot = null;
        try {
            slot.release();
            session.sendControl(RpcHeader.RELEASE, callId);
        } finally {
            session.unlock();
        }
    }

    /** Begins with the answer that is described at a place in the message polled last. */
    void begin(ClientReceiver receiver, ClientSlot slot, Status status, int thrown, int length, int behind,
            ByteBuffer in, int at) {
        Answer answer = new Answer(session, receiver, slot, status, thrown, length, behind, in, at);
        if (answer.refusal() != null || !answer.isWanted()) {
            answer.ended();
        } else if (answer.allocateSoon(session.bodies())) {
            boolean alone = fetches.isEmpty();
            add(answer);
            if (alone) {
                poll(); // where READs are quick, a short one is over then
            }
        } else {
            session.client().allocate(() -> {
                answer.allocate(session.bodies());
                addLater(answer);
            });
        }
    }

    /** Leaves all else to those who poll: no future is completed by the thread that makes memory. */
    private void addLater(Answer answer) {
        session.lock();
        try {
            add(answer);
        } finally {
            session.unlock();
        }
        session.client().events().wake();
        session.client().events().turn().callEnded(); // who leads has it to fetch
    }

    private void add(Answer answer) {
        if (session.isLost()) { // its call has ended
            Rare.reached("a session is lost while memory for an answer is made");
            answer.giveBack(session.bodies());
        } else {
            fetches.add(answer);
            underWay = true;
        }
    }

    /** Goes on with the answer whose turn it is; true when a piece came or a call ended. */
    boolean poll() {
        if (!underWay || session.isLost()) {
            return false;
        }
        boolean came = false;
        try {
            came = fetches.poll(Fetches.WHOLE_TURN);
            underWay = !fetches.isEmpty();
            if (link.failure() != null) {
                session.fail();
            }
        } catch (Throwable t) {
            session.breakDown(t);
        }
        return came;
    }

    /** Gives the memory back of what did not arrive. After the end of the link. */
    void clear() {
        fetches.clear();
        underWay = false;
    }
}
