package org.jvrpc.runtime.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.runtime.Cores;
import org.jvrpc.runtime.IdleStrategy;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.runtime.ShmFolder;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.contract.Calls;
import org.jvrpc.runtime.contract.CallsAsync;
import org.jvrpc.runtime.contract.CallsImpl;
import org.jvrpc.runtime.thread.ChannelTurn;

/** What befalls a caller that waits on the client's channel itself. */
class LeadingTest {

    private final CallsImpl impl = new CallsImpl();
    private final RpcServer server = RpcServer.builder().bind(ShmFolder.address()).service(Calls.class, impl).start();
    private final RpcClient client =
            RpcClient.builder(server.address()).idle(IdleStrategy.BLOCK).reconnect(false).connect();
    private final Calls calls = client.stub(Calls.class);
    private final ChannelTurn turn = Cores.of(client).events().turn();
    private final AtomicReference<Thread> caller = new AtomicReference<>();

    @AfterEach
    void close() {
        impl.openGate();
        client.close();
        server.shutdownNow();
    }

    /** Has a call wait for the gate; returns its outcome once its thread leads. */
    private CompletableFuture<String> leading() {
        int before = turn.leads();
        Await.until("a call that led", () -> calls.add(1, 2) == 3 && turn.leads() != before);
        CompletableFuture<String> call = Await.start(() -> {
            caller.set(Thread.currentThread());
            try {
                return Long.toString(calls.hang(7));
            } catch (RpcException e) {
                return e.status().toString();
            }
        });
        Await.until("the handler", () -> impl.hanging.get() == 1);
        Await.until("its caller to lead", turn::isLed);
        return call;
    }

    @Test
    void itsAnswerWakesIt() {
        CompletableFuture<String> call = leading();
        impl.openGate();
        assertEquals("7", Await.join(call));
    }

    @Test
    void anInterruptEndsTheCallAndNothingElse() {
        CompletableFuture<String> call = leading();
        caller.get().interrupt();
        assertEquals("CANCELLED", Await.join(call));
        assertEquals(3, calls.add(1, 2));
        assertTrue(client.isConnected());
    }

    @Test
    void theEndOfTheServerEndsTheCall() {
        CompletableFuture<String> call = leading();
        server.shutdownNow();
        assertEquals("UNAVAILABLE", Await.join(call));
    }

    @Test
    void theCloseOfTheClientEndsTheCall() {
        CompletableFuture<String> call = leading();
        client.close();
        assertEquals("UNAVAILABLE", Await.join(call));
    }

    @Test
    void othersAreAnsweredMeanwhile() {
        CompletableFuture<String> call = leading();
        assertEquals(3, Await.join(Await.start(() -> calls.add(1, 2))));
        CompletableFuture<Long> sum = client.asyncStub(Calls.class, CallsAsync.class).add(2, 3);
        Await.until("a future that nobody asks for", sum::isDone);
        assertEquals(5, sum.join());
        impl.openGate();
        assertEquals("7", Await.join(call));
    }

    @Test
    void theEndOfTheServerIsNoticedBehindTheLastCall() {
        CompletableFuture<String> call = leading();
        impl.openGate();
        assertEquals("7", Await.join(call));
        server.shutdownNow();
        Await.until("the loss to be noticed", () -> !client.isConnected());
    }
}
