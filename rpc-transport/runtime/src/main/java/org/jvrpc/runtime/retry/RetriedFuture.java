package org.jvrpc.runtime.retry;

import java.util.concurrent.CompletableFuture;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.stub.ResultReader;
import org.jvrpc.runtime.invocation.ClientInvocation;

/** An asynchronous call that is attempted until an attempt is answered or its policy ends: one at a time. */
final class RetriedFuture<R> extends AttemptsFuture<R> {

    private final RetryPlan plan;
    private volatile CompletableFuture<R> current;

    RetriedFuture(Request request, RetryPlan plan, ResultReader<R> reader) {
        super(request, reader);
        this.plan = plan;
    }

    @Override
    void begin() {
        if (isDone()) { // cancelled: who copies the arguments may still be at it, so they are left to the collector
            return;
        }
        ClientInvocation attempt = request().attempt(plan.previous());
        CompletableFuture<R> sent;
        try {
            sent = send(attempt);
        } catch (Throwable t) {
            ended(attempt, null, t);
            return;
        }
        current = sent;
        if (isDone()) {
            sent.cancel(false);
        }
        sent.whenComplete((result, failure) -> ended(attempt, result, failure));
    }

    private void ended(ClientInvocation attempt, R result, Throwable thrown) {
        if (isDone()) {
            return;
        }
        Throwable failure = thrown == null ? null : cause(thrown);
        request().call().adopt(attempt);
        if (failure instanceof RpcException e) {
            request().failed(attempt, e);
            long delayNs = plan.failed(e, request().retries().random());
            boolean again = delayNs != RetryPlan.STOP && delayNs < request().call().deadlineNs();
            if (again && request().retries().later(delayNs, this::begin)) {
                return;
            }
            failure = plan.ending(e);
        } else {
            plan.succeeded();
        }
        request().release();
        if (failure == null) {
            complete(result);
        } else {
            completeExceptionally(failure);
        }
    }

    @Override
    void cancelAttempts() {
        CompletableFuture<R> now = current;
        if (now != null) {
            now.cancel(false);
        }
    }
}
