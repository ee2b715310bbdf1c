package org.jvrpc.runtime.retry;

import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jvrpc.api.RpcCallback;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.ClientCall;
import org.jvrpc.api.stub.ResultReader;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;
import org.jvrpc.runtime.invocation.ClientInvocation;
import org.jvrpc.runtime.service.Failures;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A call that is attempted until an attempt is answered or its policy ends. One thread. */
final class RetryCall extends ClientCall {

    private static final Logger LOG = LoggerFactory.getLogger(RetryCall.class);

    /** The longest sleep before a look at whether the call that this one is made for is cancelled. */
    private static final long SLICE_NS = 5_000_000;

    private final Request request;
    private final MethodPolicy policy;
    /** The attempt that was answered, whose answer is read, or null. */
    private ClientCall answered;
    private HedgedFuture<RawAnswer> hedged;
    private RawAnswer answer;
    private WireReader reader;

    RetryCall(Request request, MethodPolicy policy) {
        this.request = request;
        this.policy = policy;
    }

    @Override
    public WireWriter arguments() {
        return request.arguments();
    }

    @Override
    public WireReader invoke() {
        request.call().run(policy.hedging() == null ? () -> attempt(this::invoke) : this::hedge);
        return reader;
    }

    @Override
    public void send() {
        try {
            request.call().run(() -> attempt(ClientCall::send));
        } finally {
            request.release();
        }
    }

    private void invoke(ClientCall call) {
        boolean done = false;
        try {
            reader = call.invoke();
            answered = call;
            done = true;
        } finally {
            if (!done) {
                call.close();
            }
        }
    }

    /** Makes attempts, on this thread. */
    private void attempt(Consumer<ClientCall> once) {
        RetryPlan plan = request.plan(policy.retry());
        while (true) {
            ClientInvocation attempt = request.attempt(plan.previous());
            try {
                once.accept(request.begin(attempt));
                plan.succeeded();
                request.call().adopt(attempt);
                return;
            } catch (RpcException e) {
                request.call().adopt(attempt);
                pause(plan, e);
            }
        }
    }

    /** Waits until it is time for another attempt. @throws RpcException when there is none */
    private void pause(RetryPlan plan, RpcException failure) {
        long delayNs = plan.failed(failure, request.retries().random());
        if (delayNs == RetryPlan.STOP || delayNs >= request.call().deadlineNs()) {
            throw plan.ending(failure);
        }
        long startNs = request.retries().clock().nanoTime();
        for (long left = delayNs; left > 0; left = delayNs - (request.retries().clock().nanoTime() - startNs)) {
            request.retries().clock().parkNanos(this, Math.min(left, SLICE_NS));
            boolean cancelled = request.call().isCancelledAbove();
            if (cancelled || Thread.currentThread().isInterrupted()) {
                String why = (cancelled ? "cancelled" : "interrupted") + " while waiting to make a call again: "
                        + request.method().fullName();
                throw plan.mayHaveRun() ? new RpcException(Status.CANCELLED, why, failure)
                        : RpcException.notRun(Status.CANCELLED, why, failure);
            }
        }
    }

    private void hedge() {
        hedged = new HedgedFuture<>(request, policy.hedging(), RawAnswer.reader(request.retries().buffers()));
        hedged.begin();
        answer = hedged.await();
        reader = answer.read(request.layouts());
    }

    @Override
    public int thrown() {
        return answer != null ? answer.thrown() : answered.thrown();
    }

    @Override
    public <R> CompletableFuture<R> invokeAsync(ResultReader<R> how) {
        AttemptsFuture<R> attempts = policy.hedging() == null
                ? new RetriedFuture<>(request, request.plan(policy.retry()), how)
                : new HedgedFuture<>(request, policy.hedging(), how);
        return new LogicalFuture<>(request.call(), attempts).start();
    }

    @Override
    public <R> void invokeCallback(ResultReader<R> how, RpcCallback<R> heard) {
        afterwards(how, heard::completed);
    }

    @Override
    public void invokeCallbackInt(ResultReader.OfInt how, RpcCallback.OfInt heard) {
        afterwards(how, (result, failure) -> heard.completed(result == null ? 0 : result, failure));
    }

    @Override
    public void invokeCallbackLong(ResultReader.OfLong how, RpcCallback.OfLong heard) {
        afterwards(how, (result, failure) -> heard.completed(result == null ? 0 : result, failure));
    }

    @Override
    public void invokeCallbackDouble(ResultReader.OfDouble how, RpcCallback.OfDouble heard) {
        afterwards(how, (result, failure) -> heard.completed(result == null ? 0 : result, failure));
    }

    private <R> void afterwards(ResultReader<R> how, BiConsumer<R, Throwable> heard) {
        String method = request.method().fullName();
        invokeAsync(how).whenComplete((result, failure) -> {
            try {
                heard.accept(result, failure);
            } catch (Throwable t) {
                LOG.error("a callback of {} threw", method, t);
            }
        });
    }

    @Override
    public void close() {
        try {
            if (answered != null) {
                answered.close();
            }
            if (answer != null) {
                request.retries().buffers().give(answer.memory());
            }
        } finally {
            if (hedged == null || hedged.isQuiet()) { // else a loser may still copy them
                request.release();
            }
        }
    }

    @Override
    public RuntimeException abandon(Throwable cause) {
        request.release();
        return Failures.ofArguments(cause, request.method());
    }
}
