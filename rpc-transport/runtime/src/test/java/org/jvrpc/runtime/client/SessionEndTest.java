package org.jvrpc.runtime.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.connection.SessionFactory;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.contract.CallsService;
import org.jvrpc.runtime.invocation.ClientInvocation;
import org.jvrpc.runtime.invocation.StubCalls;
import org.jvrpc.runtime.session.RpcHeader;
import org.jvrpc.testing.fuzz.FuzzCheck;

/** How a session ends, step by step, and what its slots know. */
class SessionEndTest {

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

    // ---- the end

    @Test
    void aLostSessionSendsNothing() {
        session.end();
        CompletableFuture<Integer> call = start();
        assertTrue(call.isCompletedExceptionally());
        assertEquals(List.of(), peer.sent);
    }

    @Test
    void oneWayCallsLeaveBeforeTheEndWithinTwoSeconds() {
        peer.holdsOneWay = true;
        client.write(CallsService.TELL, null, 1).send();
        long fromNs = client.time.nowNs;
        session.awaitLeft();
        assertEquals(2_000_000_000, client.time.nowNs - fromNs);
        assertEquals(40_000, peer.looks, "a look, and a pause of 50 us");
    }

    @Test
    void whatIsThrownWhileOneCallEndsKeepsNoneFromItsEnd() {
        List<CompletableFuture<Integer>> calls = new ArrayList<>();
        for (int i = 0; i < StillClient.SLOTS; i++) {
            calls.add(write(StillClient.SLOT_BYTES + 1).invokeAsync((in, thrown) -> in.remaining()));
        }
        client.bodies.give(peer.described[0]); // which throws when the first call gives it back
        peer.fail("planted");
        client.poll();
        assertEquals(StillClient.SLOTS, calls.stream().filter(CompletableFuture::isCompletedExceptionally).count());
        assertNotNull(FuzzCheck.forget(), "what was planted, which is no other test's business");
    }

    @Test
    void theEndDoesNotWaitForOneWayCallsThatHaveLeft() {
        peer.holdsOneWay = true;
        client.write(CallsService.TELL, null, 1).send();
        long fromNs = client.time.nowNs;
        peer.whenLooked = () -> peer.holdsOneWay = peer.looks < 3;
        session.awaitLeft();
        assertEquals(150_000, client.time.nowNs - fromNs);
        session.awaitLeft();
        assertEquals(3, peer.looks, "nothing is under way");
    }

    @Test
    void theEndDoesNotWaitForOneWayCallsOfALostSession() {
        peer.holdsOneWay = true;
        client.write(CallsService.TELL, null, 1).send();
        peer.whenLooked = () -> peer.fail("planted");
        session.awaitLeft();
        assertEquals(1, peer.looks - 1, "one in the end itself");
        long fromNs = client.time.nowNs;
        session.awaitLeft();
        assertEquals(fromNs, client.time.nowNs);
    }

    @Test
    void theEndOfTheClientWaitsForOneWayCalls() {
        peer.holdsOneWay = true;
        client.write(CallsService.TELL, null, 1).send();
        boolean[] connected = new boolean[1];
        peer.whenLooked = () -> {
            connected[0] |= peer.isConnected();
            peer.holdsOneWay = false;
        };
        client.close();
        assertTrue(connected[0], "it was broken off at once");
        assertTrue(session.isLost());
        assertTrue(peer.isClosed());
    }

    @Test
    void aSlotWhoseAnswerMayComeIsNotTakenFromASessionThatDrains() {
        ClientSlot slot = write(StillClient.SLOT_BYTES + 1);
        slot.invokeAsync((in, thrown) -> in.remaining()).cancel(true);
        session.drain();
        assertTrue(session.isDrained(), "nobody waits");
        assertEquals(SlotState.ABANDONED, slot.state());
        assertEquals(1, client.bodies.out());
        session.end();
        session.clear();
        assertEquals(0, client.bodies.out(), "its request is given back");
        assertEquals(SlotState.ABANDONED, slot.state());
        assertTrue(session.isDrained());
        assertEquals(SlotState.CLOSED, slot.state());
        assertNull(session.tryClaim());
    }

