package org.jvrpc.runtime.client;

import org.jvrpc.runtime.thread.Clock;

/** How a session ends for its calls: one-way calls leave, those that wait fail. */
final class SessionEnd {

    /** How long the messages of one-way calls may take to leave when the client closes. */
    private static final long LINGER_NS = 2_000_000_000L;
    private static final long LOOK_NS = 50_000;

    private final ClientSession session;
    private final SlotTable slots;
    private final Clock clock;

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

    /** Ends every call in flight, of a session that is lost. Under the session's lock. */
    void endCalls() {
        for (ClientSlot slot : slots.all()) {
            // DONE when the failure is in place, not before; ARRIVING already: it did not arrive in one piece
            if (slot.leaveSent(ClientSlot.ARRIVING) || slot.state() == ClientSlot.ARRIVING) {
                slot.endWith(session.lost());
                session.finishAsync(slot);
            }
        }
    }
}
