package org.jvrpc.runtime.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.contract.CallsService;
import org.jvrpc.runtime.session.RpcHeader;
import org.jvrpc.runtime.thread.Idler;

/** A session's lock, its polls, and whom it wakes, step by step; {@link SessionEndTest} has how it ends. */
class SessionStepsTest {

    private final StillClient client = new StillClient();
    private final ClientSession session = client.session;
    private final StillClient.Peer peer = client.peer;
    private final SlotTable slots = session.attendance().slots();

    @AfterEach
    void close() {
        Thread.interrupted();
        client.close();
    }

    private ClientSlot write(int bytes) {
        return client.write(CallsService.ECHO, null, bytes);
    }

    private CompletableFuture<Integer> start() {
        return write(1).invokeAsync((in, thrown) -> in.remaining());
    }

    /** Another thread takes the lock, and ends; this one may let it go. */
    private void lockElsewhere() {
        assertTrue(Await.<Boolean>join(Await.start(session::tryLock)), "the lock is free");
    }

    @Test
    void theAnswerOfACallThatWaitsMakesAnotherCallLikely() {
        peer.whenSent = () -> peer.answers(peer.last().callId(), Status.OK, new byte[1]);
        ClientSlot slot = write(1);
        slot.invoke();
        slot.close();
        assertEquals(1, peer.expected());
    }

    @Test
    void asManyCallsAreLikelyAsFuturesAreAnsweredAtOnce() {
        peer.whenSent = () -> peer.answers(peer.last().callId(), Status.OK, new byte[1]);
        List<CompletableFuture<Integer>> calls = List.of(start(), start(), start());
        session.tryPoll();
        assertEquals(3, peer.expected());
        calls.forEach(call -> assertEquals(1, call.join()));
        session.tryPoll();
        assertEquals(0, peer.expected());
    }

    // ---- the lock

    private boolean isFree() {
        boolean free = Await.<Boolean>join(Await.start(session::tryLock));
        if (free) {
            session.unlock();
        }
        return free;
    }

    @Test
    void whoHasTheLockHasItAlone() {
        session.lock();
        assertFalse(isFree());
        assertFalse(Await.<Boolean>join(Await.start(() -> session.tryPoll())));
        session.unlock();
        assertTrue(isFree());
    }

    @Test
    void whoHasTheLockLearnsThatOthersWait() {
        session.lock();
        assertFalse(session.hasWaiters());
        CompletableFuture<Boolean> other = Await.start(() -> {
            session.lock();
            session.unlock();
            return true;
        });
        Await.until("the other to wait", session::hasWaiters);
        session.unlock();
        assertTrue(Await.join(other));
        assertFalse(session.hasWaiters());
    }

    @Test
    void whatEndsUnderTheLockLeavesItLocked() {
        ClientSlot slot = write(1);
        CompletableFuture<Integer> call = slot.invokeAsync((in, thrown) -> in.remaining());
        session.lock();
        assertTrue(session.abandonment().giveUp(slot, (RpcFuture<?>) call, Status.CANCELLED));
        assertFalse(isFree(), "after a call is given up");
        session.end();
        assertFalse(isFree(), "after the end");
        session.unlock();
    }

    @Test
    void theEndBreaksTheConnectionOffBeforeItHasTheLock() {
        lockElsewhere();
        CompletableFuture<Boolean> end = Await.start(() -> {
            session.end();
            return true;
        });
        Await.until("the connection to end", () -> !peer.isConnected());
        assertFalse(session.isLost());
        session.unlock();
        assertTrue(Await.join(end));
        assertTrue(session.isLost());
    }

    private ClientSlot oneWay() {
        return client.write(CallsService.TELL, null, 1);
    }

    @Test
    void aOneWayCallThatWaitsForACreditLetsTheLockGoAsOftenAsItTakesIt() {
        session.lock();
        oneWay().send();
        oneWay().send();
        assertFalse(isFree(), "after one that had a credit");
        peer.whenLooked = () -> {
            if (peer.looks == Idler.SPINS_PER_LOOK + 5) {
                peer.controls(RpcHeader.CREDIT, 1);
            }
        };
        oneWay().send();
        assertFalse(isFree(), "after one that waited");
        client.time.stepNs = 1_000_000;
        assertThrows(RpcException.class, oneWay()::send);
        session.unlock();
        assertTrue(isFree(), "after one that waited in vain");
    }

    @Test
    void aOneWayCallLooksSoManyTimesInEachHoldOfTheLock() {
        oneWay().send();
        oneWay().send();
        ClientSlot late = oneWay();
        client.time.nowNs += StillClient.DEADLINE_NS + 1;
        assertThrows(RpcException.class, late::send);
        assertEquals(Idler.SPINS_PER_LOOK, peer.looks);
    }

