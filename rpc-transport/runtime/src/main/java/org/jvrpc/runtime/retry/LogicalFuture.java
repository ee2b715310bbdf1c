package org.jvrpc.runtime.retry;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.invocation.ClientInvocation;

/**
 * The future of an asynchronous call of several attempts. Interceptors return, and hear of the end, before it
 * completes.
 */
final class LogicalFuture<R> extends CompletableFuture<R> {

    private static final int STARTING = 0;
    private static final int STARTED = 1;
    private static final int ENDED = 2;

    private final ClientInvocation call;
    private final AttemptsFuture<R> attempts;
    private final AtomicInteger start = new AtomicInteger(STARTING);

    LogicalFuture(ClientInvocation call, AttemptsFuture<R> attempts) {
        this.call = call;
        this.attempts = attempts;
    }

    /** Makes the first attempt, through the interceptors. */
    LogicalFuture<R> start() {
        attempts.whenComplete((result, failure) -> {
            if (!start.compareAndSet(STARTING, ENDED)) {
                publish();
            }
        });
        try {
            call.start(attempts::begin);
        } catch (RuntimeException | Error e) { // how the call ends, whatever was answered
            attempts.cancel(false);
            tellEnd(e);
            super.completeExceptionally(e);
            return this;
        }
        if (!start.compareAndSet(STARTING, STARTED)) {
            publish();
        }
        return this;
    }

    private void publish() {
        if (attempts.isCancelled()) {
            cancel(false);
            return;
        }
        attempts.whenComplete((result, failure) -> {
            Throwable cause = failure == null ? null : AttemptsFuture.cause(failure);
            tellEnd(cause);
            if (cause == null) {
                complete(result);
            } else {
                super.completeExceptionally(cause);
            }
        });
    }

    private void tellEnd(Throwable cause) {
        if (cause instanceof RpcException e) {
            call.ended(e.status(), e.getMessage());
        } else {
            call.ended(Status.OK, null);
        }
    }

    @Override
    public boolean completeExceptionally(Throwable cause) {
        boolean mine = super.completeExceptionally(cause);
        if (mine) {
            attempts.cancel(false);
            tellEnd(cause);
        }
        return mine;
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        if (!super.cancel(mayInterruptIfRunning)) {
            return false;
        }
        attempts.cancel(mayInterruptIfRunning);
        call.ended(Status.CANCELLED, "cancelled by the caller");
        return true;
    }
}
