package org.jvrpc.runtime.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.jvrpc.runtime.Cores;
import org.jvrpc.runtime.IdleStrategy;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.runtime.ShmFolder;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.contract.Calls;
import org.jvrpc.runtime.contract.CallsAsync;
import org.jvrpc.runtime.contract.CallsImpl;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.runtime.thread.Idler;

/** How callers wait for their answers. */
class WaitingTest {

    private static final int HANDOVERS = 100_000;
    private static final long LONG_NS = 10_000_000_000L; // longer than a busy machine keeps a thread from running

    @Test
    void aWaitBeginsAnewWhateverTheLastOneWas() {
        try (RpcServer server = RpcServer.builder().bind(ShmFolder.address()).service(Calls.class, new CallsImpl())
                .idle(IdleStrategy.SPIN).start();
                RpcClient client = RpcClient.connect(server.address())) {
            Calls calls = client.stub(Calls.class);
            byte[] bytes = new byte[1];
            for (int i = 0; i < 200; i++) {
                calls.echoHeavy(bytes); // some tens of microseconds: longer than the first spins
                Idler idler = Cores.of(client).idlerOfThread();
                assertFalse(!idler.isShort() && idler.idle(System.nanoTime() + LONG_NS),
                        "call " + i + ": the next wait sleeps at once");
                idler.busy();
            }
        }
    }

    /** A missed wake-up shows as a sleep of its whole length. */
    @Test
    void whoeverIsHandedItsAnswerDoesNotSleepOn() {
        ClientSlot[] current = new ClientSlot[1];
        AtomicInteger turn = new AtomicInteger();
        CompletableFuture<Boolean> other = Await.start(() -> {
            for (int i = 1; i <= HANDOVERS; i++) {
                while (turn.get() != i) {
                    Thread.onSpinWait();
                }
                current[0].finish();
            }
            return true;
        });
        int missed = 0;
        for (int i = 1; i <= HANDOVERS; i++) {
            ClientSlot slot = new ClientSlot(null, Clock.SYSTEM, 0, ByteBuffer.allocate(8));
            slot.set(SlotState.SENT);
            current[0] = slot;
            turn.set(i);
            slot.waiter = Thread.currentThread();
            while (slot.isPending() && missed == 0) {
                long fromNs = System.nanoTime();
                LockSupport.parkNanos(LONG_NS);
                missed += System.nanoTime() - fromNs > LONG_NS * 9 / 10 ? 1 : 0;
            }
        }
        assertTrue(Await.join(other));
        assertEquals(0, missed);
    }

    @Test
    void theEventThreadPollsForWhoeverSleepsForAFuture() {
        CallsImpl impl = new CallsImpl();
        try (RpcServer server = RpcServer.builder().bind(ShmFolder.address()).service(Calls.class, impl).start();
                RpcClient client = RpcClient.connect(server.address())) {
            CompletableFuture<Long> future = client.asyncStub(Calls.class, CallsAsync.class).hang(7);
            Attendance attendance = Cores.of(client).session().attendance();
            CompletableFuture<Long> waiting = Await.start(future::join);
            Await.until("the waiting thread to sleep", () -> attendance.unattended() > attendance.asyncCalls());
            impl.openGate();
            assertEquals(7L, Await.outcome(waiting));
            Await.until("nobody to sleep", () -> attendance.unattended() == 0);
        }
    }

    @Test
    void whoeverWaitsForWhatIsMadeOfAFutureOrOfThatPolls() {
        CallsImpl impl = new CallsImpl();
        try (RpcServer server = RpcServer.builder().bind(ShmFolder.address()).service(Calls.class, impl).start();
                RpcClient client = RpcClient.connect(server.address())) {
            CallsAsync async = client.asyncStub(Calls.class, CallsAsync.class);
            CompletableFuture<String> made = async.hang(7).thenApply(n -> n + 1).thenCompose(n ->
                    CompletableFuture.completedFuture("got " + n));
            Attendance attendance = Cores.of(client).session().attendance();
            int before = attendance.polls();
            CompletableFuture<String> waiting = Await.start(made::join);
            Await.until("polls of the waiting thread", () -> attendance.polls() - before >= 8);
            impl.openGate();
            assertEquals("got 8", Await.join(waiting));
        }
    }
}
