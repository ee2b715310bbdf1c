package org.jvrpc.runtime.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.testing.Holdings;

/** Servers and clients that come and go. */
public abstract class LifeContract extends RpcContract {

    /** Far more than any machine needs, and less than the default deadline, by which calls end in any case. */
    private static final long WITHIN_NS = 15_000_000_000L;
    /** Of the JVM itself, and of sessions that are not yet buried. */
    private static final Holdings A_FEW = new Holdings(10, 3, 10, 10);

    @Test
    void twoHundredClientsConnectCallAndLeave() {
        int clients = Math.max(20, 200 / slower());
        TestServer server = serve();
        RpcClient steady = connect(server);
        Calls steadyCalls = steady.stub(Calls.class);
        AtomicInteger next = new AtomicInteger();
        List<CompletableFuture<Integer>> workers = new ArrayList<>();
        for (int w = 0; w < 4; w++) {
            workers.add(Await.start(() -> {
                int done = 0;
                for (int i = next.getAndIncrement(); i < clients; i = next.getAndIncrement()) {
                    try (RpcClient client = RpcClient.connect(clientAddress(server.address()))) {
                        Calls calls = client.stub(Calls.class);
                        byte[] body = Bytes.of(i * 37, i);
                        Bytes.assertSame(body, calls.echo(body), "client " + i);
                        assertEquals(i, calls.add(i, 0));
                        calls.tickHeavy(i);
                    }
                    done++;
                }
                return done;
            }));
        }
        while (next.get() < clients) {
            assertEquals(5, steadyCalls.add(2, 3));
        }
        assertEquals(clients, workers.stream().mapToInt(Await::join).sum());
        assertEquals(5, steadyCalls.add(2, 3));
    }

    /** What sessions had is later ones', where clients are and where servers are. */
    @Test
    void clientsThatComeAndGoLeaveNothingBehind() {
        TestServer server = serve();
        comeAndGo(server, 40);
        Holdings before = Holdings.settled();
        tellServer(side -> side.before = Holdings.settled());
        comeAndGo(server, 200 / slower());
        Holdings.awaitNoMoreThan(before, A_FEW);
        tellServer(side -> Holdings.awaitNoMoreThan(side.before, A_FEW));
    }

    private void comeAndGo(TestServer server, int times) {
        for (int i = 0; i < times; i++) {
            try (RpcClient client = RpcClient.connect(clientAddress(server.address()))) {
                assertEquals(i, client.stub(Calls.class).echo(new byte[i]).length);
            }
        }
    }

    /** They have no answer to wait for: the client that made them may have nothing else to do. */
    @Test
    void oneWayCallsOfAClientThatClosesBehindThemRun() {
        TestServer server = serve();
        CompletableFuture<Long> held;
        int count = 20;
        try (RpcClient client = connect(server, builder -> builder.initialSlots(64))) { // who is held up grants no more
            Calls calls = client.stub(Calls.class);
            held = async(connect(server)).hangLight(1);
            Await.until("the poller to be held up", () -> hanging() == 1);
            for (int i = 0; i < count; i++) {
                calls.tick(i);
            }
        }
        tellServer(side -> side.impl.openGate());
        assertEquals(1L, Await.join(held));
        Await.until("one-way calls, ran=" + ticks(), () -> ticks() == count);
        assertEquals(0, ticksOutOfOrder());
    }

    @Test
    void aServerHearsOnceOfEachSessionThatEnds() {
        TestServer server = serve(newAddress(), (builder, side) -> builder.onSessionEnd(id -> {
            side.note(id);
            throw new IllegalStateException("a listener that fails");
        }));
        for (int i = 0; i < 3; i++) {
            try (RpcClient client = connect(server)) {
                assertEquals(5, client.stub(Calls.class).add(2, 3));
            }
        }
        Await.until("ends of sessions", () -> notes().size() >= 3);
        assertEquals(3, Set.copyOf(notes()).size());
        assertEquals(5, connect(server).stub(Calls.class).add(2, 3));
    }

