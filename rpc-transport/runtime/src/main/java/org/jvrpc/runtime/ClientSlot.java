package org.jvrpc.runtime;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.ClientCall;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.ResultReader;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;

/**
 * A slot of a client's session, and the call that has it.
 *
 * <pre>
 * FREE -claim-&gt; CLAIMED -send-&gt; SENT -response-&gt; DONE -close-&gt; FREE
 *                               SENT -deadline, cancel of a future-&gt; ABANDONED -response-&gt; FREE
 *                               SENT -deadline-&gt; GIVEN_UP -close-&gt; ABANDONED
 *                                                GIVEN_UP -response-&gt; ANSWERED -close-&gt; FREE
 *                               SENT -session lost-&gt; DONE with a failure
 *                               SENT -response that must be copied-&gt; ARRIVING -&gt; DONE
 *               CLAIMED -send one way-&gt; LEAVING -acknowledged-&gt; FREE or CLAIMED
 * </pre>
 * Claimed by compare-and-set by any thread; then its claimant's until sent. SENT is left by compare-and-set, because
 * the answer, the deadline and the loss of the session race for it; whoever wins ends the call, so it ends exactly
 * once.
 */
final class ClientSlot extends ClientCall implements WireWriter.Spill {

    static final int FREE = 0;
    static final int CLAIMED = 1;
    static final int SENT = 2;
    static final int DONE = 3;
    static final int ARRIVING = 4;
    static final int ABANDONED = 5;
    static final int GIVEN_UP = 6;
    static final int ANSWERED = 7;
    static final int LEAVING = 8;

    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(ClientSlot.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final ClientSession session;
    final int index;
    private final ByteBuffer memory;
    private final WireWriter writer = new WireWriter();
    private final WireReader reader = new WireReader();
    private int state;
    private int generation;
    private long leaving;
    private ServiceChannel channel;
    private MethodDescriptor method;
    private int methodId;
    private Body request;
    private Body response;
    private ClientInvocation invocation;
    private int thrown;
    private Status status;
    private RpcException failure;
    private boolean lockKept;
    volatile Thread waiter;
    RpcFuture<?> future;

    ClientSlot(ClientSession session, int index, ByteBuffer memory) {
        this.session = session;
        this.index = index;
        this.memory = memory;
    }

    boolean tryClaim() {
        return state == FREE ? STATE.compareAndSet(this, FREE, CLAIMED) : state == LEAVING && tryClaimLeft();
    }

    private boolean tryClaimLeft() {
        return state() == LEAVING && session.link().isSent(leaving) && STATE.compareAndSet(this, LEAVING, CLAIMED);
    }

    /** Gives a one-way call's slot back once its message was sent, or will never be. */
    void left(boolean lost) {
        if (state() == LEAVING && (lost || session.link().isSent(leaving))) {
            STATE.compareAndSet(this, LEAVING, FREE);
        }
    }

    /** Begins a call in a claimed slot. */
    void begin(ServiceChannel channel, MethodDescriptor method, int methodId, ClientInvocation invocation) {
        if (this.method != method || this.channel != channel || this.invocation != invocation || failure != null) {
            this.channel = channel; // a store of a reference costs the collector's barrier: only where one changed
            this.method = method;
            this.invocation = invocation;
            this.failure = null;
        }
        this.methodId = methodId;
        this.thrown = 0;
        writer.reset(memory, 0, memory.capacity(), this, channel.objects());
    }

    MethodDescriptor method() {
        return method;
    }

    int state() {
        return (int) STATE.getAcquire(this);
    }

    /** Returns true while the answer is not there. */
    boolean isPending() {
        int now = state();
        return now == SENT || now == ARRIVING;
    }

    /** Leaves SENT; false when somebody else did. */
    boolean leaveSent(int next) {
        return STATE.compareAndSet(this, SENT, next);
    }

    boolean isCurrent(int callId) {
        return callId == callId();
    }

    int callId() {
        return RpcHeader.callId(index, generation);
    }

    private void free() {
        if (request != null) {
            session.bodies().give(request);
            request = null;
        }
        STATE.setRelease(this, FREE);
    }

    boolean holdsLock() {
        return lockKept;
    }

    /** Gives a slot back whose call does not wait any more: its answer came. False when there is no such call. */
    boolean retire() {
        if (STATE.compareAndSet(this, GIVEN_UP, ANSWERED)) {
            return true;
        }
        boolean abandoned = state() == ABANDONED;
        if (abandoned) {
            free();
        }
        return abandoned;
    }

    /** Returns this when the caller may read its answer where it landed: no interceptor runs after it came. */
    ClientSlot staysInPlace() {
        return invocation == null ? this : null;
    }

    @Override
    public WireWriter arguments() {
        return writer;
    }

    @Override
    public void grow(WireWriter full, int needed) {
        request = session.grow(full, needed, request, method);
    }

    @Override
    public WireReader invoke() {
        if (invocation != null) {
            invocation.run(this::call);
        } else {
            call();
        }
        return reader;
    }

    /** Sends and waits. */
    void call() {
        session.lock(this);
        try {
            transmit(RpcHeader.REQUEST);
        } catch (RuntimeException e) {
            session.unlock();
            throw e;
        }
        session.await(this);
        if (failure != null) {
            throw failure;
        }
        if (status != Status.OK) {
            throw new RpcException(status, reader.readString());
        }
    }

    /** Sends the request, under the session's lock. */
    void transmit(int kind) {
        int bodyLength = writer.length();
        int extension = 0;
        if (invocation != null || method.heavy()) {
            long deadlineNs = invocation != null ? invocation.deadlineNs() : deadlineNs();
            extension = Extension.write(writer, deadlineNs, invocation == null ? null : invocation.metadata());
        }
        session.checkUsable();
        generation++;
        int flags = 0;
        int length = bodyLength + extension;
        if (request != null) {
            flags = RpcHeader.RENDEZVOUS;
            Descriptor.write(memory, 0, request);
            length = RpcHeader.DESCRIPTOR_BYTES;
        }
        STATE.setRelease(this, SENT);
        long first = RpcHeader.first(kind, flags, methodId, callId());
        if (!session.link().send(index, first, RpcHeader.second(bodyLength, 0, extension), length)) {
            session.fail();
            leaveSent(DONE);
            throw session.lost();
        }
    }

    /** Returns the call's time in nanoseconds. */
    long deadlineNs() {
        if (invocation != null) {
            return invocation.deadlineNs();
        }
        return method.deadlineNs() > 0 ? method.deadlineNs() : channel.defaultDeadlineNs();
    }

    private void outcome(Status how, int exception) {
        if (status != how) {
            status = how;
        }
        thrown = exception;
    }

    /** The answer is here, in place: the caller keeps the lock until it has read it. */
    void arriveInPlace(Status how, int exception, ByteBuffer bytes, int offset, int length) {
        outcome(how, exception);
        lockKept = true;
        reader.reset(bytes, offset, length, channel.objects());
        STATE.set(this, DONE);
    }

    /** The answer is here, for a thread that does not hold the lock: it is copied to the slot's own memory. */
    void arriveElsewhere(Status how, int exception, ByteBuffer bytes, int offset, int length) {
        outcome(how, exception);
        memory.put(0, bytes, offset, length);
        reader.reset(memory, 0, length, channel.objects());
        finish();
    }

    /** The answer is here, for a future: it is decoded at once. */
    void arriveForFuture(Status how, int exception, ByteBuffer bytes, int offset, int length) {
        outcome(how, exception);
        reader.reset(bytes, offset, length, channel.objects());
    }

    /** The answer is in rendezvous memory. */
    void arriveInBody(Status how, int exception, Body body, int length) {
        outcome(how, exception);
        response = body;
        reader.reset(body.buffer(), 0, length, channel.objects());
    }

    /** The call ended without an answer. */
    void endWith(RpcException cause) {
        failure = cause;
        finish();
    }

    /** The call ended by its deadline; the slot stays taken until its answer comes. */
    void failWith(RpcException cause) {
        failure = cause;
    }

    /** Hands the call back to whoever waits. */
    void finish() {
        STATE.setRelease(this, DONE);
        Thread sleeper = waiter;
        if (sleeper != null) {
            java.util.concurrent.locks.LockSupport.unpark(sleeper);
        }
    }

    /** Decodes the answer for a future; the slot is free afterwards. */
    void completeFuture() {
        RpcFuture<?> target = future;
        future = null;
        target.decode(failure, status, reader, thrown);
        release();
    }

    private void release() {
        if (response != null) {
            session.bodies().give(response);
            response = null;
        }
        free();
    }

    @Override
    public int thrown() {
        return thrown;
    }

    @Override
    public <R> CompletableFuture<R> invokeAsync(ResultReader<R> resultReader) {
        RpcFuture<R> result = new RpcFuture<>(session, this, resultReader);
        try {
            if (invocation != null) {
                result.whenEnded(invocation);
                invocation.start(() -> startAsync(result));
                result.started();
            } else {
                startAsync(result);
            }
        } catch (RuntimeException | Error e) {
            if (!result.isSent()) {
                release();
            } else {
                session.giveUp(this, result); // an interceptor threw after it let the call go on
            }
            result.failStart(e);
        }
        return result;
    }

    private void startAsync(RpcFuture<?> result) {
        boolean first;
        session.lock(this);
        try {
            first = session.asyncStarts();
            transmit(RpcHeader.REQUEST);
            result.sent(deadlineNs());
            future = result;
        } catch (RuntimeException e) {
            session.asyncEnds();
            throw e;
        } finally {
            session.unlock();
        }
        session.callEventThread(first);
    }

    @Override
    public void send() {
        try {
            if (invocation != null) {
                invocation.run(this::sendOneWay);
            } else {
                sendOneWay();
            }
        } finally {
            if (state() == CLAIMED) {
                free();
            }
        }
    }

    private void sendOneWay() {
        int bodyLength = writer.length();
        int extension = invocation == null ? 0
                : Extension.write(writer, invocation.deadlineNs(), invocation.metadata());
        if (request != null) {
            throw new RpcException(Status.RESOURCE_EXHAUSTED, "a one-way body must fit in a slot: bytes="
                    + writer.length() + " slotBytes=" + memory.capacity() + " method=" + method.fullName());
        }
        session.lock(this);
        try {
            session.takeCredit(this);
            generation++;
            long first = RpcHeader.first(RpcHeader.ONE_WAY, 0, methodId, callId());
            long number = session.link().sendOneWay(
                    index, first, RpcHeader.second(bodyLength, 0, extension), bodyLength + extension);
            if (number < 0) {
                session.fail();
                throw session.lost();
            }
            if (!session.link().isSent(number)) {
                leaving = number;
                STATE.setRelease(this, LEAVING);
            }
        } finally {
            session.unlock();
        }
    }

    @Override
    public void close() {
        if (lockKept) {
            lockKept = false;
            free();
            session.unlock();
            return;
        }
        int now = state();
        if (now == DONE || now == CLAIMED) {
            release();
        } else if (!STATE.compareAndSet(this, GIVEN_UP, ABANDONED)) { // then its answer gives it back
            free();
        }
    }

    @Override
    public RuntimeException abandon(Throwable cause) {
        free();
        if (cause instanceof Error error) {
            throw error;
        }
        return cause instanceof RuntimeException unchecked
                ? unchecked
                : new RpcException(Status.INTERNAL, "arguments of " + method.fullName() + ": " + cause, cause);
    }
}
