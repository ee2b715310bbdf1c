package org.jvrpc.runtime.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.Cores;
import org.jvrpc.runtime.IdleStrategy;
import org.jvrpc.runtime.ModelDevices;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.runtime.ShmFolder;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.contract.Calls;
import org.jvrpc.runtime.contract.CallsAsync;
import org.jvrpc.runtime.contract.CallsImpl;

/** Servers whose hosts vanish: nothing tells, and nothing that is sent is acknowledged. */
class VanishedServerTest {

    private static final Duration IDLE = Duration.ofMillis(200);
    private static final Duration FAR = Duration.ofHours(1);

    private final CallsImpl impl = new CallsImpl();
    private final RpcServer server =
            RpcServer.builder().bind(ShmFolder.address()).service(Calls.class, impl).context(true).start();
    private RpcClient client;
    private ModelDevices.Qp qp;

    private RpcClient.Builder builder() {
        return RpcClient.builder(server.address().replace("shm://", "model://")).slots(4).keepAlive(IDLE)
                .deadline(FAR).reconnect(false);
    }

    private Calls connect(RpcClient.Builder builder) {
        client = builder.connect();
        qp = ModelDevices.last();
        Calls calls = client.stub(Calls.class);
        assertEquals(3, calls.add(1, 2));
        return calls;
    }

    private CompletableFuture<Long> hang() {
        return client.asyncStub(Calls.class, CallsAsync.class).hang(1);
    }

    private static void lost(CompletableFuture<?> call) {
        RpcException e = assertInstanceOf(RpcException.class, Await.outcome(call));
        assertEquals(Status.UNAVAILABLE, e.status(), e.getMessage());
        assertTrue(e.getMessage().contains("no sign of life"), e.getMessage());
    }

    @AfterEach
    void close() {
        impl.openGate();
        client.close();
        server.shutdownNow();
    }

    @Test
    void anIdleClientNotices() {
        connect(builder());
        qp.vanished = true;
        Await.until("the client to notice", () -> !client.isConnected());
        assertEquals(1, qp.vainPings.get());
    }

    @Test
    void anIdleClientOfAServerThatIsThereStaysAndSleepsInBetween() {
        Calls calls = connect(builder());
        ClientSession session = Cores.of(client).session();
        Await.until("pings", () -> qp.pings.get() >= 4);
        assertSame(session, Cores.of(client).session());
        assertEquals(3, calls.add(1, 2));
    }

    @ParameterizedTest
    @EnumSource(IdleStrategy.class)
    void callsWhoseDeadlinesAreFarEnd(IdleStrategy idle) {
        Calls calls = connect(builder().idle(idle));
        CompletableFuture<Long> caller = Await.start(() -> calls.hang(1));
        CompletableFuture<Long> future = hang();
        Await.until("handlers", () -> impl.hanging.get() == 2);
        qp.vanished = true;
        lost(caller);
        lost(future);
        assertFalse(client.isConnected());
    }

    @Test
    void aClientConnectsAgainForThoseWhoWait() {
        connect(builder().reconnect(true));
        Calls patient = client.stub(Calls.class, CallOptions.DEFAULT.withWaitForReady());
        qp.vanished = true;
        Await.until("another session", () -> ModelDevices.last() != qp);
        assertEquals(3, patient.add(1, 2));
    }

    @Test
    void callsOfASessionThatTakesNoNewOnesEndToo() {
        connect(builder().reconnect(true).renewAfter(Duration.ofMillis(1)));
        ClientSession old = Cores.of(client).session();
        List<CompletableFuture<Long>> hanging = new ArrayList<>(List.of(hang(), hang(), hang()));
        Await.until("handlers", () -> impl.hanging.get() == 3);
        hanging.remove(0).cancel(true);
        hanging.remove(0).cancel(true);
        Await.until("another session", () -> Cores.of(client).session() != old);
        qp.vanished = true;
        lost(hanging.get(0));
        assertTrue(client.isConnected());
        assertNotSame(old, Cores.of(client).session());
        Await.until("the old session to be buried", () -> Cores.of(client).draining().isEmpty());
    }

    @Test
    void bySharedMemoryNobodyAsks() {
        client = RpcClient.builder(server.address()).keepAlive(IDLE).connect();
        assertEquals(3, client.stub(Calls.class).add(1, 2));
        assertEquals(PeerChecks.NEVER_NS, Cores.of(client).session().peerChecks().look(Long.MAX_VALUE));
    }
}
