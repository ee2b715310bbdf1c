package org.jvrpc.testkit.fault;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.stub.ClientCall;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.ResultReader;
import org.jvrpc.api.wire.WireReader;

/** A call that something befalls, and how it ends then. One thread. */
final class Suffering {

    private final ClientCall call;
    private final Fault fault;
    private final Victims victims;
    private final MethodDescriptor method;
    private final long endNs;
    private boolean abandoned;

    Suffering(ClientCall call, Fault fault, Victims victims, MethodDescriptor method, long deadlineNs) {
        this.call = call;
        this.fault = fault;
        this.victims = victims;
        this.method = method;
        this.endNs = System.nanoTime() + deadlineNs;
    }

    WireReader invoke() {
        if (fault.isInsteadOfCall()) {
            throw fail();
        }
        if (fault.kind() == Fault.Kind.DELAY) {
            Fault.pass(fault.delayNs());
            return call.invoke();
        }
        try {
            call.invoke();
        } catch (RpcException e) {
            if (!e.mayHaveRun()) {
                throw e; // there is no answer to lose
            }
        }
        RpcException lost = fault.strike(victims, method);
        if (fault.isLoss()) {
            Fault.pass(endNs - System.nanoTime());
        }
        throw lost;
    }

    /** Gives the call up, and returns what it fails with, once its time is over where it is lost. */
    private RpcException fail() {
        RpcException failure = giveUp();
        if (fault.isLoss()) {
            Fault.pass(endNs - System.nanoTime());
        }
        return failure;
    }

    /** Gives the call up, and returns what it is to fail with. */
    RpcException giveUp() {
        RpcException failure = fault.strike(victims, method);
        abandoned = true;
        call.abandon(failure);
        return failure;
    }

    <R> CompletableFuture<R> invokeAsync(ResultReader<R> reader) {
        if (fault.kind() == Fault.Kind.DELAY) {
            CompletableFuture<R> late = new CompletableFuture<>();
            Executor later = CompletableFuture.delayedExecutor(fault.delayNs(), TimeUnit.NANOSECONDS);
            CompletableFuture<R> answer = call.invokeAsync(reader);
            answer.whenCompleteAsync((result, thrown) -> complete(late, result, thrown), later);
            cancelWith(late, answer);
            return late;
        }
        CompletableFuture<R> failed = new CompletableFuture<>();
        if (fault.isInsteadOfCall()) {
            fail(failed, giveUp());
        } else {
            CompletableFuture<R> answer = call.invokeAsync(reader);
            cancelWith(failed, answer);
            lose(answer, failed);
        }
        return failed;
    }

    /** Fails as an answer that is lost or replaced; what was refused has none, and its refusal is passed on. */
    private void lose(CompletableFuture<?> answer, CompletableFuture<?> failed) {
        RpcException failure = fault.strike(victims, method);
        if (fault.isLoss()) {
            fail(failed, failure);
        }
        answer.whenComplete((result, thrown) -> {
            if (thrown instanceof RpcException e && !e.mayHaveRun()) {
                failed.completeExceptionally(e);
            } else if (!fault.isLoss()) {
                failed.completeExceptionally(failure);
            }
        });
    }

    private static void cancelWith(CompletableFuture<?> outer, CompletableFuture<?> answer) {
        outer.whenComplete((result, thrown) -> {
            if (outer.isCancelled()) {
                answer.cancel(true);
            }
        });
    }

    private void fail(CompletableFuture<?> future, RpcException failure) {
        if (fault.isLoss()) {
            CompletableFuture.delayedExecutor(Math.max(0, endNs - System.nanoTime()), TimeUnit.NANOSECONDS)
                    .execute(() -> future.completeExceptionally(failure));
        } else {
            future.completeExceptionally(failure);
        }
    }

    private static <R> void complete(CompletableFuture<R> future, R result, Throwable thrown) {
        if (thrown == null) {
            future.complete(result);
        } else {
            future.completeExceptionally(thrown);
        }
    }

    void send() {
        if (fault.kind() == Fault.Kind.DROP) {
            giveUp(); // nobody waits for it
        } else if (fault.isInsteadOfCall()) {
            throw giveUp();
        } else {
            if (fault.kind() == Fault.Kind.DELAY) {
                Fault.pass(fault.delayNs());
            }
            call.send();
        }
    }

    void close() {
        if (!abandoned) {
            call.close();
        }
    }
}
