package org.jvrpc.runtime.client;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.session.Link;
import org.jvrpc.runtime.session.RpcHeader;
import org.jvrpc.runtime.thread.Idler;
import org.jvrpc.runtime.thread.SpinLock;
import org.jvrpc.verbs.rare.Rare;

/**
 * What a client's session may send without an answer: one-way calls and control messages. The server gives their
 * credits back. A control message that finds no credit, or those before it still under way, waits here, so that nobody
 * waits for it: whoever has the lock would, and a device may take its time, as one whose work is done by a thread that
 * finds no processor. Under the session's lock, but for what is said to be for any thread.
 */
final class OneWayCredits {

    private final Link link;
    /** First halves of headers. */
    private final BlockingQueue<Long> waiting;
    private volatile boolean mayWait;
    private int credits;
    /** The first half of the header of what needs no credit, 0 for nothing. */
    private long free;

    OneWayCredits(Link link, int credits, int slots) {
        this.link = link;
        this.credits = credits;
        this.waiting = new ArrayBlockingQueue<>(2 * slots);
    }

    /** Returns how many there are now. */
    int count() {
        return credits;
    }

    /**
     * Takes the session's lock when there is a credit for a one-way call, polling for one within the call's deadline.
     * Others get the lock meanwhile. Any thread.
     */
    void lockWithCredit(ClientSession session, ClientSlot call) {
        session.lock(call);
        for (int pauses = 0; !poll(session, call); pauses++) {
            session.unlock();
            SpinLock.pause(session.clock(), pauses);
            session.lock(call);
        }
    }

    /** Polls for a moment, until there is a credit; lets the lock go if it throws. */
    private boolean poll(ClientSession session, ClientSlot call) {
        try {
            checkUsable(session);
            for (int spins = 0; credits == 0 && spins < Idler.SPINS_PER_LOOK; spins++) {
                session.pollOnce(null);
                checkUsable(session);
                Thread.onSpinWait();
            }
            if (credits == 0) {
                Rare.reached("a one-way call waits for a credit");
                session.growth().begin();
                call.checkWait("server takes no more one-way calls");
            }
            return credits > 0;
        } catch (RuntimeException | Error e) {
            session.unlock();
            throw e;
        }
    }

    private static void checkUsable(ClientSession session) {
        if (session.isLost()) {
            throw RpcException.notRun(Status.UNAVAILABLE, session.lost().getMessage());
        }
    }

    void take() {
        credits--;
    }

    /** Takes back what the server gives; false when the link is broken. */
    boolean give(int more) {
        credits += more;
        return flush();
    }

    /** Has a control message sent that needs no credit, as soon as there is a slot for it; one at a time. */
    void sendFree(long first) {
        free = first;
        mayWait = true;
    }

    /** Has a control message sent as soon as there is a credit, and a slot for it. Any thread. */
    void sendLater(int kind, int callId) {
        long first = RpcHeader.first(kind, 0, 0, callId);
        while (!waiting.offer(first)) {
            Rare.reached("the oldest control message makes way");
            waiting.poll(); // the oldest is of a call whose slot was used again since, and that tells the server too
        }
        mayWait = true;
    }

    /** Returns true when a control message may be waiting. Any thread. */
    boolean mayWait() {
        return mayWait;
    }

    /** Returns true while a control message waits for a credit. */
    boolean areShort() {
        return credits == 0 && !waiting.isEmpty();
    }

    /** Sends what waits as far as there are credits, and slots for it; false when the link is broken. */
    boolean flush() {
        if (!mayWait) {
            return true;
        }
        while ((free != 0 || credits > 0) && link.hasControl()) {
            Long first = free != 0 ? Long.valueOf(free) : next();
            if (first == null) {
                return true;
            }
            credits -= free != 0 ? 0 : 1;
            free = 0;
            if (!link.sendControl(first, RpcHeader.second(0, 0, 0))) {
                mayWait = false;
                return false;
            }
        }
        return true;
    }

    /**
     * Returns what waits the longest, or null, with word of that. Not before: whoever leaves a message while another
     * has the lock asks whether one may wait, and so does who is about to sleep.
     */
    private Long next() {
        Long first = waiting.poll();
        if (first == null) {
            mayWait = false;
            first = waiting.poll(); // one that was left since, before it said so
            if (first != null) { // else it is not written again: whoever leaves one now has said so
                mayWait = true;
            }
        }
        return first;
    }
}
