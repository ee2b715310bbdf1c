package org.jvrpc.runtime.client;

import java.nio.ByteBuffer;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import org.jvrpc.api.Metadata;
import org.jvrpc.api.RpcCallback;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.ResultReader;
import org.jvrpc.api.wire.ObjectCodec;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;
import org.jvrpc.runtime.client.callback.DetachedAnswer;
import org.jvrpc.runtime.client.callback.EndedCall;
import org.jvrpc.runtime.client.callback.SlotCallback;
import org.jvrpc.runtime.counters.write.CallCounters;
import org.jvrpc.runtime.counters.write.Endpoint;
import org.jvrpc.runtime.counters.write.MethodBlock;
import org.jvrpc.runtime.service.Trailers;
import org.jvrpc.runtime.session.Body;
import org.jvrpc.runtime.session.FarBody;
import org.jvrpc.runtime.thread.ChannelTurn;

/** The answer's side of a slot: how its call ended, and where the bytes lie that say it. See {@link SlotState}. */
abstract class AnsweredSlot extends SlotState implements EndedCall {

    /** In the place of the number of a declared exception: the failure says that no handler ran. */
    static final int NOT_RUN = -1;

    final ClientSession session;
    final int index;
    private final ByteBuffer memory;
    private final WireReader reader = new WireReader();
    Body response;
    /** The answer lies at the server. Under the session's lock. */
    boolean far;
    /** Where the answer is on its way in by pieces, else null. Under the session's lock. */
    LongAnswers.Answer answer;
    private int thrown;
    private Status status;
    private RpcException failure;
    private boolean lockKept;
    volatile Thread waiter;
    /** Where the waiter leads, if it does. */
    volatile ChannelTurn leading;
    private SlotCallback callback;
    /** The method's number on the wire. */
    int methodId;
    /** Where the call counts; null where it does not. */
    private MethodBlock counted;
    /** For how many calls this one is timed; 0 where it is not. Under the session's lock. */
    private int weight;
    private long sentNs;

    AnsweredSlot(ClientSession session, int index, ByteBuffer memory) {
        this.session = session;
        this.index = index;
        this.memory = memory;
    }

    /** Returns what decodes objects of the call's service. */
    abstract ObjectCodec objects();

    final ByteBuffer memory() {
        return memory;
    }

    /** The slot has another method. */
    final void countBy(CallCounters counters, int number) {
        counted = counters == null ? null : counters.method(number);
    }

    /** The call is to be sent. Under the session's lock. */
    final void sends() {
        MethodBlock method = counted;
        if (method != null && (weight = method.weight()) != 0) {
            sentNs = session.clock().nanoTime();
        }
    }

    /** The call was sent, or is as good as. Under the session's lock. */
    final void sent(int bytes) {
        MethodBlock method = counted;
        if (method != null) {
            method.begun();
            method.left(bytes);
        }
    }

    /** A one-way call was sent. Under the session's lock. */
    final void sentOneWay(int bytes) {
        sent(bytes);
        if (counted != null) {
            counted.succeeded();
        }
    }

    /** The call is answered. Under the session's lock. Apart from the common end, which is short. */
    private void countEnd(Status how, int exception, int bytes) {
        if (weight != 0) {
            counted.took(session.clock().nanoTime() - sentNs, weight);
        }
        if (exception > 0) {
            session.counters().thrown(counted);
        } else if (how == Status.OK) {
            counted.succeeded();
            counted.came(bytes);
        } else {
            session.counters().failed(counted, how);
        }
    }

    /** Counts a call that was sent and has failed here. */
    final void countFailure(Status how) {
        if (counted != null) {
            session.counters().failed(counted, how);
        }
    }

    /** Counts a call that was never sent; returns why. */
    final <E extends Throwable> E countUnsent(MethodDescriptor method, E why) {
        if (why instanceof RpcException e) {
            Endpoint.ended(session.client().counters(), method, e.status());
        }
        return why;
    }

