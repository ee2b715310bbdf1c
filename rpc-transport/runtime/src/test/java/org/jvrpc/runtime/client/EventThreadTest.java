package org.jvrpc.runtime.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.contract.CallsService;
import org.jvrpc.runtime.session.RpcHeader;

/** The event thread: what waits for futures there, in whose place nobody polls, what it completes, and its end. */
class EventThreadTest {

    private static final int SPINS = 2000;
    private static final int SPINS_BEFORE_PARK = 400;
    private static final long PARK_NS = 50_000;
    private static final long MS = 1_000_000;

    private final StillClient client = new StillClient();
    private final StillClient.Peer peer = client.peer;
    private final ClientSlot slot = client.write(CallsService.ECHO, null, 1);
    private final CompletableFuture<Integer> call = slot.invokeAsync((in, thrown) -> in.remaining());

    EventThreadTest() {
        client.time.whenParked = () -> client.time.nowNs -= PARK_NS; // time passes when a test says so
    }

    @AfterEach
    void close() {
        client.close();
    }

    /** Has something happen before a look for messages. */
    private void before(int look, Runnable what) {
        Runnable others = peer.whenLooked;
        peer.whenLooked = () -> {
            others.run();
            if (peer.looks == look) {
                what.run();
            }
        };
    }

    private void answerAt(int look) {
        before(look, () -> peer.answers(slot.callId(), Status.OK, new byte[4]));
    }

    @Test
    void itPollsUntilTheAnswerIsThere() {
        answerAt(3 * SPINS);
        client.wakes();
        client.onEventThread(() -> assertEquals(4, call.join()));
        assertEquals(3 * SPINS, client.session.attendance().polls());
        assertEquals(0, client.wakes(), "it does not sleep");
        assertEquals(Collections.nCopies(3 * SPINS - 1 - SPINS_BEFORE_PARK, PARK_NS), client.time.parks);
    }

    @Test
    void aMessageIsAReasonToPauseLess() {
        before(SPINS_BEFORE_PARK + 10, () -> peer.controls(RpcHeader.CREDIT, 0));
        answerAt(SPINS_BEFORE_PARK + 100);
        client.onEventThread(() -> assertEquals(4, call.join()));
        assertEquals(9, client.time.parks.size());
    }

    @Test
    void itKeepsDeadlinesMeanwhile() {
        before(10, () -> client.time.nowNs += StillClient.DEADLINE_NS + 1);
        answerAt(SPINS);
        client.onEventThread(() -> {
            Throwable cause = assertThrows(CompletionException.class, call::join).getCause();
            assertEquals(Status.DEADLINE_EXCEEDED, ((RpcException) cause).status());
        });
        assertEquals(10, peer.looks);
    }

    @Test
    void itPollsForAsLongAsItMayWait() {
        before(100, () -> client.time.nowNs += MS);
        before(101, () -> client.time.nowNs++);
        client.onEventThread(() -> assertThrows(TimeoutException.class, () -> call.get(1, TimeUnit.MILLISECONDS)));
        assertEquals(100, peer.looks);
    }

    @Test
    void itIsInterruptedAtOnceWhereThatEndsTheWait() {
        before(100, () -> Thread.currentThread().interrupt());
        client.onEventThread(() -> assertThrows(InterruptedException.class, call::get));
        assertEquals(100, peer.looks);
    }

    @Test
    void itWaitsOnWhereAnInterruptDoesNotEndTheWait() {
        before(100, () -> Thread.currentThread().interrupt());
        answerAt(SPINS + 200);
        client.onEventThread(() -> {
            assertEquals(4, call.join());
            assertTrue(Thread.interrupted());
        });
        assertEquals(SPINS + 200, client.session.attendance().polls());
    }

    // ---- what others left

    private RpcFuture<Integer> answered() {
        return new RpcFuture<>(client.session, null, null);
    }

    @Test
    void whatIsAnsweredOnTheThreadIsCompletedThere() {
        RpcFuture<Integer> here = answered();
        RpcFuture<Integer> left = answered();
        client.core.events().complete(left, ClientEvents.Where.ELSEWHERE);
        client.wakes();
        client.onEventThread(() -> {
            client.core.events().complete(here, ClientEvents.Where.ELSEWHERE);
            assertTrue(here.isDone());
            assertFalse(left.isDone());
            client.core.events().publishOwn();
            assertTrue(left.isDone());
        });
        assertEquals(0, client.wakes());
    }

    // ---- its end

    @Test
    void whoeverEndsTheThreadWakesItAndWaitsForItsEnd() {
        Thread closing = Thread.currentThread();
        AtomicBoolean woken = new AtomicBoolean();
        client.device.whenWoken = () -> woken.set(true);
        CompletableFuture<Void> end = client.beginOnEventThread(() -> Await.until("somebody to wait for this thread",
                () -> woken.get() && closing.getState() == Thread.State.TIMED_WAITING));
        client.core.events().stop();
        assertTrue(end.isDone());
    }

    @Test
    void whoeverIsInterruptedMeanwhileStaysSo() {
        CountDownLatch gate = new CountDownLatch(1);
        CompletableFuture<Void> end = client.beginOnEventThread(() -> Await.latch("the test", gate));
        Thread.currentThread().interrupt();
        client.core.events().stop();
        assertTrue(Thread.interrupted());
        gate.countDown();
        Await.join(end);
    }

    @Test
    void theThreadDoesNotWaitForItself() {
        CompletableFuture<Void> end = client.beginOnEventThread(client.core.events()::stop);
        Await.until("the end or a sleep",
                () -> end.isDone() || client.stateOfEventThread() == Thread.State.TIMED_WAITING);
        assertTrue(end.isDone());
    }

    // ---- slots

    @Test
    void whoeverWaitsForASlotThereGetsThatOfAnAnswerThatOthersFound() {
        for (int i = 1; i < StillClient.SLOTS; i++) {
            client.write(CallsService.ECHO, null, 1).invokeAsync((in, thrown) -> in.remaining());
        }
        peer.answersLong(slot.callId(), 1); // long ones keep their slots until they are completed
        while (client.session.tryPoll()) {
            // which leaves what it finds to the event thread
        }
        assertFalse(call.isDone());
        client.time.stepNs = MS;
        client.onEventThread(() -> assertSame(slot, client.session.claim(client.time.nowNs + 100 * MS)));
    }
}
