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
        call.invoke();
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
            late.whenComplete((result, thrown) -> {
                if (late.isCancelled()) {
                    answer.cancel(true);
                }
            });
            return late;
        }
        CompletableFuture<R> failed = new CompletableFuture<>();
        if (fault.isInsteadOfCall()) {
            fail(failed, giveUp());
        } else {
            CompletableFuture<R> answer = call.invokeAsync(reader);
            RpcException failure = fault.strike(victims, method);
            if (fault.isLoss()) {
                fail(failed, failure);
            } else {
                answer.whenComplete((result, thrown) -> fail(failed, failure));
            }
        }
        return failed;
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
