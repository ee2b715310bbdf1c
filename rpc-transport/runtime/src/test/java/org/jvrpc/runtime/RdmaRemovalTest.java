package org.jvrpc.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.testing.ChildJvm;
import org.jvrpc.testing.Processes;

/**
 * Devices that are taken away under load, {@code rdma link delete}. Linux 6.1 tells connections first, then waits for
 * every process that has the device open, or a ring of it mapped. Server and clients are in JVMs of their own, so that
 * a crash would be seen, and so that it is seen who lets the device go.
 */
@NeedsRdmaDevices
class RdmaRemovalTest {

    private static final AtomicInteger PORT = new AtomicInteger(26_000);
    private static final int THREADS = 4;

    private RdmaWire wire;

    @BeforeEach
    void makeWire() {
        wire = RdmaWire.make(3);
    }

    private CompletableFuture<Integer> remove(int end) {
        return Await.start(() -> Processes.run("rdma", "link", "delete", wire.device(end)));
    }

    private void isGone(CompletableFuture<Integer> removal, int end, String who) {
        long startNs = System.nanoTime();
        assertEquals(0, Await.join(removal), "the removal of " + wire.device(end));
        System.out.println(who + " let " + wire.device(end) + " go, ms=" + (System.nanoTime() - startNs) / 1_000_000);
        assertFalse(wire.exists(end));
    }

    @ParameterizedTest
    @ValueSource(strings = {"user", "generic"})
    void aServersDeviceGoesAndItsClientsAreTold(String driver) {
        try (ChildJvm child = ChildMain.start("removed", wire.server(PORT.getAndIncrement(), driver), wire.device(1))) {
            String address = child.expect("READY");
            try (RpcClient client = RemovalRoles.connect(wire.client(address))) {
                Load load = new Load(client, THREADS);
                Await.until("calls", () -> load.good.get() > 50);
                assertEquals(0, load.failed.get());
                CompletableFuture<Integer> removal = remove(1);
                Await.until("calls to fail", () -> load.failed.get() > THREADS);
                load.stop();
                System.out.println(driver + ": good=" + load.good + " failed=" + load.failed + " " + load.messages);
                isGone(removal, 1, "the server");
                child.expect("ENDED");
                assertEquals("none", child.expect("HELD"));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"user", "generic"})
    void aClientsDeviceGoesAndItsCallsEnd(String driver) {
        try (ChildJvm server = ChildMain.start("server", wire.server(PORT.getAndIncrement(), driver));
                ChildJvm client = ChildMain.start("loaded", wire.client(server.expect("READY")), wire.device(0))) {
            client.expect("READY");
            CompletableFuture<Integer> removal = remove(0);
            String failure = client.expect("FAILED");
            System.out.println(driver + ": " + failure);
            assertTrue(failure.startsWith("UNAVAILABLE"), failure);
            isGone(removal, 0, "the client");
            assertEquals("none", client.expect("HELD"));
            client.expect("AGAIN UNAVAILABLE");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"user", "generic"})
    void aProcessThatUsedADeviceOnceAndGoesOnLetsItGo(String driver) {
        try (ChildJvm server = ChildMain.start("server", wire.server(PORT.getAndIncrement(), driver));
                ChildJvm client = ChildMain.start("left", wire.client(server.expect("READY")), wire.device(0))) {
            client.expect("LEFT");
            isGone(remove(0), 0, "a process that was a client");
            assertEquals("none", client.expect("HELD"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"user", "generic"})
    void messageSessionsEndWithTheDeviceOfTheirServerAndSoDoesTheServer(String driver) {
        try (ChildJvm server = ChildMain.start("messages", wire.server(PORT.getAndIncrement(), driver), wire.device(1));
                ChildJvm client = ChildMain.start("listening", wire.client(server.expect("READY")), wire.device(0))) {
            client.expect("READY");
            CompletableFuture<Integer> removal = remove(1);
            server.expect("ENDED");
            client.expect("OVER");
            isGone(removal, 1, "the server of messages");
            assertEquals("none", server.expect("HELD"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"user", "generic"})
    void messageSessionsEndWithTheDeviceOfTheirClient(String driver) {
        try (ChildJvm server = ChildMain.start("messages", wire.server(PORT.getAndIncrement(), driver), wire.device(1));
                ChildJvm client = ChildMain.start("listening", wire.client(server.expect("READY")), wire.device(0))) {
            client.expect("READY");
            CompletableFuture<Integer> removal = remove(0);
            client.expect("OVER");
            isGone(removal, 0, "the client of messages");
            assertEquals("none", client.expect("HELD"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"user"})
    void anAddressOfARemovedDeviceIsRefusedByName(String driver) {
        assertEquals(0, Await.join(remove(0)));
        RpcException e = assertThrows(RpcException.class,
                () -> RpcClient.connect(wire.client(wire.server(7471, driver)) + "&device=" + wire.device(0)));
        assertEquals(Status.UNAVAILABLE, e.status());
        assertTrue(e.getMessage().contains(wire.device(0)), e.getMessage());
    }
}
