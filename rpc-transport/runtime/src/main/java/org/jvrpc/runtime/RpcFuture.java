package org.jvrpc.runtime;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.ResultReader;
import org.jvrpc.api.wire.WireReader;

/**
 * The future of an asynchronous call. A thread that waits for it polls for it. Completed by whichever thread polled the
 * answer, when that thread holds no lock of the session.
 */
final class RpcFuture<R> extends CompletableFuture<R> {

    private static final int SPINS = 2000;
    private static final int MAX_LOOKS = 50_000;
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

    private final ClientSession session;
    private final ClientSlot slot;
    private final ResultReader<R> reader;
    private boolean sent;
    private int start;
    private long limitNs;
    private boolean watched;
    private long deadlineAtNs;
    private ClientInvocation invocation;
    private R result;
    private Throwable error;
    /** The next one in the list of those to be completed. */
    RpcFuture<?> next;

    RpcFuture(ClientSession session, ClientSlot slot, ResultReader<R> reader) {
        this.session = session;
        this.slot = slot;
        this.reader = reader;
    }

    /** The request is on its way, and has so many nanoseconds. */
    void sent(long ns) {
        limitNs = ns;
        SENT.setRelease(this, true); // not volatile: its fence would wait until the request is in the peer's cache
    }

    boolean isSent() {
        return (boolean) SENT.getAcquire(this);
    }

    /** Returns true when the call's time is over, which begins with the first look. Event thread. */
    boolean isOver(long nowNs) {
        if (!isSent()) {
            return false;
        }
        if (!watched) {
            watched = true;
            deadlineAtNs = System.nanoTime() + limitNs; // the caller's clock may be from before the call was sent
        }
        return nowNs - deadlineAtNs > 0;
    }

    void whenEnded(ClientInvocation listener) {
        invocation = listener;
    }

    /** Decodes the answer, under the session's lock. */
    void decode(RpcException failure, Status status, WireReader in, int thrown) {
        try {
            if (failure != null) {
                error = failure;
            } else if (status != Status.OK) {
                error = new RpcException(status, in.readString());
            } else {
                result = reader.read(in, thrown);
            }
        } catch (Exception e) {
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

    /** Completes with what was decoded; runs the dependents. */
    void publish() {
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
            session.giveUp(slot, this);
        }
        if (invocation != null) {
            invocation.ended(Status.CANCELLED, "cancelled by the caller");
        }
        return true;
    }

    /** Polls; goes on while there are answers, but not for ever: they may all be those of others. */
    private void help() {
        int looks = 0;
        for (int spins = 0; spins < SPINS && looks < MAX_LOOKS && !isDone(); spins++, looks++) {
            if (session.helpSelf()) {
                spins = 0;
            }
            Thread.onSpinWait(); // after an answer, too: meanwhile more of them come, and one poll takes them all
        }
    }

    @Override
    public R join() {
        help();
        return super.join();
    }

    @Override
    public R get() throws InterruptedException, ExecutionException {
        help();
        return super.get();
    }

    @Override
    public R get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        if (unit.toMillis(timeout) > 0) {
            help();
        }
        return super.get(timeout, unit);
    }

    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new CompletableFuture<>();
    }
}