    @Test
    void aOneWayCallOfALostSessionIsNotSent() {
        session.end();
        assertThrows(RpcException.class, oneWay()::send);
        assertEquals(List.of(), peer.sent);
    }

    @Test
    void aOneWayCallDoesNotWaitForACreditOfALostSession() {
        oneWay().send();
        oneWay().send();
        peer.whenLooked = () -> {
            if (peer.looks == 3) {
                peer.fail("planted");
            }
        };
        assertEquals("connection to still is lost: planted",
                assertThrows(RpcException.class, oneWay()::send).getMessage());
        assertEquals(4, peer.looks, "one more in the end itself");
    }

    // ---- polls

    @Test
    void aCallerLooksSoManyTimesBeforeItGivesOthersTheLock() {
        ClientSlot slot = write(1);
        peer.whenLooked = () -> {
            if (peer.looks == Idler.SPINS_PER_LOOK) {
                peer.answers(slot.callId(), Status.OK, new byte[4]);
            }
        };
        assertEquals(4, slot.invoke().remaining());
        assertEquals(0, session.attendance().polls(), "its first hold of the lock was long enough");
        assertTrue(slot.holdsLock(), "its answer lies where it landed");
        assertFalse(isFree());
        slot.close();
        assertFalse(slot.holdsLock());
        assertTrue(isFree());
    }

    @Test
    void anAnswerThatComesLaterIsWaitedFor() {
        ClientSlot slot = write(1);
        peer.whenLooked = () -> {
            if (peer.looks == Idler.SPINS_PER_LOOK + 1) {
                peer.answers(slot.callId(), Status.OK, new byte[4]);
            }
        };
        assertEquals(4, slot.invoke().remaining());
        assertEquals(1, session.attendance().polls());
        slot.close();
    }

    @Test
    void theAnswerOfACallWithInterceptorsLeavesTheLockFree() {
        ClientSlot slot = client.write(CallsService.ECHO, client.invocation(CallsService.ECHO), 1);
        peer.whenSent = () -> peer.answers(slot.callId(), Status.OK, new byte[4]);
        slot.invoke();
        assertFalse(slot.holdsLock());
        assertTrue(isFree());
        slot.close();
    }

    @Test
    void whatIsThrownByAPollEndsTheSession() {
        CompletableFuture<Integer> call = start();
        peer.controls(RpcHeader.CREDIT, 0);
        peer.whenPolled = () -> {
            throw new IllegalStateException("planted");
        };
        assertFalse(session.tryPoll());
        assertTrue(session.isLost());
        assertFalse(peer.isConnected());
        client.core.events().publishWaiting();
        assertEquals("connection to still is lost: java.lang.IllegalStateException: planted",
                ((RpcException) StillClient.outcome(call)).getMessage());
    }

    @Test
    void anErrorOfTheMachineIsTheCallersToo() {
        ClientSlot slot = write(1);
        peer.whenSent = () -> peer.controls(RpcHeader.CREDIT, 0);
        peer.whenPolled = () -> {
            throw new OutOfMemoryError("planted");
        };
        assertEquals("planted", assertThrows(OutOfMemoryError.class, slot::invoke).getMessage());
        assertTrue(session.isLost());
        slot.close();
        assertTrue(isFree());
        assertEquals(SlotState.FREE, slot.state());
    }

    @Test
    void aBrokenLinkIsLeftAtOnce() {
        peer.fail("planted");
        assertEquals(0, session.pollOnce(null));
        assertTrue(session.isLost());
        assertFalse(peer.isConnected());
    }

    @Test
    void whatNoServerSendsIsTheLastThatComes() {
        peer.controls(99, 0);
        assertEquals(1, session.pollOnce(null));
        assertFalse(peer.isConnected(), "before the next poll");
    }

    // ---- control messages

    @Test
    void whatIsGivenUpWhileAnotherHasTheLockIsToldWithTheNextPoll() {
        ClientSlot slot = write(1);
        CompletableFuture<Integer> call = slot.invokeAsync((in, thrown) -> in.remaining());
        int callId = slot.callId();
        lockElsewhere();
        assertTrue(session.abandonment().giveUp(slot));
        assertEquals(1, peer.sent.size());
        session.unlock();
        session.tryPoll();
        assertEquals(RpcHeader.CANCEL + " " + callId, peer.last().brief());
        assertFalse(call.isDone());
    }

