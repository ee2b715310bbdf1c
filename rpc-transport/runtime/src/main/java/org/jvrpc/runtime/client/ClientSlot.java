package org.jvrpc.runtime.client;

import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.ResultReader;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;
import org.jvrpc.runtime.service.Extension;
import org.jvrpc.runtime.service.Failures;
import org.jvrpc.runtime.session.Body;
import org.jvrpc.runtime.session.RpcHeader;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.runtime.thread.Deadline;
import org.jvrpc.verbs.rare.Rare;

/** A slot of a client's session, and the call that has it; see {@link SlotState} for whose it is when. */
final class ClientSlot extends SlotState implements WireWriter.Spill {

    final ClientSession session;
    final Waiting waiting;
    final int index;
    private final Clock clock;
    private final ByteBuffer memory;
    private final WireWriter writer = new WireWriter();
    private final WireReader reader = new WireReader();
    private ServiceChannel channel;
    private MethodDescriptor method;
    private int methodId;
    /** When the call's time is over; {@link Deadline#NONE} until a plain light call waits for the first time. */
    private long endNs;
    private Body request;
    private Body response;
    /** Where the answer is on its way in by pieces, else null. Under the session's lock. */
    LongAnswers.Answer answer;
    private ClientInvocation invocation;
    private int thrown;
    private Status status;
    private RpcException failure;
    private boolean lockKept;
    volatile Thread waiter;
    RpcFuture<?> future;

    ClientSlot(ClientSession session, Clock clock, int index, ByteBuffer memory) {
        this.session = session;
        this.clock = clock;
        this.waiting = new Waiting(session, clock, this);
        this.index = index;
        this.memory = memory;
    }

    @Override
    boolean isAcknowledged(long send) {
        return session.link().isSent(send);
    }

    /**
     * Begins a call in a claimed slot.
     *
     * @param endNs when its time is over, or {@link Deadline#NONE} for a plain light call that did not wait yet
     */
    void begin(ServiceChannel channel, MethodDescriptor method, int methodId, ClientInvocation invocation, long endNs) {
        if (this.method != method || this.channel != channel || this.invocation != invocation || failure != null) {
            this.channel = channel; // a store of a reference costs the collector's barrier: only where one changed
            this.method = method;
            this.invocation = invocation;
            this.failure = null;
        }
        this.methodId = methodId;
        this.endNs = endNs;
        this.thrown = 0;
        writer.reset(memory, 0, memory.capacity(), this, channel.objects());
    }

    MethodDescriptor method() {
        return method;
    }

    /** Returns true for the call whose answer has not begun to come. Under the session's lock. */
    boolean isCurrent(int callId) {
        return callId == callId() && answer == null;
    }

    int callId() {
        return RpcHeader.callId(index, (int) claim());
    }

    private void free() {
        if (request != null) {
            session.bodies().give(request);
            request = null;
        }
        set(FREE);
    }

    /**
     * Gives the request back of a call that nobody waits for, after the end of its session: no answer says any more
     * that the server has read it. The slot stays taken. Under the session's lock.
     */
    void dropRequest() {
        if (state() == ABANDONED && request != null) {
            Rare.reached("the request of an abandoned call goes with its session");
            session.bodies().give(request);
            request = null;
        }
    }

    boolean holdsLock() {
        return lockKept;
    }

