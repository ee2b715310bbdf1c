package org.jvrpc.runtime.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.Cores;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.runtime.SessionLimits;
import org.jvrpc.runtime.ShmFolder;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.contract.Calls;
import org.jvrpc.runtime.contract.CallsAsync;
import org.jvrpc.runtime.contract.CallsImpl;

/** Slots of calls that were given up and are never answered. */
class RenewalTest {

    private static final CallOptions BRIEF = CallOptions.DEFAULT.withDeadlineAfter(Duration.ofMillis(30));
    private final CallsImpl impl = new CallsImpl();
    private final ExecutorService executor = Executors.newCachedThreadPool();
    private final RpcServer server = RpcServer.builder().bind(ShmFolder.address()).service(Calls.class, impl)
            .executor(executor).context(true).start();

    @AfterEach
    void close() {
        impl.openGate();
        server.shutdownNow();
        executor.shutdownNow();
    }

    private RpcClient connect(int slots, long renewAfterMs) {
        return RpcClient.builder(server.address()).slots(slots).renewAfter(Duration.ofMillis(renewAfterMs)).connect();
    }

    /** Makes calls whose handlers hang, and gives them up. */
    private void hang(RpcClient client, int calls) {
        CallsAsync async = client.asyncStub(Calls.class, CallsAsync.class);
        int before = impl.hanging.get();
        List<CompletableFuture<Long>> all = new ArrayList<>();
        for (int i = 0; i < calls; i++) {
            all.add(async.hang(i));
        }
        Await.until("the handlers", () -> impl.hanging.get() == before + calls);
        all.forEach(call -> assertTrue(call.cancel(true)));
    }

    private static boolean works(Calls calls) {
        try {
            return calls.add(1, 2) == 3;
        } catch (RpcException e) {
            assertEquals(Status.DEADLINE_EXCEEDED, e.status(), e.getMessage());
            return false;
        }
    }

    @Test
    void sixtyFourHungCallsDoNotEndTheClient() {
        try (RpcClient client = RpcClient.connect(server.address())) {
            Calls brief = client.stub(Calls.class, BRIEF);
            hang(client, 64);
            Await.until("calls to work again", () -> works(brief));
            assertEquals(64, impl.hanging.get(), "the handlers still hang");
            for (int i = 0; i < 1000; i++) {
                assertEquals(i + 1, client.stub(Calls.class).add(i, 1));
            }
        }
    }

    @Test
    void callsInFlightGoOnAndThoseThatWaitForASlotGetOne() {
        AtomicInteger runs = new AtomicInteger();
        CountDownLatch end = new CountDownLatch(1);
        impl.callBack = depth -> {
            runs.incrementAndGet();
            Await.latch("the end", end);
            return depth;
        };
        try (RpcClient client = connect(8, 50)) {
            Calls calls = client.stub(Calls.class);
            ClientSession old = Cores.of(client).session();
            CompletableFuture<Long> future = client.asyncStub(Calls.class, CallsAsync.class).callBack(5);
            CompletableFuture<Long> asleep = Await.start(() -> calls.callBack(6));
            Await.until("both to run", () -> runs.get() == 2);
            hang(client, 6);
            CompletableFuture<Long> waiting = Await.start(() -> calls.add(20, 22)); // all slots are taken
            assertEquals(42L, Await.join(waiting));
            assertNotSame(old, Cores.of(client).session());
            assertTrue(client.isConnected());
            end.countDown();
            assertEquals(5L, Await.outcome(future));
            assertEquals(6L, Await.join(asleep));
            assertEquals(2, runs.get(), "calls ran more than once");
            Await.until("the old session to close", () -> Cores.of(client).draining().isEmpty());
            assertEquals(3, calls.add(1, 2));
        }
    }

    /** A server that admits no other session: the old one goes on, such as it is. */
    @Test
    void aSessionThatCannotBeRenewedGoesOn() {
        AtomicInteger asked = new AtomicInteger();
        try (RpcServer full = RpcServer.builder().bind(ShmFolder.address()).service(Calls.class, impl)
                .executor(executor).context(true).limits(new SessionLimits().maxSessions(1)).admission(peer -> {
                    asked.incrementAndGet();
                    return null;
                }).start();
                RpcClient client = RpcClient.builder(full.address()).slots(8).renewAfter(Duration.ofMillis(10))
                        .connect()) {
            Calls calls = client.stub(Calls.class);
            ClientSession old = Cores.of(client).session();
            hang(client, 6);
            Await.until("attempts to renew it", () -> asked.get() > 3);
            assertEquals(3, calls.add(1, 2));
            assertSame(old, Cores.of(client).session());
            impl.openGate();
        }
    }

    @Test
    void aSessionWithFewerAbandonedCallsStays() {
        try (RpcClient client = connect(8, 1)) {
            Calls calls = client.stub(Calls.class);
            ClientSession old = Cores.of(client).session();
            hang(client, 3);
            for (int i = 0; i < 2000; i++) {
                assertEquals(i + 1, calls.add(i, 1));
            }
            assertSame(old, Cores.of(client).session());
            impl.openGate();
            Await.until("late answers to give the slots back", () -> {
                calls.nothing();
                return !old.abandonment().isChoked() && impl.hanging.get() == 0;
            });
        }
    }

    @Test
    void aClientThatDoesNotConnectAgainDoesNotRenew() {
        try (RpcClient client = RpcClient.builder(server.address()).slots(2).reconnect(false)
                .renewAfter(Duration.ofMillis(1)).connect()) {
            Calls brief = client.stub(Calls.class, BRIEF);
            hang(client, 2);
            RpcException e = assertThrows(RpcException.class, () -> brief.add(1, 2));
            assertTrue(e.getMessage().contains("slots=2 abandoned=2"), e.getMessage());
            impl.openGate();
            Await.until("calls to work again", () -> works(brief));
        }
    }

    @Test
    void handlersThatHangAgainAreLeftInPeaceForLongerEachTime() {
        try (RpcClient client = connect(1, 1)) {
            Calls brief = client.stub(Calls.class, BRIEF);
            for (int round = 0; round < 5; round++) {
                ClientSession old = Cores.of(client).session();
                hang(client, 1);
                Await.until("a new session", () -> Cores.of(client).session() != old);
                Await.until("calls to work again", () -> works(brief));
            }
            Await.until("the old sessions to close", () -> Cores.of(client).draining().isEmpty());
        }
    }
}
