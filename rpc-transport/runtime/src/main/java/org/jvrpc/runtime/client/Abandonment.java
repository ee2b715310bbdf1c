package org.jvrpc.runtime.client;

import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.session.RpcHeader;

/**
 * How calls of a session end that are not waited for any more: the server is told, and their slots stay taken until
 * their answers come. Any thread.
 */
public final class Abandonment {

    private final ClientSession session;
    private final SlotTable slots;

    Abandonment(ClientSession session, SlotTable slots) {
        this.session = session;
        this.slots = slots;
    }

    /** Ends a synchronous call; false when it ended otherwise. */
    boolean giveUp(ClientSlot call) {
        int callId = call.callId();
        if (!call.leaveSent(ClientSlot.GIVEN_UP)) {
            return false;
        }
        abandons();
        session.credits().sendLater(RpcHeader.CANCEL, callId);
        boolean flushed = session.tryLock();
        if (flushed) {
            try {
                session.flushControls();
            } finally {
                session.unlock();
            }
        }
        if (!flushed && session.credits().mayWait() || session.longAnswers().areUnderWay()) {
            session.client().events().call();
        }
        return true;
    }

    /** The same for a call with a future, whose time is over, or which is cancelled above. */
    boolean giveUp(ClientSlot call, RpcFuture<?> future) {
        return giveUp(call, future, future.isCancelledAbove() ? Status.CANCELLED : Status.DEADLINE_EXCEEDED);
    }

    /** The same for one that ends so. */
    boolean giveUp(ClientSlot call, RpcFuture<?> future, Status why) {
        session.lock();
        try {
            boolean mine = call.future == future && call.leaveSent(ClientSlot.ABANDONED);
            if (mine) {
                call.future = null;
                session.attendance().asyncEnds();
                call.countFailure(why);
                cancel(call);
            }
            return mine;
        } finally {
            session.unlock();
        }
    }

    /** The same for calls with callbacks whose time is over. Event thread. */
    void expireCallbacks(long nowNs) {
        session.lock();
        try {
            for (ClientSlot call : slots.all()) {
                if (call.hasCallback() && call.callback().isOver(session.clock(), nowNs)
                        && call.leaveSent(ClientSlot.ABANDONED)) {
                    call.countFailure(Status.DEADLINE_EXCEEDED);
                    session.callbacks().ended(call.takeCallback(), new RpcException(
                            Status.DEADLINE_EXCEEDED, "no answer in time: " + call.method().fullName()));
                    cancel(call);
                }
            }
        } finally {
            session.unlock();
        }
    }

    private void cancel(ClientSlot call) {
        abandons();
        session.sendControl(RpcHeader.CANCEL, call.callId());
    }

    private void abandons() {
        if (slots.abandon()) {
            session.client().events().wake();
        }
    }

    /** Returns true when so many slots are taken by calls that nobody waits for that others may find none. */
    public boolean isChoked() {
        return slots.isChoked();
    }
}
