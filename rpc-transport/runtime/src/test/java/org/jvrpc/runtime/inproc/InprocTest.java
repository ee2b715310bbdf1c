package org.jvrpc.runtime.inproc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.auth.AuditEvent;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.runtime.SessionLimits;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.contract.Quotes;
import org.jvrpc.runtime.contract.QuotesImpl;
import org.jvrpc.runtime.session.Hello;
import org.jvrpc.runtime.session.Protocol;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.verbs.VerbsException;

class InprocTest implements InprocUnderTest {

    private static RpcServer.Builder server(String address) {
        return RpcServer.builder().bind(address).service(Quotes.class, new QuotesImpl());
    }

    @Test
    void aNameIsOneServersUntilItLeaves() {
        String address = newAddress();
        try (RpcServer first = server(address).start()) {
            VerbsException e = assertThrows(VerbsException.class, () -> server(address).start());
            assertTrue(e.getMessage().contains(address + " is in use"), e.getMessage());
            assertEquals(address, first.address());
        }
        RpcException e = assertThrows(RpcException.class, () -> RpcClient.connect(address));
        assertEquals(Status.UNAVAILABLE, e.status());
        assertTrue(e.getMessage().contains("nobody listens at " + address), e.getMessage());
        server(address).start().close();
    }

    @Test
    @SuppressWarnings("try") // the client is there, and counts
    void thisProcessIsAPeerWhoseSessionsAreCounted() {
        String address = newAddress();
        try (RpcServer server = server(address).limits(new SessionLimits().maxSessionsPerPeer(1)).start()) {
            try (RpcClient first = RpcClient.connect(address)) {
                RpcException e = assertThrows(RpcException.class, () -> RpcClient.connect(address));
                assertEquals(Status.RESOURCE_EXHAUSTED, e.status());
                assertTrue(e.getMessage().contains("max sessions of a peer 1 reached by process "
                        + ProcessHandle.current().pid()), e.getMessage());
            }
            Await.until("a session to be free", () -> {
                try (RpcClient next = RpcClient.connect(server.address())) {
                    return next.isConnected();
                } catch (RpcException e) {
                    return false;
                }
            });
        }
    }

    @Test
    @SuppressWarnings("try") // the server is there, and closed
    void aClientThatNobodyTakesGivesUpInTimeAndLeavesNothing() {
        String address = newAddress();
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch gate = new CountDownLatch(1);
        try (RpcServer server = server(address).admission(host -> {
            asked.countDown();
            awaitGate(gate);
            return null;
        }).start()) {
            Await.inTime("the server to see a client", Duration.ofMillis(50), time -> {
                RpcException e = assertThrows(RpcException.class,
                        () -> RpcClient.builder(address).connectTimeout(time).connect());
                assertEquals(Status.UNAVAILABLE, e.status());
                assertTrue(e.getMessage().contains("nobody answers in time"), e.getMessage());
                return asked.getCount() == 0;
            });
            gate.countDown();
            RpcClient.connect(server.address()).close(); // the one who went holds nobody up
        }
    }

    private static void awaitGate(CountDownLatch gate) {
        try {
            assertTrue(gate.await(60, TimeUnit.SECONDS), "nothing came");
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aClientThatDiesWhileItConnectsLeavesNoSession() {
        String address = newAddress();
        CountDownLatch connected = new CountDownLatch(1);
        CountDownLatch disconnected = new CountDownLatch(1);
        try (RpcServer server = server(address).audit(event -> {
            if (event.kind() == AuditEvent.Kind.CONNECT) {
                connected.countDown();
            } else if (event.kind() == AuditEvent.Kind.DISCONNECT) {
                disconnected.countDown();
            }
        }).start()) {
            Hello asked = Hello.request(Protocol.CALLS, 16, 1024, 1 << 20);
            OutOfMemoryError planted = new OutOfMemoryError("planted");
            assertSame(planted, assertThrows(OutOfMemoryError.class,
                    () -> new InprocClient(server.address(), Clock.SYSTEM).connect(asked, 10_000_000_000L, () -> {
                        awaitGate(connected);
                        throw planted;
                    })));
            awaitGate(disconnected);
        }
    }

    @Test
    void theEndOfEitherSideIsTheOthers() {
        String address = newAddress();
        RpcServer server = server(address).start();
        try (RpcClient client = RpcClient.builder(address).reconnect(false).connect()) {
            assertTrue(client.isConnected());
            server.shutdownNow();
            assertThrows(RpcException.class, () -> client.stub(Quotes.class));
            assertTrue(!client.isConnected());
        }
    }
}
