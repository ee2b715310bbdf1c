package org.jvrpc.runtime.retry;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.retry.HedgingPolicy;
import org.jvrpc.api.stub.ResultReader;
import org.jvrpc.runtime.invocation.ClientInvocation;

/** A call that is attempted again before the attempts at hand have ended: the first answer is the call's. */
final class HedgedFuture<R> extends AttemptsFuture<R> {

    private final HedgingPolicy policy;
    private final int most;
    // what follows is guarded by this
    private final List<CompletableFuture<R>> sent = new ArrayList<>();
    private int begun;
    /** How many times more an attempt that did not run is made again at once, and counts for none. */
    private int atOnce;
    private int underWay;
    /** Attempts whose arguments are being copied. */
    private int copying;
    private RpcException last;
    private boolean stopped;
    private boolean mayHaveRun;
    /** Numbers the waits for another attempt: one that a newer wait replaced does nothing. */
    private int wait;

    HedgedFuture(Request request, HedgingPolicy policy, ResultReader<R> reader) {
        super(request, reader);
        this.policy = policy;
        boolean keeps = request.arguments().length() <= request.retries().settings().bufferLimit();
        this.most = keeps ? policy.maxAttempts() : 1;
        this.atOnce = keeps ? request.transparentAttempts() : 0;
    }

    @Override
    void begin() {
        attempt(0);
    }

    /** Makes the next attempt, unless another wait for one has taken the place of this one. */
    private void attempt(int ofWait) {
        ClientInvocation attempt;
        synchronized (this) {
            if (isDone() || ofWait != wait || begun == most) {
                return;
            }
            if (begun > 0 && (stopped || !isAllowed())) {
                endIfNoneIsUnderWay();
                return;
            }
            attempt = request().attempt(begun++);
            underWay++;
            copying++;
            if (begun < most) {
                attemptAfter(policy.hedgingDelay().toNanos());
            }
        }
        CompletableFuture<R> one;
        try {
            one = send(attempt);
        } catch (Throwable t) {
            copied(null);
            ended(attempt, null, t);
            return;
        }
        copied(one);
        if (isDone()) {
            one.cancel(false);
        }
        one.whenComplete((result, failure) -> ended(attempt, result, failure));
    }

    private synchronized void copied(CompletableFuture<R> one) {
        copying--;
        if (one != null) {
            sent.add(one);
        }
    }

    /** The attempt that was waited for is not made after all, and there may be no other to wait for. */
    private void endIfNoneIsUnderWay() {
        if (underWay == 0 && last != null) {
            RpcException failure = mayHaveRun ? last.thatMayHaveRun() : last;
            if (!request().retries().later(0, () -> completeExceptionally(failure))) { // not under the lock
                completeExceptionally(failure);
            }
        }
    }

    /** Returns true when nobody reads the arguments any more. After the end. */
    synchronized boolean isQuiet() {
        return copying == 0;
    }

    private boolean isAllowed() {
        Throttle throttle = request().retries().throttle();
        return throttle == null || throttle.allows();
    }

    /** Returns true when another attempt follows: the time may have passed since that was looked at. */
    private boolean attemptAfter(long delayNs) {
        int mine = ++wait;
        if (delayNs >= request().call().deadlineNs()) {
            return false;
        }
        boolean follows = request().retries().later(delayNs, () -> attempt(mine));
        stopped |= !follows;
        return follows;
    }

    private void ended(ClientInvocation attempt, R result, Throwable thrown) {
        if (isDone()) {
            return;
        }
        Throwable failure = thrown == null ? null : cause(thrown);
        Throttle throttle = request().retries().throttle();
        if (failure instanceof RpcException e) {
            if (goesOn(attempt, e, throttle)) {
                return;
            }
            failure = mayHaveRun() ? e.thatMayHaveRun() : e;
        } else if (throttle != null) {
            throttle.succeeded();
        }
        request().call().adopt(attempt);
        boolean mine = failure == null ? complete(result) : completeExceptionally(failure);
        if (mine) {
            cancelAttempts();
            if (isQuiet()) {
                request().release();
            }
        }
    }

    private synchronized boolean mayHaveRun() {
        return mayHaveRun;
    }

    /** An attempt failed: returns true while others may be answered. */
    private synchronized boolean goesOn(ClientInvocation attempt, RpcException failure, Throttle throttle) {
        underWay--;
        last = failure;
        request().failed(attempt, failure);
        mayHaveRun |= failure.mayHaveRun();
        Duration pushback = failure.details() == null ? null : failure.details().retryAfter();
        boolean never = pushback != null && pushback.isNegative();
        boolean nonFatal = policy.nonFatalStatusCodes().contains(failure.status());
        if (throttle != null && (nonFatal || never)) {
            throttle.failed();
        }
        stopped |= never;
        if (atOnce > 0 && !stopped && pushback == null && RetryPlan.isRefusal(failure)
                && request().call().deadlineNs() > 0) {
            atOnce--;
            begun--;
            return attemptAfter(0) || underWay > 0;
        }
        if (!nonFatal) {
            mayHaveRun |= underWay > 0;
            return false;
        }
        if (begun < most && !stopped && isAllowed()) {
            long delayNs = pushback == null ? 0 : pushback.toNanos();
            if (delayNs < request().call().deadlineNs()) {
                return attemptAfter(delayNs) || underWay > 0;
            }
        }
        return underWay > 0;
    }

    @Override
    void cancelAttempts() {
        List<CompletableFuture<R>> all;
        synchronized (this) {
            all = List.copyOf(sent);
        }
        all.forEach(one -> one.cancel(false));
    }

    /** Waits for the end, as a synchronous call does. Its attempts keep the call's deadline. */
    R await() {
        String method = request().method().fullName();
        try {
            return get();
        } catch (InterruptedException e) {
            cancel(true);
            Thread.currentThread().interrupt();
            throw new RpcException(Status.CANCELLED, "interrupted while waiting for the answer of " + method, e);
        } catch (CancellationException e) {
            throw new RpcException(Status.CANCELLED, "cancelled: " + method, e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException unchecked) {
                throw unchecked;
            }
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw new RpcException(Status.INTERNAL, "answer of " + method + ": " + e.getCause(), e.getCause());
        }
    }
}
