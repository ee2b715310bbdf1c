package org.jvrpc.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.contract.Calls;
import org.jvrpc.runtime.contract.CallsAsync;
import org.jvrpc.runtime.contract.CallsImpl;
import org.jvrpc.testing.ChildJvm;
import org.jvrpc.testing.Processes;

/** Peers that are killed, and hosts that do not answer any more, over a real network stack. */
@NeedsRdmaDevices
class RdmaDeathTest {

    /** The kernel's connection manager tells of a process's end. */
    private static final long DEATH_NS = 5_000_000_000L;
    /** Seven times 67 ms are the retries of rxe, and a machine that is emulated. */
    private static final long SILENCE_NS = 5_000_000_000L;

    private static void endsUnavailable(String what, CompletableFuture<?> call, long withinNs) {
        long tookNs = Await.within(withinNs, what, call::isDone);
        System.out.println(what + ": ms=" + tookNs / 1_000_000);
        assertEquals(Status.UNAVAILABLE, ((RpcException) Await.outcome(call)).status());
    }

    private static void goesOn(RpcClient client, Calls calls) {
        Await.until("the client to connect again", client::isConnected);
        assertEquals(5, calls.add(2, 3));
    }

    @Test
    void aKilledServerEndsItsCallsAndItsSuccessorServesTheSameStubs() {
        String address = Rdma.address();
        try (ChildJvm first = ChildMain.start("server", address)) {
            first.expect("READY");
            try (RpcClient client = RemovalRoles.connect(Rdma.from(address))) {
                Calls calls = client.stub(Calls.class);
                assertEquals(3, calls.add(1, 2));
                CompletableFuture<?> pending = client.asyncStub(Calls.class, CallsAsync.class).hangLater(1);
                first.kill();
                endsUnavailable("a call to a killed server", pending, DEATH_NS);
                try (ChildJvm second = ChildMain.start("server", address)) {
                    second.expect("READY");
                    goesOn(client, calls);
                }
            }
        }
    }

    @Test
    void aKilledClientDisturbsNobody() {
        try (RpcServer server =
                RpcServer.builder().bind(Rdma.address()).service(Calls.class, new CallsImpl()).context(true).start();
                RpcClient client = RemovalRoles.connect(Rdma.from(server.address()))) {
            Calls calls = client.stub(Calls.class);
            try (ChildJvm other = ChildMain.start("client", Rdma.from(server.address()))) {
                other.expect("READY");
                assertEquals(3, calls.add(1, 2));
                other.kill();
                for (int i = 0; i < 1000; i++) {
                    assertEquals(i, calls.add(i, 0));
                }
            }
        }
    }

    @Test
    void aNetworkThatLosesEverythingEndsCallsByTheRetriesAndTheyGoOnAfterwards() {
        try (RpcServer server =
                RpcServer.builder().bind(Rdma.address()).service(Calls.class, new CallsImpl()).context(true).start();
                RpcClient client = RemovalRoles.connect(Rdma.from(server.address()))) {
            Calls calls = client.stub(Calls.class);
            CallsAsync async = client.asyncStub(Calls.class, CallsAsync.class); // asks the server
            assertEquals(3, calls.add(1, 2));
            for (String device : new String[] {"v0", "v1"}) {
                assertEquals(0, Processes.run("tc", "qdisc", "add", "dev", device, "root", "netem", "loss", "100%"));
            }
            try {
                endsUnavailable("a call over a dead network", async.add(1, 1), SILENCE_NS);
            } finally {
                for (String device : new String[] {"v0", "v1"}) {
                    assertEquals(0, Processes.run("tc", "qdisc", "del", "dev", device, "root"));
                }
            }
            goesOn(client, calls);
        }
    }

    @Test
    void aHostThatIsNotThereIsSaidInTime() {
        long startNs = System.nanoTime();
        try (RpcClient client = RpcClient.builder("rdma://10.9.0.77:7471?from=10.9.0.1")
                .connectTimeout(java.time.Duration.ofSeconds(3)).connect()) {
            throw new AssertionError("connected: " + client.address());
        } catch (RpcException e) {
            assertEquals(Status.UNAVAILABLE, e.status());
            assertTrue(e.getMessage().contains("10.9.0.77"), e.getMessage());
            System.out.println("no such host: " + e.getMessage());
        }
        assertTrue(System.nanoTime() - startNs < 10_000_000_000L);
    }
}
