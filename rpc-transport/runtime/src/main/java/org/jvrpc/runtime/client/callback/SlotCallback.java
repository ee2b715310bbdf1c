package org.jvrpc.runtime.client.callback;

import org.jvrpc.api.RpcCallback;
import org.jvrpc.api.stub.ResultReader;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.runtime.thread.Deadline;

/**
 * What hears of the end of a slot's call, where that has a callback; used again by the slot's next. The claimant's
 * until the call is sent, then whoever's who ends it.
 */
public final class SlotCallback {

    private enum Kind { OBJECT, INT, LONG, DOUBLE }

    private Kind kind;
    private ResultReader<?> reader;
    private Object callback;
    private long limitNs;
    private long endNs;
    /** The call is sent, or about to be with others, and has not ended. Under the session's lock. */
    private boolean pending;

    public <R> void setObject(ResultReader<R> how, RpcCallback<R> who) {
        set(Kind.OBJECT, how, who);
    }

    public void setInt(ResultReader.OfInt how, RpcCallback.OfInt who) {
        set(Kind.INT, how, who);
    }

    public void setLong(ResultReader.OfLong how, RpcCallback.OfLong who) {
        set(Kind.LONG, how, who);
    }

    public void setDouble(ResultReader.OfDouble how, RpcCallback.OfDouble who) {
        set(Kind.DOUBLE, how, who);
    }

    private void set(Kind newKind, ResultReader<?> how, Object who) {
        if (kind != newKind || reader != how || callback != who) { // a store of a reference costs a barrier
            kind = newKind;
            reader = how;
            callback = who;
        }
    }

    /**
     * The request is on its way.
     *
     * @param ns the time that the call has
     * @param atNs when it is over, or {@link Deadline#NONE} for so many nanoseconds after the first look
     */
    public void sent(long ns, long atNs) {
        limitNs = ns;
        endNs = atNs;
        pending = true;
    }

    public boolean isPending() {
        return pending;
    }

    public void ended() {
        pending = false;
    }

    /** Returns true when the call's time is over. Event thread, under the session's lock. */
    public boolean isOver(Clock clock, long nowNs) {
        if (endNs == Deadline.NONE) {
            endNs = Deadline.after(clock, limitNs); // the caller's clock may be from before the call was sent
        }
        return nowNs - endNs > 0;
    }

    /** Decodes the call's answer, and calls: the next call finds its slot. */
    public void run(EndedCall call) {
        Object who = callback;
        switch (kind) {
            case LONG -> runLong(call, (RpcCallback.OfLong) who);
            case INT -> runInt(call, (RpcCallback.OfInt) who);
            case DOUBLE -> runDouble(call, (RpcCallback.OfDouble) who);
            default -> runObject(call, who);
        }
    }

    /** Calls, for a call that ended without its answer. */
    @SuppressWarnings("unchecked")
    public void fail(Throwable failure) {
        switch (kind) {
            case LONG -> ((RpcCallback.OfLong) callback).completed(0, failure);
            case INT -> ((RpcCallback.OfInt) callback).completed(0, failure);
            case DOUBLE -> ((RpcCallback.OfDouble) callback).completed(0, failure);
            default -> ((RpcCallback<Object>) callback).completed(null, failure);
        }
    }

    private void runLong(EndedCall call, RpcCallback.OfLong who) {
        long result = 0;
        Throwable failure;
        try {
            failure = call.failed();
            result = failure == null ? ((ResultReader.OfLong) reader).readLong(call.answered(), call.thrown()) : 0;
        } catch (Throwable t) {
            failure = t;
        }
        try {
            call.leaveToCallback();
        } finally {
            who.completed(result, failure);
        }
    }

    private void runInt(EndedCall call, RpcCallback.OfInt who) {
        int result = 0;
        Throwable failure;
        try {
            failure = call.failed();
            result = failure == null ? ((ResultReader.OfInt) reader).readInt(call.answered(), call.thrown()) : 0;
        } catch (Throwable t) {
            failure = t;
        }
        try {
            call.leaveToCallback();
        } finally {
            who.completed(result, failure);
        }
    }

    private void runDouble(EndedCall call, RpcCallback.OfDouble who) {
        double result = 0;
        Throwable failure;
        try {
            failure = call.failed();
            result = failure == null ? ((ResultReader.OfDouble) reader).readDouble(call.answered(), call.thrown()) : 0;
        } catch (Throwable t) {
            failure = t;
        }
        try {
            call.leaveToCallback();
        } finally {
            who.completed(result, failure);
        }
    }

    @SuppressWarnings("unchecked")
    private void runObject(EndedCall call, Object who) {
        Object result = null;
        Throwable failure;
        try {
            failure = call.failed();
            WireReader in = call.answered();
            result = failure == null ? reader.read(in, call.thrown()) : null;
        } catch (Throwable t) {
            failure = t;
        }
        try {
            call.leaveToCallback();
        } finally {
            ((RpcCallback<Object>) who).completed(result, failure);
        }
    }
}
