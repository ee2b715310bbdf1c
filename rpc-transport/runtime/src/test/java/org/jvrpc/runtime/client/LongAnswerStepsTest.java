package org.jvrpc.runtime.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.contract.CallsService;
import org.jvrpc.runtime.session.FuzzBodyPool;
import org.jvrpc.runtime.session.RpcHeader;

/** Long answers on their way in, step by step; {@link LongAnswerTest} has them over a real link. */
class LongAnswerStepsTest {

    private static final int LONG = 5000;

    private final StillClient client = new StillClient();
    private final ClientSession session = client.session;
    private final StillClient.Peer peer = client.peer;
    private final Attendance attendance = session.attendance();

    @AfterEach
    void close() {
        client.close();
    }

    private ClientSlot write() {
        return client.write(CallsService.ECHO, null, 1);
    }

    private CompletableFuture<Integer> start() {
        return write().invokeAsync((in, thrown) -> in.remaining());
    }

    private void released(int callId) {
        assertEquals(RpcHeader.RELEASE + " " + callId, peer.last().brief());
        assertEquals(0, client.bodies.out());
        assertFalse(session.longAnswers().areUnderWay());
        peer.controls(RpcHeader.CREDIT, 2); // without any a message might be waiting for one
        client.poll();
        assertEquals(0, session.unattended());
    }

    private String refusal(CompletableFuture<Integer> call) {
        RpcException e = assertInstanceOf(RpcException.class, StillClient.outcome(call));
        assertEquals(Status.RESOURCE_EXHAUSTED, e.status());
        return e.getMessage();
    }

    @Test
    void aLongAnswerIsFetchedForItsCaller() {
        ClientSlot slot = write();
        peer.whenSent = () -> {
            peer.whenSent = () -> { };
            peer.answersLong(slot.callId(), LONG);
        };
        int callId = slot.callId();
        assertEquals(LONG, slot.invoke().remaining());
        assertEquals(1, client.bodies.out());
        slot.close();
        released(callId);
    }

    @Test
    void aLongAnswerIsFetchedForAFuture() {
        for (int length : new int[] {LONG, 0}) {
            CompletableFuture<Integer> call = start();
            int callId = peer.last().callId();
            peer.answersLong(callId, length);
            assertTrue(client.poll());
            assertEquals(length, StillClient.outcome(call));
            released(callId);
        }
    }

    @Test
    void aFutureEndsWhateverGivingItsMemoryBackThrows() {
        CompletableFuture<Integer> call = write().invokeAsync((in, thrown) -> {
            client.bodies.revoke();
            return in.remaining();
        });
        peer.answersLong(peer.last().callId(), LONG);
        client.poll();
        assertEquals(LONG, StillClient.outcome(call));
    }

    @Test
    void anAnswerThatIsLongerThanTheLimitIsNotFetched() {
        int limit = FuzzBodyPool.BODY_BYTES;
        for (int length : new int[] {limit + 1, -1}) {
            CompletableFuture<Integer> call = start();
            int callId = peer.last().callId();
            peer.answersLong(callId, length);
            client.poll();
            assertEquals("answer is longer than the limit: bytes=" + (length & 0xffffffffL) + " limit=" + limit,
                    refusal(call));
            released(callId);
        }
        ClientSlot slot = write();
        int callId = slot.callId();
        peer.whenSent = () -> {
            peer.whenSent = () -> { };
            peer.answersLong(callId, -1);
        };
        assertEquals(Status.RESOURCE_EXHAUSTED, assertThrows(RpcException.class, slot::invoke).status());
        slot.close();
        released(callId);
    }

    @Test
    void memoryForAVeryLongAnswerIsMadeByAnotherThreadWhichWakesTheOneThatPolls() {
        CompletableFuture<Integer> call = start();
        int callId = peer.last().callId();
        client.wakes();
        int length = FuzzBodyPool.BODY_BYTES; // just the limit
        peer.answersLong(callId, length);
        client.poll();
        Await.until("memory", () -> session.longAnswers().areUnderWay());
        Await.until("a wake-up", () -> client.wakes() == 1);
        while (client.poll()) {
            // by pieces
        }
        assertEquals(length, StillClient.outcome(call));
        released(callId);
    }

