package org.jvrpc.runtime.client;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.jvrpc.api.Metadata;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.ResultReader;
import org.jvrpc.api.wire.ObjectCodec;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;
import org.jvrpc.runtime.invocation.ClientInvocation;
import org.jvrpc.runtime.invocation.StubCalls;
import org.jvrpc.runtime.service.Extension;
import org.jvrpc.runtime.service.Failures;
import org.jvrpc.runtime.session.Body;
import org.jvrpc.runtime.session.RpcHeader;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.runtime.thread.Deadline;
import org.jvrpc.verbs.rare.Rare;

/** A slot of a client's session, and the call that has it; see {@link SlotState} for whose it is when. */
public final class ClientSlot extends AnsweredSlot implements WireWriter.Spill {

    final Waiting waiting;
    private final Clock clock;
    private final WireWriter writer = new WireWriter();
    private StubCalls calls;
    private MethodDescriptor method;
    /** When the call's time is over; {@link Deadline#NONE} until a plain light call waits for the first time. */
    private long endNs;
    private Body request;
    private ClientInvocation invocation;
    RpcFuture<?> future;

    ClientSlot(ClientSession session, Clock clock, int index, ByteBuffer memory) {
        super(session, index, memory);
        this.clock = clock;
        this.waiting = new Waiting(session, clock, this);
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
    public void begin(StubCalls calls, MethodDescriptor method, int methodId, ClientInvocation invocation, long endNs) {
        if (this.method != method || this.calls != calls || this.invocation != invocation) {
            this.calls = calls; // a store of a reference costs the collector's barrier: only where one changed
            this.method = method;
            this.invocation = invocation;
            countBy(session.counters(), methodId); // a stub's methods have one number each in a session
        }
        this.methodId = methodId;
        this.endNs = endNs;
        unanswered();
        writer.reset(memory(), 0, memory().capacity(), this, calls.objects());
    }

    @Override
    ObjectCodec objects() {
        return calls.objects();
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
        giveRequest();
        set(FREE);
    }

    private void giveRequest() {
        if (request != null) {
            session.bodies().give(request);
            request = null;
        }
    }

    /** The callback that is called now may claim the slot again. */
    @Override
    public void leaveToCallback() {
        try {
            dropResponse();
            giveRequest();
        } finally {
            session.callbacks().keep(this);
        }
    }

    /**
     * Gives the request back of a call that nobody waits for, after the end of its session: no answer says any more
     * that the server has read it. The slot stays taken. Under the session's lock.
     */
    void dropRequest() {
        if (state() == ABANDONED && request != null) {
            Rare.reached("the request of an abandoned call goes with its session");
            giveRequest();
        }
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
        request = grow(full, needed, request, method);
    }

    @Override
    public WireReader invoke() {
        if (invocation != null) {
            invocation.run(this::call);
        } else {
            call();
        }
        return answered();
    }

    /** Sends and waits. */
    void call() {
        session.callbacks().flush();
        session.lock(this);
        try {
            transmit();
        } catch (RuntimeException | Error e) {
            session.unlock();
            throw e;
        }
        session.await(this);
        RpcException failure = failed();
        if (failure != null) {
            throw failure;
        }
    }

    /** Sends the request, under the session's lock. */
    private void transmit() {
        int bodyLength = writer.length();
        int extension = invocation != null || method.heavy() ? writeExtension() : 0;
        if (session.isLost()) {
            throw countUnsent(method, RpcException.notRun(Status.UNAVAILABLE, session.lost().getMessage()));
        }
        int flags = 0;
        int length = bodyLength + extension;
        if (request != null) {
            flags = RpcHeader.RENDEZVOUS;
            length = session.link().describe(index, request);
        }
        sends();
        set(SENT);
        long first = RpcHeader.first(RpcHeader.REQUEST, flags, methodId, callId());
        long second = RpcHeader.second(bodyLength, 0, extension);
        boolean sent = false;
        try {
            sent = session.link().send(index, first, second, length);
        } catch (Throwable t) { // whatever it was, whether the message left is not known
            session.breakDown(t);
        }
        sent(bodyLength); // counted while the server is at it
        if (!sent) {
            session.fail();
            if (leaveSent(DONE)) {
                countFailure(Status.UNAVAILABLE);
            }
            throw session.unanswered();
        }
    }

    /** Writes what travels after the body: the time that is left when the call leaves, and its metadata. */
    private int writeExtension() {
        long leftNs = Deadline.leftNs(clock, endNs());
        if (leftNs <= 0) {
            throw countUnsent(method, RpcException.notRun(Status.DEADLINE_EXCEEDED,
                    "its time was over before it was sent: " + method.fullName()));
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
        return invocation != null ? invocation.limitNs() : calls.limitNs(method);
    }

    /** Returns true when the call that this one is made for is cancelled. */
    boolean isCancelledAbove() {
        return invocation != null && invocation.isCancelledAbove();
    }

    /** Throws when the call may wait no longer: its time is over, or its thread is interrupted. Its claimant. */
    void checkWait(String what) {
        if (Deadline.leftNs(clock, endNs()) < 0) {
            throw RpcException.notRun(Status.DEADLINE_EXCEEDED, what + " in " + limitNs() / 1000 + " us: "
                    + method.fullName());
        }
        if (Thread.currentThread().isInterrupted()) {
            throw RpcException.notRun(Status.CANCELLED,
                    "interrupted while waiting, " + what + ": " + method.fullName());
        }
    }

    /** Decodes the answer for a future, unless it is long: that is left to {@link #decode}, without the lock. */
    void completeFuture() {
        RpcFuture<?> target = future;
        future = null;
        if (!isLong()) {
            decode(target);
        } else {
            target.leaveUndecoded();
        }
    }

    /** Decodes the answer for a future; the slot is free afterwards. */
    void decode(RpcFuture<?> target) {
        outcomeTo(target);
        release();
    }

    void release() {
        dropResponse();
        free();
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
                // an interceptor threw after it let the call go on
                session.abandonment().giveUp(this, result, Status.CANCELLED);
            }
            result.failStart(e);
        }
        return result;
    }

