package org.jvrpc.runtime.client;

import org.jvrpc.api.RpcException;
import org.jvrpc.runtime.thread.Clock;

/** How a session ends for its calls: one-way calls leave, those that wait fail. */
final class SessionEnd {

    /** How long the messages of one-way calls may take to leave when the client closes. */
    private static final long LINGER_NS = 2_000_000_000L;
    private static final long LOOK_NS = 50_000;

    private final ClientSession session;
    private final SlotTable slots;
    private final Clock clock;
    private boolean toldOnce;
    private boolean answeredAll;
    private boolean doubted;

    SessionEnd(ClientSession session, SlotTable slots) {
        this.session = session;
        this.slots = slots;
        this.clock = session.clock();
    }

    /** Waits until the one-way calls that were made have left, or the server takes too long over them. Any thread. */
    void awaitLeft() {
        long startNs = clock.nanoTime();
        while (areLeaving() && !session.isLost() && clock.nanoTime() - startNs < LINGER_NS) {
            session.tryPoll(); // which sends what found no room, too
            clock.parkNanos(this, LOOK_NS);
        }
    }

    private boolean areLeaving() {
        for (ClientSlot slot : slots.all()) {
            if (slot.isLeaving()) {
                return true;
            }
        }
        return false;
    }

    /** The server takes no more calls; told again, it has answered all that it took. Under the session's lock. */
    void told() {
        answeredAll = toldOnce;
        toldOnce = true;
    }

    /** The server broke the protocol: what it says of its calls is not believed. Under the session's lock. */
    void doubt() {
        doubted = true;
    }

    /** Returns what a call fails with of whose answer nothing came: whether it may have run is known, perhaps. */
    RpcException unanswered() {
        RpcException lost = session.lost();
        return answeredAll && !doubted ? RpcException.notRun(lost.status(), lost.getMessage()) : lost;
    }

    /** Ends every call in flight, of a session that is lost. Under the session's lock. */
    void endCalls() {
        for (ClientSlot slot : slots.all()) {
            boolean sent = slot.leaveSent(ClientSlot.ARRIVING); // DONE when the failure is in place, not before
            if (sent || slot.state() == ClientSlot.ARRIVING) { // already: it did not arrive in one piece
                slot.endWith(sent && slot.answer == null ? unanswered() : session.lost()); // half an answer is one
                session.finishAsync(slot);
            }
        }
    }
}