    @Test
    void whatIsBuriedGivesAllBackUnderTheLock() {
        ClientSlot slot = write(StillClient.SLOT_BYTES + 1);
        slot.invokeAsync((in, thrown) -> in.remaining()).cancel(true);
        SessionFactory factory = new SessionFactory(client.core.address(), client.settings);
        session.lock();
        factory.bury(session);
        assertFalse(Await.<Boolean>join(Await.start(session::tryLock)));
        session.unlock();
        assertTrue(Await.<Boolean>join(Await.start(session::tryLock)));
        session.unlock();
        assertFalse(peer.isConnected());
        assertTrue(peer.isClosed());
        assertTrue(client.bodies.isWhole());
    }

    @Test
    void threadsAreNamedByTheServer() {
        assertEquals("jvrpc-client-server", client.threads.get(0).getName());
    }

    // ---- slots

    @Test
    void whereAllSlotsAreTakenAClaimWaits() {
        for (int i = 0; i < StillClient.SLOTS; i++) {
            write(1);
        }
        client.time.stepNs = 1_000_000;
        long endNs = client.time.nowNs + 4_000_000;
        RpcException e = assertThrows(RpcException.class, () -> session.claim(endNs));
        assertEquals(Status.DEADLINE_EXCEEDED, e.status());
        assertEquals("no slot came free in 3000 us: slots=4 abandoned=0", e.getMessage());
        assertEquals(3, session.attendance().polls());
        assertEquals(3, peer.looks);
        Thread.currentThread().interrupt();
        assertEquals("interrupted while waiting for a slot: slots=4", assertThrows(RpcException.class,
                () -> session.claim(endNs + 100_000_000)).getMessage());
    }

    @Test
    void whatASlotKnowsOfItsCallIsThatOfTheLast() {
        ClientSlot slot = session.tryClaim();
        StubCalls other = new StubCalls(null, CallOptions.DEFAULT.withDeadlineAfter(Duration.ofSeconds(5)), 1);
        ClientInvocation invocation = client.invocation(CallsService.TELL);
        slot.begin(StillClient.CALLS, CallsService.ECHO, 1, null, 7);
        assertSame(CallsService.ECHO, slot.method());
        slot.begin(StillClient.CALLS, CallsService.TELL, 1, null, 7);
        assertSame(CallsService.TELL, slot.method());
        slot.begin(other, CallsService.TELL, 1, null, 7);
        assertEquals(5_000_000_000L, slot.limitNs());
        slot.begin(other, CallsService.TELL, 1, invocation, 7);
        assertEquals(invocation.endNs(), slot.endNs());
        slot.begin(other, CallsService.TELL, 1, null, 7);
        assertEquals(7, slot.endNs());
        slot.set(SlotState.FREE);
    }

    @Test
    void aFailureIsForgottenWithItsCall() {
        ClientSlot slot = write(1);
        int callId = slot.callId();
        client.time.stepNs = 1_000_000;
        assertThrows(RpcException.class, slot::invoke);
        client.time.stepNs = 0;
        peer.answers(callId, Status.OK, new byte[4]);
        client.poll();
        assertEquals(SlotState.ANSWERED, slot.state());
        assertNull(peer.failure(), "it was waited for");
        assertFalse(slots.hasAbandoned());
        slot.close();
        ClientSlot again = write(1);
        assertSame(slot, again, "the same thread has the same slot");
        assertNotSame(callId, again.callId());
        peer.whenSent = () -> peer.answers(again.callId(), Status.OK, new byte[4]);
        assertEquals(4, again.invoke().remaining());
        again.close();
    }

    @Test
    void aWaitEndsAfterItsTimeAndNotWithIt() {
        ClientSlot slot = write(1);
        client.time.nowNs += StillClient.DEADLINE_NS;
        slot.checkWait("planted");
        client.time.nowNs++;
        assertEquals("planted in 10000 us: " + CallsService.ECHO.fullName(),
                assertThrows(RpcException.class, () -> slot.checkWait("planted")).getMessage());
        slot.set(SlotState.FREE);
    }

    @Test
    void aOneWayCallWithMetadataIsSentAndItsEndTold() {
        ClientInvocation invocation = client.invocation(CallsService.TELL);
        List<Status> heard = new ArrayList<>();
        invocation.whenEnded((status, message) -> heard.add(status));
        client.write(CallsService.TELL, invocation, 3).send();
        assertEquals(RpcHeader.ONE_WAY, peer.last().kind());
        assertEquals(3, peer.last().bodyLength());
        assertEquals(List.of(Status.OK), heard);
    }
}