    private void startAsync(RpcFuture<?> result) {
        session.callbacks().flush();
        boolean first;
        session.lock(this);
        try {
            first = session.attendance().asyncStarts(1);
            transmitCounted();
            result.sent(limitNs(), invocation == null ? endNs : invocation.endNs());
            future = result;
        } finally {
            session.unlock();
        }
        session.client().events().attend(first);
    }

    private void transmitCounted() {
        boolean sent = false;
        try {
            transmit();
            sent = true;
        } finally {
            if (!sent) {
                session.attendance().asyncEnds();
            }
        }
    }

    @Override
    void respond(Metadata came) {
        if (invocation != null) {
            invocation.responded(came);
        }
    }

    @Override
    boolean isPlain() {
        return invocation == null;
    }

    @Override
    void startCallback() {
        boolean first;
        try {
            if (session.callbacks().isCurrent() && request == null && !method.heavy()
                    && session.requests().add(this, RpcHeader.first(RpcHeader.REQUEST, 0, methodId, callId()),
                            RpcHeader.second(writer.length(), 0, 0), writer.length())) {
                return;
            }
            session.callbacks().flush();
            session.lock(this);
        } catch (RuntimeException | Error e) {
            release();
            throw e;
        }
        try {
            first = session.attendance().asyncStarts(1);
            sendWithCallback();
        } finally {
            session.unlock();
        }
        session.client().events().attend(first);
    }

    private void sendWithCallback() {
        try {
            transmitCounted();
        } catch (RuntimeException | Error e) {
            release();
            throw e;
        }
        callback().sent(limitNs(), endNs);
    }

    /** The call leaves with others. Under the session's lock. */
    void sending() {
        callback().sent(limitNs(), endNs);
        sends();
        sent(writer.length());
        setPlain(SENT);
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
        session.callbacks().flush();
        session.credits().lockWithCredit(session, this);
        try {
            int bodyLength = writer.length();
            int extension = invocation == null ? 0 : writeExtension();
            if (request != null) {
                throw RpcException.notRun(Status.RESOURCE_EXHAUSTED, "a one-way body must fit in a slot: bytes="
                        + writer.length() + " slotBytes=" + memory().capacity() + " method=" + method.fullName());
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
        sentOneWay(RpcHeader.bodyLength(second));
        if (!session.link().isSent(send)) {
            leave(send);
            if (session.link().isBehind()) { // it leaves when somebody polls
                session.client().events().call();
            }
        }
    }

    @Override
    public void close() {
        if (leaveLock()) {
            if (far) {
                session.longAnswers().endInPlace(this);
                return;
            }
            free();
            session.unlock();
            return;
        }
        while (isPending() && !session.abandonment().giveUp(this)) { // an error came between its sending and its answer
            Thread.onSpinWait(); // which is just being copied
        }
        if (!move(GIVEN_UP, ABANDONED)) { // then its answer gives it back
            release();
        }
    }

    @Override
    public RuntimeException abandon(Throwable cause) {
        free();
        return countUnsent(method, Failures.ofArguments(cause, method));
    }
}