    /** A call begins. */
    final void unanswered() {
        if (failure != null) {
            failure = null;
        }
        thrown = 0;
    }

    final boolean holdsLock() {
        return lockKept;
    }

    /** Returns true, once, when the session's lock was kept for the answer in place. */
    final boolean leaveLock() {
        boolean kept = lockKept;
        lockKept = false;
        return kept;
    }

    /** Returns what hears of the end of the call, null where there was never one. */
    final SlotCallback callback() {
        return callback;
    }

    final SlotCallback ownCallback() {
        if (callback == null) {
            callback = new SlotCallback();
        }
        return callback;
    }

    /** Takes away what hears of the end of the call, whose slot stays taken. */
    final SlotCallback takeCallback() {
        SlotCallback heard = callback;
        callback = null;
        return heard;
    }

    final boolean hasCallback() {
        return callback != null && callback.isPending();
    }

    /** Returns true for a call without options and interceptors. */
    abstract boolean isPlain();

    /** Sends the request of a call with a callback; where it throws, the call was not made. */
    abstract void startCallback();

    @Override
    public final <R> void invokeCallback(ResultReader<R> how, RpcCallback<R> heard) {
        if (isPlain()) {
            ownCallback().setObject(how, heard);
            startCallback();
        } else {
            callAfterwards(how, heard::completed);
        }
    }

    @Override
    public final void invokeCallbackInt(ResultReader.OfInt how, RpcCallback.OfInt heard) {
        if (isPlain()) {
            ownCallback().setInt(how, heard);
            startCallback();
        } else {
            callAfterwards(how, (result, failure) -> heard.completed(result == null ? 0 : result, failure));
        }
    }

    @Override
    public final void invokeCallbackLong(ResultReader.OfLong how, RpcCallback.OfLong heard) {
        if (isPlain()) {
            ownCallback().setLong(how, heard);
            startCallback();
        } else {
            callAfterwards(how, (result, failure) -> heard.completed(result == null ? 0 : result, failure));
        }
    }

    @Override
    public final void invokeCallbackDouble(ResultReader.OfDouble how, RpcCallback.OfDouble heard) {
        if (isPlain()) {
            ownCallback().setDouble(how, heard);
            startCallback();
        } else {
            callAfterwards(how, (result, failure) -> heard.completed(result == null ? 0 : result, failure));
        }
    }

    private <R> void callAfterwards(ResultReader<R> how, BiConsumer<R, Throwable> heard) {
        invokeAsync(how).whenComplete((result, failure) -> {
            try {
                heard.accept(result, failure);
            } catch (Throwable t) {
                session.client().logCallback(t);
            }
        });
    }

    private void outcome(Status how, int exception) {
        if (status != how) {
            status = how;
        }
        thrown = exception;
    }

    /**
     * Counts an answer, and takes what travelled beside it; nothing where that is null. Who ends the call, once.
     *
     * @param length of the body, which is a failure's text where the status is one
     */
    final void take(Trailers trailers, Status how, int exception, ByteBuffer bytes, int offset, int length) {
        MethodBlock method = counted;
        if (method != null) {
            if ((weight | exception) == 0 && how == Status.OK) { // which nearly all are
                method.succeeded();
                method.came(length);
            } else {
                countEnd(how, exception, length);
            }
        }
        if (trailers != null) {
            takeBeside(trailers, how, exception, bytes, offset, length);
        }
    }

    private void takeBeside(Trailers trailers, Status how, int exception, ByteBuffer bytes, int offset, int length) {
        respond(trailers.metadata());
        if (how != Status.OK) {
            WireReader text = new WireReader();
            text.reset(bytes, offset, length, null);
            failure = failure(how, exception, text).withDetails(trailers.details());
        }
    }

    /** Hands over what travelled beside the answer, where somebody may ask for it. */
    abstract void respond(Metadata came);

    /** The answer is here, in place: the caller keeps the lock until it has read it. */
    final void arriveInPlace(Status how, int exception, ByteBuffer bytes, int offset, int length) {
        outcome(how, exception);
        reader.reset(bytes, offset, length, objects());
        setPlain(DONE);
        lockKept = true;
    }

