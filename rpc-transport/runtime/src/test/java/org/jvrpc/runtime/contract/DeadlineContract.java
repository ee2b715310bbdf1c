package org.jvrpc.runtime.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.IdleStrategy;
import org.jvrpc.runtime.RpcClient;

/** Deadlines, cancellation, and answers that come too late. */
public abstract class DeadlineContract extends RpcContract {

    /** Far more than any machine needs, and less than the default deadline, by which calls end in any case. */
    private static final long LATEST_NS = 15_000_000_000L;

    private static CallOptions in(long milliseconds) {
        return CallOptions.DEFAULT.withDeadlineAfter(Duration.ofMillis(milliseconds));
    }

    /** Fails unless a call ends by its deadline, neither before nor much after. */
    private void endsAfter(long milliseconds, Executable call) {
        long startNs = System.nanoTime();
        failsWith(Status.DEADLINE_EXCEEDED, call);
        long tookNs = System.nanoTime() - startNs;
        assertTrue(tookNs >= milliseconds * 1_000_000 - 3_000_000, "too early: ns=" + tookNs);
        assertTrue(tookNs <= milliseconds * 1_000_000 + LATEST_NS, "too late: ns=" + tookNs);
    }

    private void asyncEndsAfter(long milliseconds, CompletableFuture<?> future, long startNs) {
        endedWith(Status.DEADLINE_EXCEEDED, Await.outcome(future));
        long tookNs = System.nanoTime() - startNs;
        assertTrue(tookNs >= milliseconds * 1_000_000 - 3_000_000, "too early: ns=" + tookNs);
        assertTrue(tookNs <= milliseconds * 1_000_000 + LATEST_NS, "too late: ns=" + tookNs);
    }

    @ParameterizedTest
    @EnumSource(IdleStrategy.class)
    void deadlinesHoldWhenTheHandlerHangs(IdleStrategy idle) {
        TestServer server = serve(newAddress(), builder -> builder.idle(idle));
        RpcClient patient = connect(server, builder -> builder.idle(idle));
        RpcClient client = connect(server, builder -> builder.idle(idle).deadline(Duration.ofMillis(60)));
        Calls calls = inTime(() -> client.stub(Calls.class));
        endsAfter(60, () -> calls.hang(1));
        endsAfter(80, () -> calls.hangBriefly(1));
        Calls briefest = patient.stub(Calls.class, in(30));
        endsAfter(30, () -> briefest.hang(1));
        endsAfter(30, () -> briefest.hangBriefly(1));
        CallsAsync async = inTime(() -> async(client));
        long startNs = System.nanoTime();
        asyncEndsAfter(60, async.hang(1), startNs);
        startNs = System.nanoTime();
        asyncEndsAfter(60, calls.hangLater(1), startNs);
        CallsAsync briefestAsync = patient.asyncStub(Calls.class, CallsAsync.class, in(30));
        startNs = System.nanoTime();
        asyncEndsAfter(30, briefestAsync.hangBriefly(1), startNs);
        assertEquals(3, inTime(() -> calls.add(1, 2)));
        assertEquals(3, patient.stub(Calls.class).add(1, 2));
    }

    /** Makes calls until one ends in its time, which is short; to open a service is a call, too. */
    private static <T> T inTime(Supplier<T> call) {
        List<T> ended = new ArrayList<>();
        Await.until("a call that ends in its time", () -> {
            try {
                return ended.add(call.get());
            } catch (RpcException e) {
                assertEquals(Status.DEADLINE_EXCEEDED, e.status(), e::getMessage);
                return false;
            }
        });
        return ended.get(0);
    }

    @Test
    void deadlinesHoldWhenALightHandlerHoldsUpThePoller() {
        TestServer server = serve();
        RpcClient client = connect(server);
        Calls brief = client.stub(Calls.class, in(50));
        CompletableFuture<Long> blocked = async(client).hangLight(9);
        Await.until("the handler", () -> hanging() == 1);
        endsAfter(50, () -> brief.add(1, 2));
        RpcClient other = Await.join(Await.start(() -> connect(server)));
        endsAfter(100, () -> connectStub(other, 100).nothing());
        openGate();
        assertEquals(9L, Await.outcome(blocked));
        assertEquals(3, client.stub(Calls.class).add(1, 2));
        assertEquals(3, other.stub(Calls.class).add(1, 2));
    }

    /** Opening the service is a call too; it has the client's deadline, so a stub is made with another client's. */
    private Calls connectStub(RpcClient client, long milliseconds) {
        RpcClient brief = keep(RpcClient.builder(client.address()).deadline(Duration.ofMillis(milliseconds)).connect());
        return brief.stub(Calls.class);
    }

    @Test
    void anAsynchronousCallAfterALongSilenceHasItsWholeTime() throws Exception {
        TestServer server = serve();
        RpcClient client = connect(server);
        CallsAsync async = client.asyncStub(Calls.class, CallsAsync.class, in(300));
        assertEquals(3L, Await.outcome(async(client).add(1, 2)));
        for (int i = 0; i < 3; i++) {
            Thread.sleep(400); // the silence itself, longer than the deadline
            long startNs = System.nanoTime();
            asyncEndsAfter(300, async.hang(1), startNs);
        }
    }

