package org.jvrpc.runtime.client;

import java.nio.ByteBuffer;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.session.Fetches;
import org.jvrpc.runtime.session.Link;
import org.jvrpc.runtime.session.RpcHeader;

/**
 * The long answers of a session on their way in. Whoever polls goes on with them, a piece in each hold of the lock, so
 * that others get it between the pieces, and while memory is made. Under the session's lock.
 */
final class LongAnswers {

    private final ClientSession session;
    private final Link link;
    private final Fetches fetches;
    private volatile boolean underWay;

    LongAnswers(ClientSession session, Link link) {
        this.session = session;
        this.link = link;
        this.fetches = new Fetches(link, session.bodies(), session.clock());
    }

    /** Returns true when {@link #poll} has something to do. Any thread. */
    boolean areUnderWay() {
        return underWay;
    }

    /** Begins with the answer that the message polled last describes. */
    void begin(ClientReceiver receiver, ClientSlot slot, Status status, int thrown, int length) {
        ByteBuffer in = link.payload();
        LongAnswer answer = new LongAnswer(
                session, receiver, slot, status, thrown, length, in, link.payloadOffset() + RpcHeader.BYTES);
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
    private void addLater(LongAnswer answer) {
        session.lock();
        try {
            add(answer);
        } finally {
            session.unlock();
        }
        session.client().events().wake();
    }

    private void add(LongAnswer answer) {
        if (session.isLost()) { // its call has ended
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
            came = fetches.poll();
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
