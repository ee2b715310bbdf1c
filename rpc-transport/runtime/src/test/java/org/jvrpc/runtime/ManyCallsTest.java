package org.jvrpc.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.contract.Calls;
import org.jvrpc.runtime.contract.CallsAsync;
import org.jvrpc.runtime.contract.CallsImpl;
import org.jvrpc.runtime.contract.Third;
import org.jvrpc.runtime.session.Protocol;

/** As many calls at once as there may be, as many one after another as their numbers tell apart, and none at all. */
class ManyCallsTest {

    private static final int MOST_SLOTS = 4096;
    private static final int NUMBERS = 1 << 20;

    private final CallsImpl impl = new CallsImpl();
    private final AtomicInteger holds = new AtomicInteger();
    private volatile CountDownLatch held;
    private RpcServer server;
    private RpcClient client;

    private Calls connect(IdleStrategy idle, int slots) {
        server = RpcServer.builder().bind(ShmFolder.address()).service(Calls.class, impl)
                .service(Third.class, this::hold).context(true).idle(idle).start();
        client = RpcClient.builder(server.address()).slots(slots).idle(idle).connect();
        return client.stub(Calls.class);
    }

    @AfterEach
    void close() {
        impl.openGate();
        client.close();
        server.close();
    }

    @Test
    void allSlotsAreUsedAtOnce() {
        Calls calls = connect(IdleStrategy.ADAPTIVE, MOST_SLOTS);
        Calls brief = client.stub(Calls.class, CallOptions.DEFAULT.withDeadlineAfter(Duration.ofMillis(20)));
        List<CompletableFuture<Long>> open = new ArrayList<>();
        for (int i = 0; i < MOST_SLOTS; i++) {
            open.add(calls.hangLater(i));
        }
        Await.until("all of them to be in flight", () -> impl.later.get() == MOST_SLOTS);
        RpcException e = assertThrows(RpcException.class, () -> brief.add(1, 2));
        assertEquals(Status.DEADLINE_EXCEEDED, e.status(), e.getMessage());
        impl.openGate();
        for (int i = 0; i < MOST_SLOTS; i++) {
            assertEquals((long) i, Await.outcome(open.get(i)));
        }
        assertEquals(3, calls.add(1, 2));
    }

    @Test
    void theNumbersOfASlotsCallsBeginAgain() {
        Calls calls = connect(IdleStrategy.SPIN, 1);
        for (int i = 0; i < NUMBERS + 1000; i++) {
            if (calls.add(i, 1) != i + 1) {
                throw new AssertionError("call " + i + " got another's answer");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(value = IdleStrategy.class, names = {"BLOCK", "ADAPTIVE"})
    void whereNobodyCallsNoThreadUsesAProcessor(IdleStrategy idle) {
        Calls calls = connect(idle, 8);
        for (int i = 0; i < 3; i++) {
            assertEquals(3, calls.add(1, 2));
            Await.asleep("jvrpc-");
        }
        assertEquals(3, calls.add(1, 2));
    }

    /** A CANCEL takes a credit of the one-way calls, which comes back. */
    @Test
    void cancelledCallsLeaveEachCreditWhereItWas() {
        Calls calls = connect(IdleStrategy.ADAPTIVE, 4);
        assertEquals(3, calls.add(1, 2));
        assertEquals(Protocol.CALLS.oneWayCredits(4), creditsLeft());
        CallsAsync async = client.asyncStub(Calls.class, CallsAsync.class);
        for (int i = 0; i < 2000; i++) {
            async.add(i, 1).cancel(true);
        }
        List<CompletableFuture<Long>> four = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            four.add(async.add(i, 1)); // behind the last that was cancelled, in every slot
        }
        for (int i = 0; i < 4; i++) {
            assertEquals(i + 1L, Await.outcome(four.get(i)));
        }
        assertEquals(Protocol.CALLS.oneWayCredits(4), creditsLeft());
    }

    /** Returns how many one-way calls leave while the server's poller is held up. */
    private int creditsLeft() {
        held = new CountDownLatch(1);
        Calls brief = client.stub(Calls.class, CallOptions.DEFAULT.withDeadlineAfter(Duration.ofSeconds(2)));
        try (RpcClient other = RpcClient.connect(server.address())) {
            Third third = other.stub(Third.class);
            CompletableFuture<Long> holding = Await.start(() -> third.sum(1));
            Await.until("the poller to be held up", () -> holds.get() == 1);
            long before = impl.ticks.get();
            int sent = 0;
            try {
                while (sent < 100) {
                    brief.tick(sent);
                    sent++;
                }
            } catch (RpcException e) {
                assertEquals(Status.DEADLINE_EXCEEDED, e.status(), e.getMessage());
            }
            held.countDown();
            assertEquals(1L, Await.join(holding));
            long all = before + sent;
            Await.until("what left to arrive", () -> impl.ticks.get() == all);
            return sent;
        }
    }

    private long hold(long number) {
        holds.incrementAndGet();
        Await.latch("the test", held);
        holds.decrementAndGet();
        return number;
    }
}
