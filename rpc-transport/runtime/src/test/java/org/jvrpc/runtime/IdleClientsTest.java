package org.jvrpc.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.contract.Calls;
import org.jvrpc.runtime.contract.CallsAsync;
import org.jvrpc.runtime.contract.CallsImpl;
import org.jvrpc.testing.ChildJvm;
import org.jvrpc.testing.Holdings;

/** Clients of one process that have nothing to do: none has a thread, and none is in another's way. */
@Tag("slow")
class IdleClientsTest {

    private static final String OWN = "jvrpc-client-";
    private static final String SHARED = "jvrpc-shm-events";
    private static final int MANY = 1000;
    private static final int FEW = 100;
    /** What comes and goes in a JVM by itself. */
    private static final Holdings A_FEW = new Holdings(4, 4, 4, 2);

    private final CallsImpl impl = new CallsImpl();
    private final String address = ShmFolder.address();
    private final List<RpcClient> clients = new ArrayList<>();
    private RpcServer server = serve();

    @AfterEach
    void close() {
        clients.forEach(RpcClient::close);
        impl.openGate();
        server.shutdownNow();
    }

    private RpcServer serve() {
        return RpcServer.builder().bind(address).service(Calls.class, impl)
                .limits(new SessionLimits().maxSessions(2 * FEW).maxSessionsPerPeer(2 * FEW)).start();
    }

    private RpcClient connect(String to) {
        RpcClient client = RpcClient.builder(to).idle(IdleStrategy.BLOCK).connect();
        clients.add(client);
        return client;
    }

    private Calls idle() {
        Calls calls = connect(address).stub(Calls.class);
        assertEquals(3, calls.add(1, 2));
        return calls;
    }

    private static long threads(String name) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith(name) && !thread.getName().contains("-memory-")).count();
    }

    private static void awaitRest() {
        Await.until("no client to have a thread", () -> threads(OWN) == 0);
    }

    @Test
    void noneHasAThreadAndAllGetTheirsBackWhenTheyCall() {
        List<Calls> all = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            all.add(idle());
        }
        awaitRest();
        assertEquals(1, threads(SHARED));
        for (int i = 0; i < all.size(); i++) {
            assertEquals(i + 1, all.get(i).add(i, 1));
            CompletableFuture<Long> call =
                    clients.get(i).asyncStub(Calls.class, CallsAsync.class).add(i, 2).thenApply(sum -> sum + 1);
            assertEquals(i + 3L, Await.outcome(call));
        }
        awaitRest();
    }

    @Test
    void oneThatHasACallInFlightHasAThreadUntilItIsAnswered() {
        idle();
        idle();
        awaitRest();
        CompletableFuture<Long> call = clients.get(0).asyncStub(Calls.class, CallsAsync.class).hang(1);
        assertEquals(1, threads(OWN));
        impl.openGate();
        Await.until("the answer, which nobody waits for", call::isDone);
        awaitRest();
    }

    @Test
    void eachNoticesAtRestThatItsServerIsGoneAndFindsTheNext() {
        List<Calls> all = List.of(idle(), idle(), idle());
        awaitRest();
        server.shutdownNow();
        Await.until("all to notice", () -> clients.stream().noneMatch(RpcClient::isConnected));
        server = serve();
        Await.until("all to be back", () -> clients.stream().allMatch(RpcClient::isConnected));
        all.forEach(calls -> assertEquals(3, calls.add(1, 2)));
    }

    @Test
    void theDeathOfOneServerIsNoAffairOfTheClientsOfAnother() {
        String elsewhere = ShmFolder.address();
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger made = new AtomicInteger();
        Calls calls = idle();
        try (ChildJvm child = ChildMain.start("server", elsewhere)) {
            child.expect("READY");
            RpcClient other = connect(elsewhere);
            assertEquals(3, other.stub(Calls.class).add(1, 2));
            awaitRest();
            CompletableFuture<?> calling = Await.start(() -> {
                while (!over.get()) {
                    assertEquals(3, calls.add(1, 2));
                    made.incrementAndGet();
                }
                return null;
            });
            child.kill();
            Await.until("the other to notice", () -> !other.isConnected());
            int before = made.get();
            Await.until("more calls", () -> made.get() > before + 100);
            over.set(true);
            Await.join(calling);
        }
        assertTrue(clients.get(0).isConnected());
    }

    @Test
    void whatDependsOnACallOfOneMayHoldUpItsThreadAndNoOthers() {
        idle();
        idle();
        awaitRest();
        CountDownLatch arrived = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        CompletableFuture<?> held = clients.get(0).asyncStub(Calls.class, CallsAsync.class).hang(1).thenRun(() -> {
            arrived.countDown();
            Await.latch("the end of the test", go);
        });
        impl.openGate();
        Await.latch("what depends on the call", arrived);
        CompletableFuture<Long> free =
                clients.get(1).asyncStub(Calls.class, CallsAsync.class).add(1, 2).thenApply(sum -> sum + 1);
        Await.until("the other's call", free::isDone);
        server.shutdownNow();
        Await.until("the other to notice", () -> !clients.get(1).isConnected());
        assertFalse(held.isDone());
        go.countDown();
        Await.outcome(held);
    }

    @Test
    void whatDependsOnACallOfOneMayCloseAnotherAtRestAndOneThatCalls() {
        idle();
        idle();
        idle();
        awaitRest();
        CompletableFuture<Long> inFlight = clients.get(1).asyncStub(Calls.class, CallsAsync.class).hang(7);
        CompletableFuture<?> closed = clients.get(0).asyncStub(Calls.class, CallsAsync.class).add(1, 2)
                .thenRun(() -> clients.subList(1, 3).forEach(RpcClient::close));
        Await.outcome(closed);
        assertTrue(inFlight.isCompletedExceptionally());
        assertTrue(clients.get(0).isConnected());
        assertEquals(3, clients.get(0).stub(Calls.class).add(1, 2));
    }

    @Test
    void oneIsClosedWhileOthersConnectAndCall() {
        Calls calls = idle();
        AtomicBoolean over = new AtomicBoolean();
        CompletableFuture<?> calling = Await.start(() -> {
            while (!over.get()) {
                assertEquals(3, calls.add(1, 2));
            }
            return null;
        });
        List<CompletableFuture<?>> coming = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            coming.add(Await.start(() -> {
                for (int n = 0; n < 50; n++) {
                    try (RpcClient client = RpcClient.connect(address)) {
                        assertEquals(n, client.asyncStub(Calls.class, CallsAsync.class).add(n, 0).join().longValue());
                    }
                }
                return null;
            }));
        }
        coming.forEach(Await::join);
        over.set(true);
        Await.join(calling);
    }

    @Test
    void aThousandThatCameAndWentLeaveNothing() {
        comeAndGo();
        Holdings before = Holdings.settled();
        for (int i = 0; i < MANY / FEW; i++) {
            comeAndGo();
        }
        Await.until("the thread that they shared to end", () -> threads(SHARED) == 0);
        Holdings.awaitNoMoreThan(before, A_FEW);
    }

    private void comeAndGo() {
        for (int i = 0; i < FEW; i++) {
            idle();
        }
        clients.forEach(RpcClient::close);
        clients.clear();
        assertEquals(0, threads(OWN));
    }
}