    @Test
    void aLongAnswerThatNobodyWaitsForIsNotFetched() {
        ClientSlot slot = write();
        int callId = slot.callId();
        slot.invokeAsync((in, thrown) -> in.remaining()).cancel(true);
        peer.answersLong(callId, LONG);
        peer.fetchFault = new IllegalStateException("it is fetched");
        client.poll();
        released(callId);
        assertFalse(session.isLost());
        assertEquals(SlotState.FREE, slot.state());
        assertFalse(attendance.slots().hasAbandoned());
    }

    @Test
    void aLongAnswerThatNobodyWaitsForAnyMoreIsGivenUp() {
        CompletableFuture<Integer> call = start();
        int callId = peer.last().callId();
        peer.answersLong(callId, FuzzBodyPool.BODY_BYTES);
        client.poll();
        Await.until("memory", () -> session.longAnswers().areUnderWay());
        call.cancel(true);
        while (client.poll()) {
            // by pieces
        }
        released(callId);
    }

    /** Has an answer wait for its memory; returns what lets that be made. */
    private CountDownLatch withoutMemory() {
        CountDownLatch gate = new CountDownLatch(1);
        client.owner.allocate(() -> Await.latch("the test", gate));
        start();
        peer.answersLong(peer.last().callId(), FuzzBodyPool.BODY_BYTES);
        client.poll();
        assertFalse(session.longAnswers().areUnderWay());
        return gate;
    }

    @Test
    void memoryThatIsMadeForASessionThatIsLostIsGivenBack() {
        CountDownLatch gate = withoutMemory();
        session.end();
        gate.countDown();
        CountDownLatch made = new CountDownLatch(1);
        client.owner.allocate(made::countDown);
        Await.latch("memory", made);
        assertEquals(0, client.bodies.out());
        assertFalse(session.longAnswers().areUnderWay());
    }

    @Test
    void memoryThatIsMadeWaitsForWhoeverHasTheSession() {
        CountDownLatch gate = withoutMemory();
        session.lock();
        gate.countDown();
        Await.until("memory", () -> session.hasWaiters() || session.longAnswers().areUnderWay());
        assertFalse(session.longAnswers().areUnderWay());
        session.unlock();
        Await.until("memory", () -> session.longAnswers().areUnderWay());
    }

    @Test
    void aLongAnswerThatCannotBeFetchedEndsTheSession() {
        CompletableFuture<Integer> call = start();
        peer.answersLong(peer.last().callId(), LONG);
        peer.fetchFault = new IllegalStateException("planted");
        client.poll();
        assertEquals("connection to still is lost: java.lang.IllegalStateException: planted",
                ((RpcException) StillClient.outcome(call)).getMessage());
        session.clear();
        assertEquals(0, client.bodies.out());
    }

    @Test
    void aLinkThatBreaksMeanwhileIsFoundBrokenAtOnce() {
        peer.holdsOneWay = true;
        start();
        peer.answersLong(peer.last().callId(), LONG);
        client.poll();
        peer.fail("planted");
        session.lock();
        assertFalse(session.longAnswers().poll());
        session.unlock();
        assertTrue(session.isLost());
    }

    @Test
    void aLongAnswerCountsAsUnattendedWhereItMayBeOfACallThatNobodyWaitsFor() {
        ClientSlot[] calls = {write(), write()};
        for (ClientSlot call : calls) {
            call.set(SlotState.SENT);
        }
        peer.holdsOneWay = true;
        peer.answersLong(calls[0].callId(), LONG);
        client.poll();
        assertEquals(0, session.unattended(), "its caller polls");
        assertTrue(session.abandonment().giveUp(calls[0]));
        assertEquals(1, session.unattended());
        peer.holdsOneWay = false;
        peer.controls(RpcHeader.CREDIT, 2);
        client.poll();
        assertTrue(session.abandonment().giveUp(calls[1]));
        assertEquals(0, session.unattended(), "no long answer is on its way");
    }

    @Test
    void aPieceThatIsNotThereYetIsNoReasonToGiveWay() {
        peer.holdsOneWay = true;
        CompletableFuture<Integer> call = start();
        peer.answersLong(peer.last().callId(), LONG);
        assertTrue(client.poll(), "its message");
        assertFalse(client.poll());
        peer.holdsOneWay = false;
        assertTrue(client.poll());
        assertEquals(LONG, StillClient.outcome(call));
    }
}