    @Test
    void aCallThatGetsNoSlotEndsByItsOwnDeadline() {
        TestServer server = serve();
        RpcClient client = connect(server, builder -> builder.slots(1).deadline(Duration.ofSeconds(20)));
        Calls calls = client.stub(Calls.class);
        Calls brief = client.stub(Calls.class, in(50));
        CompletableFuture<Long> hanging = async(client).hang(4);
        endsAfter(50, () -> brief.add(1, 2));
        openGate();
        assertEquals(4L, Await.outcome(hanging));
        assertEquals(3, calls.add(1, 2));
    }

    @Test
    void lateAnswersAreDroppedAndTheirSlotsUsedAgain() {
        TestServer server = serve();
        RpcClient client = connect(server, builder -> builder.slots(4));
        Calls calls = client.stub(Calls.class);
        Calls brief = client.stub(Calls.class, in(40));
        for (int i = 0; i < 2; i++) {
            failsWith(Status.DEADLINE_EXCEEDED, () -> brief.hang(1));
        }
        endedWith(Status.DEADLINE_EXCEEDED, Await.outcome(
                client.asyncStub(Calls.class, CallsAsync.class, in(40)).hang(1)));
        openGate();
        for (int i = 0; i < 1000; i++) {
            assertEquals(i + 1, calls.add(i, 1));
        }
        List<CompletableFuture<Void>> four = new ArrayList<>();
        for (int round = 1; round <= 20; round++) {
            int begun = 4 * round;
            for (int i = 0; i < 4; i++) { // each stays in its slot: a slot that is lost is missed here
                four.add(async(client).untilCancelled());
            }
            Await.until("four calls at once", () -> cancellable() == begun);
            four.forEach(call -> call.cancel(true));
            four.clear();
        }
    }

    @Test
    void handlersSeeTheTimeThatIsLeft() {
        RpcClient client = connect(serve(), builder -> builder.deadline(Duration.ofSeconds(7)));
        long heavyNs = client.stub(Calls.class).remainingHeavyNs();
        assertTrue(heavyNs > 0 && heavyNs <= 7_000_000_000L, "ns=" + heavyNs);
        long lightNs = client.stub(Calls.class, in(3000)).remainingNs();
        assertTrue(lightNs > 0 && lightNs <= 3_000_000_000L, "ns=" + lightNs);
        assertEquals(Long.MAX_VALUE, client.stub(Calls.class).remainingNs());
    }

    @Test
    void cancellingAFutureReachesTheHandler() {
        RpcClient client = connect(serve());
        CompletableFuture<Void> call = async(client).untilCancelled();
        Await.until("the handler", () -> hanging() == 1);
        assertTrue(call.cancel(true));
        awaitCancelSeen();
        assertInstanceOf(CancellationException.class, Await.outcome(call));
        assertEquals(3, client.stub(Calls.class).add(1, 2));
    }

    @Test
    void theDeadlineOfASynchronousCallCancelsItsHandler() {
        RpcClient client = connect(serve());
        for (int ms = 40; hanging() == 0; ms *= 2) { // one that is late before it runs is not run
            failsWith(Status.DEADLINE_EXCEEDED, client.stub(Calls.class, in(ms))::untilCancelled);
        }
        awaitCancelSeen();
    }

    @Test
    void aClientThatLeavesCancelsItsHandlers() {
        TestServer server = serve();
        RpcClient client = connect(server);
        CompletableFuture<Void> call = async(client).untilCancelled();
        Await.until("the handler", () -> hanging() == 1);
        client.close();
        endedWith(Status.UNAVAILABLE, Await.outcome(call));
        awaitCancelSeen();
    }

    @Test
    void aWaitForAFutureIsBoundedWhileOthersCall() throws Exception {
        RpcClient client = connect(serve());
        CompletableFuture<Long> hanging = async(client).hang(3);
        AtomicInteger answers = new AtomicInteger();
        CompletableFuture<Void> over = new CompletableFuture<>();
        Calls calls = client.stub(Calls.class);
        CompletableFuture<Boolean> others = Await.start(() -> {
            CallsAsync async = async(client);
            while (!over.isDone()) {
                assertEquals(3L, async.add(1, 2).get());
                answers.incrementAndGet();
            }
            return true;
        });
        Await.until("others to call", () -> answers.get() > 0);
        for (int i = 0; i < 10; i++) {
            int before = answers.get();
            Assertions.assertThrows(TimeoutException.class, () -> hanging.get(50, TimeUnit.MILLISECONDS));
            Await.until("others to go on", () -> answers.get() > before);
        }
        over.complete(null);
        Await.join(others);
        openGate();
        assertEquals(3L, Await.outcome(hanging));
        assertEquals(3, calls.add(1, 2));
    }
}
