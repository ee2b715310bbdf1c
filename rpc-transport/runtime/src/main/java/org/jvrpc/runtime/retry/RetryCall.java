package org.jvrpc.runtime.retry;

import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.ClientCall;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.ResultReader;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;
import org.jvrpc.runtime.invocation.ClientInvocation;
import org.jvrpc.runtime.invocation.FutureCall;
import org.jvrpc.runtime.service.Failures;

/** A call that is attempted until an attempt is answered or its policy ends. One thread. */
final class RetryCall extends FutureCall {

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
                request.failed(attempt, e);
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
    protected <R> void invoke(ResultReader<R> how, BiConsumer<R, Throwable> whenEnded) {
        invokeAsync(how).whenComplete(whenEnded);
    }

    @Override
    protected MethodDescriptor method() {
        return request.method();
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
