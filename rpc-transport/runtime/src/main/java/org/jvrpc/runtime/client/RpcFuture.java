package org.jvrpc.runtime.client;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.ResultReader;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.runtime.invocation.ClientInvocation;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.runtime.thread.Deadline;
import org.slf4j.Logger;

/**
 * The future of an asynchronous call. A thread that waits for it polls for it. Completed by a thread that waits for a
 * future of the same client, or by the event thread, never by one that has a call of its own to return from.
 */
final class RpcFuture<R> extends PolledFuture<R> {

    private static final int STARTING = 0;
    private static final int STARTED = 1;
    private static final int ANSWERED = 2;
    private static final VarHandle SENT;
    private static final VarHandle START;

    static {
        try {
            SENT = MethodHandles.lookup().findVarHandle(RpcFuture.class, "sent", boolean.class);
            START = MethodHandles.lookup().findVarHandle(RpcFuture.class, "start", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final ClientSlot slot;
    private final ResultReader<R> reader;
    private boolean sent;
    private int start;
    private long limitNs;
    private long endNs;
    private ClientInvocation invocation;
    private R result;
    private Throwable error;
    /** Its answer lies in the slot, complete. */
    private boolean undecoded;
    /** The next one in the list of those to be completed. */
    RpcFuture<?> next;

    RpcFuture(ClientSession session, ClientSlot slot, ResultReader<R> reader) {
        super(session);
        this.slot = slot;
        this.reader = reader;
    }

    /**
     * The request is on its way.
     *
     * @param ns the time that the call has
     * @param atNs when it is over, or {@link Deadline#NONE} for so many nanoseconds after the first look
     */
    void sent(long ns, long atNs) {
        limitNs = ns;
        endNs = atNs;
        SENT.setRelease(this, true); // not volatile: its fence would wait until the request is in the peer's cache
    }

    boolean isSent() {
        return (boolean) SENT.getAcquire(this);
    }

    /** Returns true when the call's time is over. Event thread. */
    boolean isOver(Clock clock, long nowNs) {
        if (!isSent()) {
            return false;
        }
        if (isCancelledAbove()) {
            return true;
        }
        if (endNs == Deadline.NONE) {
            endNs = Deadline.after(clock, limitNs); // the caller's clock may be from before the call was sent
        }
        return nowNs - endNs > 0;
    }

    /** Returns true when the call that this one is made for is cancelled. */
    boolean isCancelledAbove() {
        return invocation != null && invocation.isCancelledAbove();
    }

    void whenEnded(ClientInvocation listener) {
        invocation = listener;
    }

    /** Its answer is long, and decoded when it is published, when others may have the session's lock. */
    void leaveUndecoded() {
        undecoded = true;
    }

    /** Decodes the answer. Whatever a constructor throws is how the call ends. */
    void decode(RpcException failure, Status status, WireReader in, int thrown) {
        try {
            if (failure != null) {
                error = failure;
            } else if (status != Status.OK) {
                error = AnsweredSlot.failure(status, thrown, in);
            } else {
                result = reader.read(in, thrown);
            }
        } catch (Throwable e) {
            error = e;
        }
    }

    /** The interceptors returned; an answer that was faster than they is published now. */
    void started() {
        if (!START.compareAndSet(this, STARTING, STARTED)) {
            publish();
        }
    }

    /** An interceptor threw, which is how the call ends, whatever was answered. */
    void failStart(Throwable cause) {
        if (super.completeExceptionally(cause)) {
            end(cause);
        }
    }

    /** Returns true when completing it takes no time and runs nobody's code, as things stand. */
    boolean isPlain() {
        return invocation == null && !undecoded && getNumberOfDependents() == 0;
    }

    /** Completes, and logs what a listener throws: the futures behind this one are others'. */
    void publish(Logger log, String address) {
        try {
            publish();
        } catch (Throwable t) {
            log.error("completing a call to {} threw", address, t);
        }
    }

    /** Completes with what was decoded, whatever its slot throws; runs the dependents. */
    void publish() {
        if (!undecoded) {
            publishDecoded();
            return;
        }
        undecoded = false;
        try {
            slot.decode(this);
        } finally {
            publishDecoded();
        }
    }

    private void publishDecoded() {
        if (invocation != null && START.compareAndSet(this, STARTING, ANSWERED)) {
            return; // left to started(), for an interceptor may yet throw
        }
        end(error); // first, so that who sees the future complete finds that its listeners have heard of it
        if (error != null) {
            completeExceptionally(error);
        } else {
            complete(result);
        }
    }

    private void end(Throwable cause) {
        if (invocation != null) {
            RpcException failed = cause instanceof RpcException e ? e : null;
            invocation.ended(failed == null ? Status.OK : failed.status(), failed == null ? null : failed.getMessage());
        }
    }

    @Override
    public boolean completeExceptionally(Throwable cause) {
        boolean mine = super.completeExceptionally(cause);
        if (mine && error == null) {
            end(cause);
        }
        return mine;
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        if (!super.cancel(mayInterruptIfRunning)) {
            return false;
        }
        if (isSent()) {
            session().abandonment().giveUp(slot, this, Status.CANCELLED);
        }
        if (invocation != null) {
            invocation.ended(Status.CANCELLED, "cancelled by the caller");
        }
        return true;
    }
}