    @Test
    void manyClientsStayAndEachGetsItsOwnAnswers() {
        TestServer server = serve();
        List<Calls> all = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            all.add(connect(server, builder -> builder.slots(4)).stub(Calls.class));
        }
        for (int round = 0; round < 20; round++) {
            for (int i = 0; i < all.size(); i++) {
                assertEquals(i * 1000L + round, all.get(i).add(i * 1000L, round));
            }
        }
    }

    @Test
    void callsInProgressEndWhenTheServerDrains() throws Exception {
        TestServer server = serve();
        RpcClient client = connect(server);
        Calls calls = client.stub(Calls.class);
        CompletableFuture<Long> heavy = async(client).hang(1);
        CompletableFuture<Long> later = calls.hangLater(2);
        CompletableFuture<Long> waiting = Await.start(() -> calls.hang(3));
        Await.until("the handlers", () -> hanging() == 3);
        server.shutdown();
        Await.until("new calls to be refused", () -> {
            try {
                calls.nothing();
                return false;
            } catch (RpcException e) {
                assertEquals(Status.UNAVAILABLE, e.status(), e.getMessage());
                return true;
            }
        });
        failsWith(Status.UNAVAILABLE, () -> RpcClient.connect(server.address()));
        assertFalse(server.awaitTermination(Duration.ofMillis(20)));
        assertFalse(heavy.isDone() || later.isDone() || waiting.isDone());
        openGate();
        assertEquals(1L, Await.outcome(heavy));
        assertEquals(2L, Await.outcome(later));
        assertEquals(3L, Await.join(waiting));
        assertTrue(server.awaitTermination(Duration.ofSeconds(20)));
        failsWith(Status.UNAVAILABLE, calls::nothing);
    }

    @Test
    void deadlinesHoldWhileAServerDrains() {
        TestServer server = serve();
        RpcClient client = connect(server, builder -> builder.deadline(Duration.ofSeconds(2L * slower())));
        CompletableFuture<Long> future = async(client).hang(1);
        CompletableFuture<Object> waiting = Await.start(() ->
                failsWith(Status.DEADLINE_EXCEEDED, () -> client.stub(Calls.class).hang(1)));
        Await.until("the handlers", () -> hanging() == 2);
        server.shutdown();
        endedWith(Status.DEADLINE_EXCEEDED, Await.outcome(future));
        Await.join(waiting);
    }

    @Test
    void anImmediateStopEndsEveryCall() {
        TestServer server = serve();
        RpcClient client = connect(server);
        Calls calls = client.stub(Calls.class);
        CompletableFuture<Long> heavy = async(client).hang(1);
        CompletableFuture<Long> later = calls.hangLater(2);
        CompletableFuture<Object> waiting = Await.start(() -> failsWith(Status.UNAVAILABLE, () -> calls.hang(3)));
        Await.until("the handlers", () -> hanging() == 3);
        long startNs = System.nanoTime();
        server.shutdownNow();
        endedWith(Status.UNAVAILABLE, Await.outcome(heavy));
        endedWith(Status.UNAVAILABLE, Await.outcome(later));
        Await.join(waiting);
        assertTrue(System.nanoTime() - startNs < WITHIN_NS, "ns=" + (System.nanoTime() - startNs));
        server.shutdownNow();
        server.close();
    }

    @Test
    void stubsGoOnWorkingWhenTheServerComesBack() {
        String address = newAddress();
        TestServer first = serve(address, builder -> builder);
        RpcClient client = connect(first);
        Calls calls = client.stub(Calls.class);
        CallsAsync async = async(client);
        for (int round = 0; round < 3; round++) {
            assertEquals(round, calls.add(round, 0));
            first.shutdownNow();
            Await.until("the client to notice", () -> !client.isConnected());
            String why = failsWith(Status.UNAVAILABLE, calls::nothing);
            assertTrue(why.contains(clientAddress(address)), why);
            endedWith(Status.UNAVAILABLE, Await.outcome(asyncOrFailed(async)));
            first = serve(address, builder -> builder);
            Await.until("the client to connect again", client::isConnected);
            assertEquals(7L, Await.outcome(async.add(3, 4)));
        }
    }

    private static CompletableFuture<Long> asyncOrFailed(CallsAsync async) {
        try {
            return async.add(1, 2);
        } catch (RpcException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Test
    void aClientThatDoesNotReconnectSaysSo() {
        TestServer server = serve();
        RpcClient client = connect(server, builder -> builder.reconnect(false));
        Calls calls = client.stub(Calls.class);
        calls.nothing();
        server.shutdownNow();
        Await.until("the client to notice", () -> !client.isConnected());
        String why = failsWith(Status.UNAVAILABLE, calls::nothing);
        assertTrue(why.contains("does not connect again"), why);
        serve(server.address(), builder -> builder);
        failsWith(Status.UNAVAILABLE, calls::nothing);
    }

    @Test
    void callsThatWaitForReadyWaitForTheServer() {
        String address = newAddress();
        TestServer server = serve(address, builder -> builder);
        RpcClient client = connect(server);
        Calls patient = client.stub(Calls.class, CallOptions.DEFAULT.withWaitForReady());
        Calls brief = client.stub(Calls.class,
                CallOptions.DEFAULT.withWaitForReady().withDeadlineAfter(Duration.ofMillis(50)));
        server.shutdownNow();
        Await.until("the client to notice", () -> !client.isConnected());
        long startNs = System.nanoTime();
        RpcException e = assertThrows(RpcException.class, brief::nothing);
        long tookNs = System.nanoTime() - startNs;
        assertTrue(tookNs >= 45_000_000, () -> "given up after " + tookNs + " ns: " + e);
        CompletableFuture<Long> waiting = Await.start(() -> patient.add(1, 2));
        serve(address, builder -> builder);
        assertEquals(3L, Await.join(waiting));
    }

    @Test
    void aClosedClientRefusesCallsAndEndsThoseInFlight() {
        TestServer server = serve();
        RpcClient client = connect(server);
        Calls calls = client.stub(Calls.class);
        CompletableFuture<Long> future = async(client).hang(1);
        CompletableFuture<Object> waiting = Await.start(() -> failsWith(Status.UNAVAILABLE, () -> calls.hang(2)));
        Await.until("the handlers", () -> hanging() == 2);
        client.close();
        client.close();
        endedWith(Status.UNAVAILABLE, Await.outcome(future));
        Await.join(waiting);
        String why = failsWith(Status.UNAVAILABLE, calls::nothing);
        assertTrue(why.contains("closed"), why);
        assertFalse(client.isConnected());
        assertEquals(3, connect(server).stub(Calls.class).add(1, 2));
    }

    @Test
    void aClientClosedInACallbackEndsItsOtherCalls() {
        TestServer server = serve();
        RpcClient client = connect(server);
        CompletableFuture<Long> hanging = async(client).hang(1);
        CompletableFuture<Void> closed = async(client).add(1, 2).thenAccept(sum -> client.close());
        Await.outcome(closed);
        endedWith(Status.UNAVAILABLE, Await.outcome(hanging));
    }

    @Test
    void clientsAreClosedWhileOtherThreadsCall() {
        TestServer server = serve();
        for (int round = 0; round < 20; round++) {
            RpcClient client = connect(server);
            Calls calls = client.stub(Calls.class);
            CallsAsync async = async(client);
            AtomicInteger running = new AtomicInteger();
            List<CompletableFuture<Integer>> callers = new ArrayList<>();
            for (int t = 0; t < 4; t++) {
                int mine = t;
                callers.add(Await.start(() -> {
                    for (int i = 0;; i++) {
                        running.incrementAndGet();
                        try {
                            byte[] body = Bytes.of(mine == 0 ? 100_000 : 200, i);
                            if (mine == 1) {
                                Object sum = Await.outcome(async.add(i, 1));
                                if (sum instanceof RpcException e) {
                                    throw e;
                                }
                                assertEquals(i + 1L, sum);
                            } else {
                                Bytes.assertSame(body, calls.echo(body), "echo");
                            }
                            calls.tick(i);
                        } catch (RpcException e) {
                            assertEquals(Status.UNAVAILABLE, e.status(), e.getMessage());
                            return i;
                        }
                    }
                }));
            }
            Await.until("some calls", () -> running.get() > 200);
            client.close();
            callers.forEach(Await::join);
        }
        assertEquals(3, connect(server).stub(Calls.class).add(1, 2));
    }
}
