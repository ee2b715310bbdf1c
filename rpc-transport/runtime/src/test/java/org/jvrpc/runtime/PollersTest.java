package org.jvrpc.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.contract.Calls;
import org.jvrpc.runtime.contract.CallsAsync;
import org.jvrpc.runtime.contract.CallsImpl;

/** A server of several pollers: whose a client is, and what one that is busy means to the clients of the others. */
class PollersTest {

    private static final int POLLERS = 3;

    private final CallsImpl impl = new CallsImpl();
    /** The thread that handled the last call. */
    private final AtomicReference<String> handler = new AtomicReference<>();
    private final CompletableFuture<Long> ended = new CompletableFuture<>();
    private final RpcServer server = RpcServer.builder().bind(ShmFolder.address()).service(Calls.class, impl)
            .pollers(POLLERS)
            .onSessionEnd(ended::complete)
            .intercept((context, next) -> {
                handler.set(Thread.currentThread().getName());
                next.proceed();
            })
            .start();
    private final List<RpcClient> clients = new ArrayList<>();

    @AfterEach
    void close() {
        impl.openGate();
        clients.forEach(RpcClient::close);
        server.close();
    }

    private RpcClient connect() {
        RpcClient client = RpcClient.connect(server.address());
        clients.add(client);
        return client;
    }

    private String handlerOf(RpcClient client) {
        client.stub(Calls.class).nothing();
        return handler.get();
    }

    @Test
    void clientsAreSpreadEvenlyAndStayWhereTheyAre() {
        List<String> handlers = new ArrayList<>();
        for (int i = 0; i < 2 * POLLERS; i++) {
            handlers.add(handlerOf(connect()));
        }
        Set<String> first = new HashSet<>(handlers.subList(0, POLLERS));
        assertEquals(POLLERS, first.size(), handlers::toString);
        assertEquals(first, new HashSet<>(handlers.subList(POLLERS, 2 * POLLERS)), handlers::toString);
        for (int i = 0; i < 2 * POLLERS; i++) {
            assertEquals(handlers.get(i), handlerOf(clients.get(i)), "client " + i);
        }
    }

    @Test
    void aNewClientTakesThePlaceOfOneThatLeft() {
        List<String> handlers = new ArrayList<>();
        for (int i = 0; i < POLLERS; i++) {
            handlers.add(handlerOf(connect()));
        }
        clients.get(1).close();
        Await.join(ended);
        assertEquals(handlers.get(1), handlerOf(connect()));
    }

    @Test
    void aHandlerThatBlocksHoldsUpNoClientOfOtherPollers() {
        CallsAsync first = connect().asyncStub(Calls.class, CallsAsync.class);
        CallsAsync second = connect().asyncStub(Calls.class, CallsAsync.class);
        Calls third = connect().stub(Calls.class);
        CompletableFuture<Long> one = first.hangLight(1);
        CompletableFuture<Long> two = second.hangLight(2);
        Await.until("both to hang", () -> impl.hanging.get() == 2);
        assertEquals(5, third.add(2, 3));
        assertFalse(one.isDone() || two.isDone());
        impl.openGate();
        assertEquals(1, Await.join(one));
        assertEquals(2, Await.join(two));
    }

    @Test
    void aServerThatShutsDownWaitsForTheCallsOfAllPollers() throws InterruptedException {
        List<CompletableFuture<Long>> calls = new ArrayList<>();
        for (int i = 0; i < POLLERS; i++) {
            calls.add(connect().asyncStub(Calls.class, CallsAsync.class).hang(i));
        }
        Await.until("all to hang", () -> impl.hanging.get() == POLLERS);
        server.shutdown();
        assertFalse(server.awaitTermination(Duration.ofMillis(1)));
        impl.openGate();
        for (int i = 0; i < POLLERS; i++) {
            assertEquals(i, Await.join(calls.get(i)));
        }
        assertTrue(server.awaitTermination(Duration.ofNanos(Await.BOUND_NS)));
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 65})
    void aNumberThatMakesNoSenseIsRefused(int pollers) {
        String message = assertThrows(IllegalArgumentException.class, () -> RpcServer.builder().pollers(pollers))
                .getMessage();
        assertEquals("pollers must be 1 to 64, pollers=" + pollers, message);
    }
}
