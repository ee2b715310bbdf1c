package org.jvrpc.runtime.client;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jvrpc.api.RpcException;
import org.jvrpc.runtime.session.Link;
import org.jvrpc.runtime.session.Protocol;
import org.jvrpc.runtime.session.RpcHeader;
import org.jvrpc.verbs.rare.Rare;

/**
 * How a session gets more slots: where a call finds none free, or no credit, memory for four times as many is made by
 * the client's thread for that, this side gets ready for their answers, and the server is asked. Calls go on with the
 * slots that there are. A side that has no memory for more ends it: the session stays as it is. Under the session's
 * lock, but for what is said to be for any thread.
 */
final class SlotGrowth {

    private static final int TIMES = 4;

    private final ClientSession session;
    private final SlotTable slots;
    private final Link link;
    private final AtomicBoolean underWay = new AtomicBoolean();
    /** How many the server was asked for and has not answered, or 0. */
    private int asked;

    SlotGrowth(ClientSession session, SlotTable slots, Link link) {
        this.session = session;
        this.slots = slots;
        this.link = link;
    }

    /** A call finds no slot free, or no credit. Any thread. */
    void begin() {
        if (!underWay.compareAndSet(false, true) || !slots.mayGrow()) { // a table that may not never may again
            return;
        }
        int wanted = Math.min(TIMES * slots.count(), slots.most());
        slots.grows(true);
        if (slots.isChoked()) {
            session.client().events().wake();
        }
        try {
            session.client().allocate(() -> make(wanted));
        } catch (RejectedExecutionException | OutOfMemoryError e) { // the client is closed, or has no thread for it
            over();
        }
    }

    /** A control message waits, for a credit perhaps, and with slots come credits; somebody has to look for either. */
    void controlWaits() {
        if (session.credits().areShort()) {
            begin();
        }
        session.client().events().call();
    }

    private void over() {
        slots.grows(false);
        underWay.set(false);
    }

    /** The thread that makes memory. */
    private void make(int wanted) {
        Link.Growth growth;
        try {
            growth = link.prepare(wanted, Protocol.CALLS.answers(wanted));
        } catch (RpcException | OutOfMemoryError e) {
            Rare.reached("a client has no memory for more slots");
            session.client().log().info("session with {} stays at slots={}: {}", session.client().address(),
                    slots.count(), e.getMessage());
            slots.stay(); // for good
            return;
        }
        session.lock();
        try {
            take(growth, wanted);
        } catch (RuntimeException | Error e) { // of a device that is gone, perhaps
            session.breakDown(e);
        } finally {
            session.unlock();
        }
    }

    private void take(Link.Growth growth, int wanted) {
        if (session.isLost()) { // then its queues may be closed already, which its memory goes behind
            growth.close();
            return;
        }
        link.grow(growth);
        asked = wanted;
        session.credits().sendFree(RpcHeader.first(RpcHeader.GROW, 0, wanted, 0));
        session.flushControls();
    }

    /** The server has answered; false where it was not asked for that. */
    boolean granted(int units) {
        if (asked == 0 || units != asked && units != slots.count()) {
            return false;
        }
        asked = 0;
        if (units == slots.count()) {
            Rare.reached("a server has no memory for more slots");
            slots.stay();
        } else {
            slots.grow(units);
            if (session.counters() != null) {
                session.counters().session().slots(units);
            }
        }
        over();
        return true;
    }
}
