package org.jvrpc.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.ChildMain;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.contract.Bytes;
import org.jvrpc.runtime.contract.Calls;
import org.jvrpc.runtime.contract.CallsImpl;
import org.jvrpc.runtime.contract.RpcUnderTest;
import org.jvrpc.testing.ChildJvm;
import org.jvrpc.testing.Holdings;

/** Processes that are killed or stopped in the midst of calls over streams. */
class TcpDeathTest {

    private static final Duration IDLE = Duration.ofMillis(500);
    private static final Duration PATIENT = Duration.ofSeconds(60);
    private static final long ENDS_WITHIN_NS = 10_000_000_000L;

    private static String newAddress(String scheme) {
        RpcUnderTest kind = scheme.equals("tcp") ? new TcpUnderTest() { } : new UnixUnderTest() { };
        return kind.newAddress();
    }

    private static ChildJvm server(String address) {
        ChildJvm child = ChildMain.start("server", address);
        child.expect("READY");
        return child;
    }

    private static RpcClient client(String address) {
        return RpcClient.builder(address).keepAlive(IDLE).deadline(PATIENT).connect();
    }

    private static void endUnavailable(List<CompletableFuture<?>> calls, long sinceNs) {
        for (CompletableFuture<?> call : calls) {
            Object outcome = Await.outcome(call);
            assertTrue(outcome instanceof RpcException e && e.status() == Status.UNAVAILABLE, "ended with " + outcome);
        }
        long tookNs = System.nanoTime() - sinceNs;
        assertTrue(tookNs < ENDS_WITHIN_NS, "calls ended after ns=" + tookNs);
    }

    private static List<CompletableFuture<?>> underWay(RpcClient client) {
        Calls calls = client.stub(Calls.class);
        List<CompletableFuture<?>> all = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            all.add(calls.hangLater(i));
        }
        all.add(Await.start(() -> calls.hang(9)));
        byte[] body = Bytes.of(500_000, 1);
        all.add(Await.start(() -> {
            while (true) {
                Bytes.assertSame(body, calls.echo(body), "long body");
            }
        }));
        return all;
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "unix"})
    void aKilledServerEndsEveryCallAndItsSuccessorServesTheSameStubs(String scheme) {
        String address = newAddress(scheme);
        ChildJvm server = server(address);
        try (RpcClient client = client(address)) {
            Calls calls = client.stub(Calls.class);
            for (int round = 0; round < 2; round++) {
                assertEquals(3, calls.add(1, 2));
                List<CompletableFuture<?>> under = underWay(client);
                long killedNs = System.nanoTime();
                server.kill();
                endUnavailable(under, killedNs);
                server.close();
                server = server(address);
                assertEquals(3, client.stub(Calls.class, CallOptions.DEFAULT.withWaitForReady()).add(1, 2));
            }
        } finally {
            server.close();
        }
    }

    /** One on this host is waited for, as over shared memory. */
    @Test
    void aServerOnAnotherHostThatIsStoppedForLongIsGivenUpAndServesAgain() {
        String address = newAddress("tcp");
        try (ChildJvm server = server(address); RpcClient client = client(address)) {
            Calls calls = client.stub(Calls.class);
            assertEquals(3, calls.add(1, 2));
            server.stop();
            long stoppedNs = System.nanoTime();
            endUnavailable(List.of(Await.start(() -> calls.add(1, 2)), calls.hangLater(1)), stoppedNs);
            server.resume();
            assertEquals(3, client.stub(Calls.class, CallOptions.DEFAULT.withWaitForReady()).add(1, 2));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "unix"})
    void aKilledClientDisturbsNobodyAndLeavesNothing(String scheme) {
        CallsImpl impl = new CallsImpl();
        String address = newAddress(scheme);
        try (RpcServer server = RpcServer.builder().bind(address).service(Calls.class, impl).keepAlive(IDLE).start();
                RpcClient other = client(server.address())) {
            Calls calls = other.stub(Calls.class);
            assertEquals(3, calls.add(1, 2));
            Holdings before = Holdings.settled();
            for (int round = 0; round < 2; round++) {
                try (ChildJvm victim = ChildMain.start("client", server.address())) {
                    victim.expect("PROGRESS " + (2 + round));
                    victim.kill();
                    for (int i = 0; i < 1000; i++) {
                        assertEquals(i, calls.add(i, 0));
                    }
                }
            }
            impl.openGate(); // handlers of the dead end
            Holdings.awaitNoMoreThan(before, new Holdings(0, 16, 16, 16));
        }
    }
}