    /** Gives a slot back whose call does not wait any more: its answer came. False when there is no such call. */
    boolean retire() {
        if (move(GIVEN_UP, ANSWERED)) {
            return true;
        }
        boolean abandoned = state() == ABANDONED;
        if (abandoned) {
            Rare.reached("the answer of an abandoned call comes");
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
            transmit();
        } catch (RuntimeException | Error e) {
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
    private void transmit() {
        int bodyLength = writer.length();
        int extension = invocation != null || method.heavy() ? writeExtension() : 0;
        session.checkUsable();
        int flags = 0;
        int length = bodyLength + extension;
        if (request != null) {
            flags = RpcHeader.RENDEZVOUS;
            length = session.link().describe(index, request);
        }
        set(SENT);
        long first = RpcHeader.first(RpcHeader.REQUEST, flags, methodId, callId());
        long second = RpcHeader.second(bodyLength, 0, extension);
        boolean sent = false;
        try {
            sent = session.link().send(index, first, second, length);
        } catch (Throwable t) { // whatever it was, whether the message left is not known
            session.breakDown(t);
        }
        if (!sent) {
            session.fail();
            leaveSent(DONE);
            throw session.lost();
        }
    }

    /** Writes what travels after the body: the time that is left when the call leaves, and its metadata. */
    private int writeExtension() {
        long leftNs = Deadline.leftNs(clock, endNs());
        if (leftNs <= 0) {
            throw new RpcException(Status.DEADLINE_EXCEEDED, "its time was over before it was sent: "
                    + method.fullName());
        }
        return Extension.write(writer, leftNs, invocation == null ? null : invocation.metadata());
    }

    /** Returns when the call's time is over, on the clock of its client. Its claimant. */
    long endNs() {
        if (invocation != null) {
            return invocation.endNs();
        }
        if (endNs == Deadline.NONE) {
            endNs = Deadline.after(clock, limitNs());
        }
        return endNs;
    }

    /** Returns the nanoseconds that the call had when it began. */
    long limitNs() {
        return invocation != null ? invocation.limitNs() : channel.limitNs(method);
    }

    /** Throws when the call may wait no longer: its time is over, or its thread is interrupted. Its claimant. */
    void checkWait(String what) {
        if (Deadline.leftNs(clock, endNs()) < 0) {
            throw new RpcException(Status.DEADLINE_EXCEEDED, what + " in " + limitNs() / 1000 + " us: "
                    + method.fullName());
        }
        if (Thread.currentThread().isInterrupted()) {
            throw new RpcException(Status.CANCELLED, "interrupted while waiting, " + what + ": " + method.fullName());
        }
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
        reader.reset(bytes, offset, length, channel.objects());
        setPlain(DONE);
        lockKept = true;
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

    /** The call ended by its deadline or an interrupt; the slot stays taken until its answer comes. */
    void failWith(RpcException cause) {
        failure = cause;
    }

    /** Hands the call back to whoever waits. */
    void finish() {
        setFenced(DONE); // before the look at who sleeps, who looks at the state after saying so
        Thread sleeper = waiter;
        if (sleeper != null) {
            LockSupport.unpark(sleeper);
        }
    }

    /** Decodes the answer for a future, unless it is long: that is left to {@link #decode}, without the lock. */
    void completeFuture() {
        RpcFuture<?> target = future;
        future = null;
        if (response == null) {
            decode(target);
        } else {
            target.leaveUndecoded();
        }
    }

    /** Decodes the answer for a future; the slot is free afterwards. */
    void decode(RpcFuture<?> target) {
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
            first = session.attendance().asyncStarts();
            boolean sent = false;
            try {
                transmit();
                sent = true;
            } finally {
                if (!sent) {
                    session.attendance().asyncEnds();
                }
            }
            result.sent(limitNs(), invocation == null ? endNs : invocation.endNs());
            future = result;
        } finally {
            session.unlock();
        }
        if (first) {
            VarHandle.fullFence(); // either the event thread sees the count, or its sleep is seen here
        }
        session.client().events().call();
    }

    @Override
    public void send() {
        long claim = claim();
        try {
            if (invocation != null) {
                invocation.run(this::sendOneWay);
            } else {
                sendOneWay();
            }
        } finally {
            if (isUnsent(claim)) { // else it is under way, and the slot may be another call's already
                free();
            }
        }
    }

    private void sendOneWay() {
        session.credits().lockWithCredit(session, this);
        try {
            int bodyLength = writer.length();
            int extension = invocation == null ? 0 : writeExtension();
            if (request != null) {
                throw new RpcException(Status.RESOURCE_EXHAUSTED, "a one-way body must fit in a slot: bytes="
                        + writer.length() + " slotBytes=" + memory.capacity() + " method=" + method.fullName());
            }
            session.credits().take();
            sendOneWay(RpcHeader.second(bodyLength, 0, extension), bodyLength + extension);
        } finally {
            session.unlock();
        }
    }

    private void sendOneWay(long second, int length) {
        long first = RpcHeader.first(RpcHeader.ONE_WAY, 0, methodId, callId());
        long send = session.link().sendOneWay(index, first, second, length);
        if (send < 0) {
            session.fail();
            throw session.lost();
        }
        if (!session.link().isSent(send)) {
            leave(send);
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
        while (isPending() && !session.giveUp(this)) { // an error came between its sending and its answer
            Thread.onSpinWait(); // which is just being copied
        }
        if (!move(GIVEN_UP, ABANDONED)) { // then its answer gives it back
            release();
        }
    }

    @Override
    public RuntimeException abandon(Throwable cause) {
        free();
        return Failures.ofArguments(cause, method);
    }
}
