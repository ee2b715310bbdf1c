package org.jvrpc.runtime.client;

import java.lang.invoke.VarHandle;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.counters.write.CallCounters;
import org.jvrpc.runtime.thread.ChannelTurn;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.runtime.thread.Deadline;
import org.jvrpc.runtime.thread.Idler;

/**
 * The long wait of a synchronous call, begun when the answer did not come in the first spins: spins and polls by turns
 * with others, keeps the deadline, sleeps when the client's idle strategy says so, ends when its thread is interrupted.
 */
final class Waiting {

    /** The longest sleep: whatever went wrong with a wake-up, the caller looks for itself then. */
    private static final long SLICE_NS = 5_000_000;
    /** Selectors wait for whole milliseconds. */
    private static final long SHORTEST_LEAD_NS = 1_000_000;

    private final ClientSession session;
    private final Clock clock;
    private final ClientSlot call;
    private long endNs;

    /** One a slot, whose claimant alone uses it: a wait allocates nothing. */
    Waiting(ClientSession session, Clock clock, ClientSlot call) {
        this.session = session;
        this.clock = clock;
        this.call = call;
    }

    /** Waits; holds the session's lock on return if the answer is in place. */
    void run() {
        endNs = call.endNs();
        CallCounters counters = session.counters();
        if (counters != null) {
            counters.waits();
        }
        Idler idler = session.client().idlerOfThread();
        try {
            while (!pollAndLook(idler)) {
                long nowNs = clock.nanoTime();
                if (giveUp(nowNs)) {
                    return;
                }
                if (idler.idle(nowNs)) {
                    idler.sleeps(nowNs);
                    if (counters != null) {
                        counters.sleeps();
                    }
                    if (lead()) {
                        pollAndLook(idler);
                    } else {
                        sleep();
                    }
                    if (!call.isPending()) {
                        idler.woken(clock.nanoTime());
                        return;
                    }
                }
            }
        } finally {
            idler.busy(); // the next wait of this thread is another one
            session.attendance().pollsPerLook(idler.polls());
        }
    }

    /** Polls for a moment if nobody else does; true when the call ended. */
    private boolean pollAndLook(Idler idler) {
        if (!session.tryLock()) {
            return !call.isPending();
        }
        boolean piece = false;
        try {
            session.attendance().countPoll();
            piece = poll(idler.polls());
        } finally {
            if (!call.holdsLock()) {
                session.unlock();
            }
        }
        if (piece) {
            idler.busy();
            session.giveWay();
        }
        return !call.isPending();
    }

    /**
     * Polls once at least: who waits for the lock may be a virtual thread that finds no carrier while others spin.
     *
     * @return true when a piece of a long answer came, after which it is the turn of others
     */
    private boolean poll(int most) {
        ClientSlot inPlace = call.staysInPlace();
        int polls = 0;
        do {
            session.pollOnce(inPlace);
            if (!call.isPending()) {
                return false;
            }
            if (session.longAnswers().poll()) {
                return true;
            }
            Thread.onSpinWait();
        } while (++polls < most && !session.hasWaiters());
        return false;
    }

    /** Gives the call up when its time is over or its thread is interrupted, unless it ended meanwhile. */
    private boolean giveUp(long nowNs) {
        boolean late = nowNs - endNs > 0;
        boolean cancelled = call.isCancelledAbove();
        if (!late && !cancelled && !Thread.currentThread().isInterrupted() || !session.abandonment().giveUp(call)) {
            return false;
        }
        call.failWith(late
                ? new RpcException(Status.DEADLINE_EXCEEDED, "no answer in " + call.limitNs() / 1000 + " us: "
                        + call.method().fullName())
                : new RpcException(Status.CANCELLED, (cancelled ? "cancelled" : "interrupted")
                        + " while waiting for the answer of "
                        + call.method().fullName()));
        return true;
    }

    /**
     * Sleeps on the channel itself until its answer comes, somebody ends the call, or some milliseconds are over, if
     * the event thread lends it.
     *
     * @return false when it does not
     */
    private boolean lead() {
        ClientEvents events = session.client().events();
        ChannelTurn turn = events.turn();
        if (Deadline.leftNs(clock, endNs) < SHORTEST_LEAD_NS || !session.client().threads().mayBlock()
                || events.isCurrent() || !turn.tryLead()) {
            return false;
        }
        call.leading = turn;
        call.waiter = Thread.currentThread();
        try {
            session.link().arm();
            if (!mayWait()) {
                return false;
            }
            turn.lead(Math.min(Deadline.leftNs(clock, endNs), SLICE_NS));
            return true;
        } catch (RuntimeException e) { // of a device that is gone, perhaps: the event thread finds what is the matter
            return false;
        } finally {
            session.link().disarm();
            call.waiter = null;
            call.leading = null;
            turn.endLead();
        }
    }

    /**
     * Looks once more behind the arming, and behind the note of who sleeps. A lock that another has is not waited for:
     * it may be held for as long as a call takes.
     */
    private boolean mayWait() {
        if (!session.tryLock()) {
            return false;
        }
        try {
            return session.pollOnce(call.staysInPlace()) == 0 && !session.longAnswers().poll() && call.isPending();
        } finally {
            if (!call.holdsLock()) {
                session.unlock();
            }
        }
    }

    /** Sleeps until the call ends or some milliseconds are over; the event thread polls meanwhile. */
    private void sleep() {
        call.waiter = Thread.currentThread();
        session.sleeps(true);
        try {
            VarHandle.fullFence(); // either whoever ends the call sees who waits, or its end is seen here
            if (call.isPending()) {
                clock.parkNanos(session, Math.min(Deadline.leftNs(clock, endNs), SLICE_NS));
            }
        } finally {
            session.sleeps(false);
            call.waiter = null;
        }
    }
}