    /** The answer lies at the server: the caller keeps the lock until it has read it from there. */
    final void arriveFar(Status how, int exception, FarBody body) {
        outcome(how, exception);
        body.read(reader, objects());
        far = true;
        setPlain(DONE);
        lockKept = true;
    }

    /** The answer is here, for a thread that does not hold the lock: it is copied to the slot's own memory. */
    final void arriveElsewhere(Status how, int exception, ByteBuffer bytes, int offset, int length) {
        outcome(how, exception);
        memory.put(0, bytes, offset, length);
        reader.reset(memory, 0, length, objects());
        finish();
    }

    /** The answer is here, for a future: it is decoded at once. */
    final void arriveForFuture(Status how, int exception, ByteBuffer bytes, int offset, int length) {
        outcome(how, exception);
        reader.reset(bytes, offset, length, objects());
    }

    /** The answer is in rendezvous memory. */
    final void arriveInBody(Status how, int exception, Body body, int length) {
        outcome(how, exception);
        response = body;
        reader.reset(body.buffer(), 0, length, objects());
    }

    /** The call ended without an answer. */
    final void endWith(RpcException cause) {
        countFailure(cause.status());
        failure = cause;
        finish();
    }

    /** The call ended by its deadline or an interrupt; the slot stays taken until its answer comes. */
    final void failWith(RpcException cause) {
        countFailure(cause.status());
        failure = cause;
    }

    /** Hands the call back to whoever waits. */
    final void finish() {
        setFenced(DONE); // before the look at who sleeps, who looks at the state after saying so
        Thread sleeper = waiter;
        if (sleeper != null) {
            LockSupport.unpark(sleeper);
            ChannelTurn turn = leading;
            if (turn != null) {
                turn.callEnded();
            }
        }
    }

    /** The answer is here, for a callback: it is copied to the slot's own memory, and decoded without the lock. */
    final void arriveForCallback(Status how, int exception, ByteBuffer bytes, int offset, int length) {
        outcome(how, exception);
        memory.put(0, bytes, offset, length);
        reader.reset(memory, 0, length, objects());
        setPlain(DONE);
    }

    @Override
    public final RpcException failed() {
        return failure != null || status == Status.OK ? failure : failure(status, thrown, reader);
    }

    /** Makes what a call ends with that the server says has failed. */
    static RpcException failure(Status status, int thrown, WireReader in) {
        String message = in.readString();
        return thrown == NOT_RUN ? RpcException.notRun(status, message) : new RpcException(status, message);
    }

    /** Finds memory for more arguments than fit where they are. */
    final Body grow(WireWriter writer, int needed, Body old, MethodDescriptor method) {
        try {
            return session.bodies().grow(writer, needed, old, session.maxBodyBytes(), "arguments are", method);
        } catch (RpcException e) {
            throw RpcException.notRun(e.status(), e.getMessage(), e);
        }
    }

    /** Takes the answer away, and what hears of it: the slot has no call any more. Under the session's lock. */
    final DetachedAnswer detach() {
        int length = failure == null ? reader.remaining() : 0;
        RpcException failed = failed();
        Body body = failed == null ? response : null;
        if (body != null) {
            response = null;
        }
        return new DetachedAnswer(
                takeCallback(), failed, thrown, memory, failed == null ? length : 0, objects(), session.bodies(), body);
    }

    @Override
    public final WireReader answered() {
        return reader;
    }

    final boolean isLong() {
        return response != null;
    }

    /** Gives the memory of a long answer back. */
    final void dropResponse() {
        if (response != null) {
            session.bodies().give(response);
            response = null;
        }
    }

    /** Hands over how the call ended, which the future decodes. */
    final void outcomeTo(RpcFuture<?> target) {
        target.decode(failure, status, reader, thrown);
    }

    @Override
    public final int thrown() {
        return thrown;
    }
}
