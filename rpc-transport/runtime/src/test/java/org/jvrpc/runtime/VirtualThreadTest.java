package org.jvrpc.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.contract.Calls;
import org.jvrpc.runtime.contract.CallsAsync;
import org.jvrpc.runtime.contract.CallsImpl;

/** Calls by virtual threads, more of them than there are slots or carriers. */
class VirtualThreadTest {

    private static final int THREADS = 200;
    private static final int CALLS = 20;

    @BeforeAll
    static void needsVirtualThreads() {
        assumeTrue(Runtime.version().feature() >= 21, "this JDK has no virtual threads: " + Runtime.version());
    }

    private static Executor virtual() {
        try {
            var start = Thread.class.getMethod("startVirtualThread", Runnable.class);
            return task -> {
                try {
                    start.invoke(null, task);
                } catch (ReflectiveOperationException e) {
                    throw new AssertionError(e);
                }
            };
        } catch (NoSuchMethodException e) {
            throw new AssertionError(e);
        }
    }

    private static <T> List<CompletableFuture<T>> run(Callable<T> work) {
        Executor executor = virtual();
        List<CompletableFuture<T>> all = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            CompletableFuture<T> end = new CompletableFuture<>();
            all.add(end);
            executor.execute(() -> {
                try {
                    end.complete(work.call());
                } catch (Throwable t) {
                    end.completeExceptionally(t);
                }
            });
        }
        return all;
    }

    @ParameterizedTest
    @EnumSource(IdleStrategy.class)
    void theyCallAndWaitAsOthersDo(IdleStrategy idle) {
        CallsImpl impl = new CallsImpl();
        try (RpcServer server = RpcServer.builder().bind(ShmFolder.address()).service(Calls.class, impl).start();
                RpcClient client = RpcClient.builder(server.address()).slots(16).idle(idle)
                        .deadline(Duration.ofMinutes(2)).connect()) {
            Calls calls = client.stub(Calls.class);
            CallsAsync async = client.asyncStub(Calls.class, CallsAsync.class);
            for (CompletableFuture<Long> caller : run(() -> {
                long sum = 0;
                for (int i = 0; i < CALLS; i++) {
                    sum += calls.add(i, 1) + async.add(i, 1).get() + calls.echoHeavy(new byte[i]).length;
                    calls.tickHeavy(i);
                }
                return sum;
            })) {
                assertEquals(3L * CALLS * (CALLS - 1) / 2 + 2 * CALLS, Await.join(caller));
            }
            Calls brief = client.stub(Calls.class, CallOptions.DEFAULT.withDeadlineAfter(Duration.ofMillis(100)));
            for (CompletableFuture<Long> caller : run(() -> brief.hang(1))) {
                assertEquals(Status.DEADLINE_EXCEEDED, ((RpcException) Await.outcome(caller)).status());
            }
            impl.openGate();
            assertEquals(3, calls.add(1, 2));
        }
    }

    private static ExecutorService onePerTask() throws ReflectiveOperationException {
        return (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    }

    /** Each heavy call has a thread of its own: more of them wait than there are carriers, and none keeps another. */
    @Test
    void heavyMethodsRunInThem() throws Exception {
        CallsImpl impl = new CallsImpl();
        ExecutorService heavy = onePerTask();
        try (RpcServer server = RpcServer.builder().bind(ShmFolder.address()).service(Calls.class, impl)
                    .executor(heavy).start();
                RpcClient client = RpcClient.builder(server.address()).slots(128).deadline(Duration.ofMinutes(2))
                        .connect()) {
            CallsAsync async = client.asyncStub(Calls.class, CallsAsync.class);
            List<CompletableFuture<Long>> hanging = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                hanging.add(async.hang(i));
            }
            Await.until("all hang", () -> impl.hanging.get() == 100);
            assertEquals(7, client.stub(Calls.class).echoHeavy(new byte[7]).length);
            impl.openGate();
            for (int i = 0; i < 100; i++) {
                assertEquals(i, Await.join(hanging.get(i)));
            }
        } finally {
            heavy.shutdown();
        }
    }
}
