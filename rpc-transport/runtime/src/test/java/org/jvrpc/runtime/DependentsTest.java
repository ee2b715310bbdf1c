package org.jvrpc.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.contract.Calls;
import org.jvrpc.runtime.contract.CallsAsync;
import org.jvrpc.runtime.contract.CallsImpl;

/** On which threads that runs which depends on a future: it is others' code, and may take its time. */
class DependentsTest {

    private RpcServer server;
    private RpcClient client;
    private Parcels parcels;
    private ParcelsAsync async;

    @BeforeEach
    void connect() {
        server = RpcServer.builder().bind(ShmFolder.address()).service(Parcels.class, new Parcels.Sender()).start();
        client = RpcClient.builder(server.address()).slots(2).connect();
        parcels = client.stub(Parcels.class);
        async = client.asyncStub(Parcels.class, ParcelsAsync.class);
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    @Test
    void aSynchronousCallerRunsNothingThatDependsOnAFuture() {
        CallsImpl impl = new CallsImpl();
        try (RpcServer other = RpcServer.builder().bind(ShmFolder.address()).service(Calls.class, impl).start();
                RpcClient caller = RpcClient.connect(other.address())) {
            CallsAsync later = caller.asyncStub(Calls.class, CallsAsync.class);
            Set<Thread> threads = Collections.synchronizedSet(new HashSet<>());
            List<CompletableFuture<Void>> ran = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                ran.add(later.hangLater(i).thenRun(() -> threads.add(Thread.currentThread())));
            }
            impl.openGate(); // only now: this thread would run what it attaches to an answer that is there
            Calls calls = caller.stub(Calls.class);
            for (int i = 0; i < 100; i++) {
                assertEquals(i + 2, calls.add(i, 2)); // each may find the others' answers
            }
            // Asked, not joined: who joins may run it.
            Await.until("the dependents", () -> ran.stream().allMatch(CompletableFuture::isDone));
            assertTrue(!threads.isEmpty() && !threads.contains(Thread.currentThread()), threads::toString);
        }
    }

    @Test
    void aCallReturnsWhileADependentOfAnothersAnswerIsBusy() {
        CallsImpl impl = new CallsImpl();
        try (RpcServer other = RpcServer.builder().bind(ShmFolder.address()).service(Calls.class, impl).start();
                RpcClient caller = RpcClient.connect(other.address())) {
            CallsAsync later = caller.asyncStub(Calls.class, CallsAsync.class);
            CountDownLatch begun = new CountDownLatch(1);
            CountDownLatch gate = new CountDownLatch(1);
            CompletableFuture<Void> busy = later.hangLater(1).thenRun(() -> {
                begun.countDown();
                Await.latch("the gate", gate);
            });
            impl.openGate(); // only now: this thread would run what it attaches to an answer that is there
            Await.latch("the dependent", begun);
            // From here on the event thread is busy: only synchronous calls find the answer of another.
            AtomicBoolean attached = new AtomicBoolean();
            CompletableFuture<Void> found = later.add(1, 1).thenRun(() -> {
                if (attached.get()) {
                    Await.latch("the gate", gate);
                }
            });
            attached.set(true);
            Calls calls = caller.stub(Calls.class);
            for (int i = 0; i < 100; i++) {
                assertEquals(i + 2, calls.add(i, 2));
            }
            gate.countDown();
            assertNull(Await.outcome(busy), "the dependent waited for calls that waited for it");
            assertNull(Await.outcome(found), "the dependent waited for calls that waited for it");
        }
    }

    @Test
    void whoWaitsForAFutureRunsWhatDependsOnIt() {
        for (int i = 0; i < 100; i++) {
            int number = i;
            assertEquals(i + 3, Await.outcome(async.add(number, 1).thenCompose(sum -> async.add(sum, 2))));
        }
    }

    @Test
    void whatRunsOnTheEventThreadMayCallAndWait() {
        CallsImpl impl = new CallsImpl();
        try (RpcServer other = RpcServer.builder().bind(ShmFolder.address()).service(Calls.class, impl).start();
                RpcClient caller = RpcClient.connect(other.address())) {
            CallsAsync calls = caller.asyncStub(Calls.class, CallsAsync.class);
            CallOptions patience = CallOptions.DEFAULT.withDeadlineAfter(Duration.ofHours(1));
            CallsAsync patient = caller.asyncStub(Calls.class, CallsAsync.class, patience);
            CompletableFuture<Long> made = null;
            while (impl.hanging.get() == 0) {
                AtomicBoolean attached = new AtomicBoolean(); // else the answer was there before
                CompletableFuture<Long> next = calls.add(1, 1).thenApply(sum -> attached.get()
                        ? patient.hang(7).join() + caller.stub(Calls.class).add(1, 2) : sum);
                attached.set(true);
                Await.until("the dependent", () -> impl.hanging.get() > 0 || next.isDone());
                made = next;
            }
            Await.asleep("jvrpc-poller"); // who waits has stopped to spin long ago
            impl.openGate();
            assertEquals(10L, Await.outcome(made));
        }
    }

    /** Nobody else keeps the deadline of what is waited for there, or notices that the server is gone. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatIsWaitedForOnTheEventThreadEndsByItsDeadlineAndWithTheServer(boolean deadline) {
        CallsImpl impl = new CallsImpl();
        try (RpcServer other = RpcServer.builder().bind(ShmFolder.address()).service(Calls.class, impl).start();
                RpcClient caller = RpcClient.builder(other.address()).reconnect(false).connect()) {
            CallOptions options = CallOptions.DEFAULT.withDeadlineAfter(
                    deadline ? Duration.ofMillis(300) : Duration.ofHours(1));
            CallsAsync calls = caller.asyncStub(Calls.class, CallsAsync.class);
            CallsAsync waited = caller.asyncStub(Calls.class, CallsAsync.class, options);
            CompletableFuture<Long> made = null;
            while (impl.hanging.get() == 0) {
                AtomicBoolean attached = new AtomicBoolean(); // else the answer was there before
                CompletableFuture<Long> next = calls.add(1, 1)
                        .thenApply(sum -> attached.get() ? waited.hang(7).join() : sum);
                attached.set(true);
                Await.until("the dependent", () -> impl.hanging.get() > 0 || next.isDone());
                made = next;
            }
            if (!deadline) {
                Await.start(() -> {
                    other.shutdownNow();
                    return true;
                });
            }
            Throwable end = (Throwable) Await.outcome(made);
            RpcException failure = (RpcException) (end instanceof RpcException ? end : end.getCause());
            assertEquals(deadline ? Status.DEADLINE_EXCEEDED : Status.UNAVAILABLE, failure.status(), end::toString);
            impl.openGate();
        }
    }

    @Test
    void dependentsRunAlsoWhenTheClientCloses() {
        CompletableFuture<Boolean> ran = async.add(1, 2).handle((sum, e) -> true);
        client.close();
        assertEquals(true, Await.outcome(ran));
    }
}
