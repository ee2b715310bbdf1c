package org.jvrpc.runtime.retry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.retry.RetryPolicy;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.contract.Await;

/** Futures that complete, and callbacks that run, on an executor of the user's. */
public abstract class ExecutorContract extends WorkContract {

    private static final String NAME = "own-callbacks";
    private final List<String> threads = new CopyOnWriteArrayList<>();

    @Test
    void whatDependsOnACallRunsOnTheExecutor() {
        ExecutorService executor = Executors.newSingleThreadExecutor(task -> new Thread(task, NAME));
        keep(executor::shutdownNow);
        RpcClient client = connect(serve(), builder -> builder.callbackExecutor(executor));
        RpcClient retrying = connect(serve(), builder -> builder.retry(RetryPolicy.DEFAULT));
        WorkAsync byOptions = retrying.asyncStub(Work.class, WorkAsync.class,
                CallOptions.DEFAULT.withCallbackExecutor(executor));
        for (WorkAsync async : List.of(async(client), byOptions)) {
            CompletableFuture<Void> then = async.get(1).thenRun(() -> threads.add(Thread.currentThread().getName()));
            Await.outcome(then);
            CompletableFuture<Void> called = new CompletableFuture<>();
            async.getHeavy(2, (long result, Throwable failure) -> {
                threads.add(Thread.currentThread().getName());
                called.complete(null);
            });
            Await.outcome(called);
        }
        assertTrue(threads.size() == 4 && threads.stream().filter(NAME::equals).count() >= 2, threads.toString());
        assertEquals(NAME, threads.get(1));
        assertEquals(NAME, threads.get(3));
    }

    @Test
    void anExecutorThatRefusesLosesNoCallAndOneThatRefusesAfterItRanTellsNobodyTwice() {
        AtomicInteger told = new AtomicInteger();
        WorkAsync refusing = async(connect(serve(), builder -> builder.callbackExecutor(task -> {
            throw new RejectedExecutionException("full");
        })));
        WorkAsync both = async(connect(serve(), builder -> builder.callbackExecutor(task -> {
            task.run();
            throw new RejectedExecutionException("too late");
        })));
        for (WorkAsync async : List.of(refusing, both)) {
            assertEquals(1L, Await.outcome(async.get(1)));
            CompletableFuture<Long> called = new CompletableFuture<>();
            async.get(2, (long result, Throwable failure) -> {
                told.incrementAndGet();
                called.complete(result);
            });
            assertEquals(2L, Await.outcome(called));
            assertEquals(3L, Await.outcome(async.get(3)));
        }
        assertEquals(2, told.get());
    }

    @Test
    void aCancelledFutureCancelsItsCall() {
        WorkAsync async = async(connect(serve(newAddress(), builder -> builder.context(true)),
                builder -> builder.callbackExecutor(Runnable::run)));
        AtomicInteger seen = new AtomicInteger();
        work.script = run -> {
            seen.incrementAndGet();
            Await.until("the cancellation", org.jvrpc.runtime.RpcServer.context()::isCancelled);
            seen.incrementAndGet();
        };
        CompletableFuture<Long> call = async.getHeavy(1);
        Await.until("the handler", () -> seen.get() == 1);
        assertTrue(call.cancel(false));
        Await.until("the handler to see it", () -> seen.get() == 2);
    }
}