    @Test
    void whatEndedOtherwiseIsNotGivenUp() {
        ClientSlot slot = write(1);
        peer.whenSent = () -> peer.answers(slot.callId(), Status.OK, new byte[4]);
        slot.invoke();
        assertFalse(session.abandonment().giveUp(slot));
        assertFalse(session.abandonment().giveUp(
                slot, new RpcFuture<>(session, slot, null), Status.CANCELLED));
        assertEquals(1, peer.sent.size(), "nobody is told");
        slot.close();
    }

    @Test
    void aControlMessageThatCannotBeSentEndsTheSession() {
        ClientSlot slot = write(1);
        slot.invokeAsync((in, thrown) -> in.remaining());
        peer.fail("planted");
        assertTrue(session.abandonment().giveUp(slot));
        assertTrue(session.isLost());
    }

    @Test
    void creditsThatCannotBeUsedBreakTheConnection() {
        client.write(CallsService.TELL, null, 1).send();
        client.write(CallsService.TELL, null, 1).send();
        session.sendControl(RpcHeader.CANCEL, 1);
        peer.whenSent = () -> peer.fail("planted");
        session.giveCredits(1);
        assertFalse(peer.isConnected());
    }

    // ---- who is woken

    @Test
    void anAsynchronousCallWakesTheThreadThatSleeps() {
        assertEquals(1, client.wakesFromSleep(this::start));
        client.wakes();
        start();
        assertEquals(0, client.wakes(), "it does not sleep deep");
    }

    @Test
    void aCallerThatSleepsWakesTheThreadThatSleeps() {
        assertEquals(1, client.wakesFromSleep(() -> session.sleeps(true)));
        assertEquals(1, session.unattended());
        session.sleeps(false);
        assertEquals(0, session.unattended());
    }

    @Test
    void aCallerThatIsAwakeWakesNobody() {
        assertEquals(0, client.wakesFromSleep(() -> {
            session.sleeps(true);
            client.wakes();
            session.sleeps(false);
        }));
    }

    private ClientSlot sent() {
        ClientSlot slot = write(1);
        slot.set(SlotState.SENT);
        return slot;
    }

    @Test
    void aCallThatIsGivenUpWakesNobodyWhereItsMessageLeft() {
        ClientSlot slot = sent();
        assertEquals(0, client.wakesFromSleep(() -> session.abandonment().giveUp(slot)));
        assertEquals(RpcHeader.CANCEL, peer.last().kind());
    }

    @Test
    void aCallThatIsGivenUpWakesTheThreadWhereItsMessageWaits() {
        client.write(CallsService.TELL, null, 1).send();
        client.write(CallsService.TELL, null, 1).send();
        ClientSlot slot = sent();
        assertEquals(1, client.wakesFromSleep(() -> session.abandonment().giveUp(slot)), "there is no credit");
        assertEquals(RpcHeader.ONE_WAY, peer.last().kind());
    }

    /** As where a router has no time: whoever has the lock waits for nothing, and the session goes on. */
    @Test
    void aFutureThatIsCancelledWhileControlMessagesAreUnderWayIsToldOfLater() {
        peer.holdsControls = true;
        ClientSlot slot = write(1);
        CompletableFuture<Integer> call = slot.invokeAsync((in, thrown) -> in.remaining());
        int callId = slot.callId();
        assertTrue(call.cancel(false));
        assertEquals(RpcHeader.REQUEST, peer.last().kind());
        session.tryPoll();
        assertEquals(RpcHeader.REQUEST, peer.last().kind());
        assertEquals(1, session.unattended());
        peer.holdsControls = false;
        session.tryPoll();
        assertEquals(RpcHeader.CANCEL + " " + callId, peer.last().brief());
        assertEquals(0, session.unattended());
        assertFalse(session.isLost());
    }

    @Test
    void aControlMessageThatWaitsWakesTheThreadThatSleeps() {
        peer.holdsControls = true;
        assertEquals(1, client.wakesFromSleep(() -> session.sendControl(RpcHeader.RELEASE, 1)));
        assertEquals(List.of(), peer.sent);
    }

    @Test
    void theCallThatTakesHalfOfTheSlotsWakesTheThread() {
        ClientSlot[] calls = {write(1), write(1), write(1)};
        List<Integer> wakes = new ArrayList<>();
        for (ClientSlot call : calls) {
            call.set(SlotState.SENT);
            client.wakes();
            session.abandonment().giveUp(call);
            wakes.add(client.wakes());
        }
        assertEquals(List.of(0, 1, 0), wakes);
    }

    @Test
    void theLossOfTheSessionWakesTheThread() {
        client.wakes();
        session.end();
        assertEquals(1, client.wakes());
    }
}
