package org.jvrpc.runtime.client;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.contract.CallsService;
import org.jvrpc.runtime.invocation.ClientInvocation;
import org.jvrpc.runtime.session.RpcHeader;

/** One call after another in the slots of a session: what is sent, how calls end, and what their slots are then. */
class SlotCallsTest {

    private static final MethodDescriptor ECHO = CallsService.ECHO;
    private static final String ECHO_NAME = ECHO.fullName();

    private final StillClient client = new StillClient();
    private final ClientSession session = client.session;
    private final StillClient.Peer peer = client.peer;

    @AfterEach
    void close() {
        Thread.interrupted();
        client.close();
    }

    private ClientSlot write(int bytes) {
        return client.write(ECHO, null, bytes);
    }

    private static CompletableFuture<String> start(ClientSlot slot) {
        return slot.invokeAsync((in, thrown) -> in.readString() + " " + thrown);
    }

    private static RpcException failure(CompletableFuture<?> call) {
        return assertInstanceOf(RpcException.class, StillClient.outcome(call));
    }

    private static void failed(Status status, String message, RpcException e) {
        assertEquals(status, e.status());
        assertEquals(message, e.getMessage());
    }

    /** A synchronous call: what its stub does. */
    private String call(ClientSlot slot) {
        try {
            return slot.invoke().readString() + " " + slot.thrown();
        } finally {
            slot.close();
        }
    }

    private void rests() {
        assertEquals(0, session.unattended());
        for (ClientSlot slot : session.attendance().slots().all()) {
            assertEquals(SlotState.FREE, slot.state(), "slot=" + slot.index);
        }
        session.end();
        client.core.events().publishWaiting();
    }

    @Test
    void aRequestSaysMethodCallAndLengthAndItsAnswerEndsIt() {
        ClientSlot slot = write(3);
        CompletableFuture<String> call = start(slot);
        StillClient.Sent sent = peer.last();
        assertEquals(slot.index, sent.slot());
        assertEquals(RpcHeader.REQUEST, sent.kind());
        assertEquals(0, sent.flags());
        assertEquals(ECHO.index(), sent.method());
        assertEquals(RpcHeader.callId(slot.index, (int) slot.claim()), sent.callId());
        assertEquals(3, sent.bodyLength());
        assertEquals(0, sent.extensionLength());
        assertArrayEquals(new byte[] {7, 7, 7}, sent.bytes());
        assertEquals(1, session.attendance().asyncCalls());
        assertFalse(client.poll());
        peer.answers(sent.callId(), Status.OK, StillClient.text("planted"));
        assertTrue(client.poll());
        assertEquals("planted 0", StillClient.outcome(call));
        rests();
    }

    @Test
    void aCallEndsWithTheStatusAndTextThatItsServerSays() {
        CompletableFuture<String> call = start(write(1));
        peer.fails(peer.last().callId(), Status.NOT_FOUND, "planted");
        client.poll();
        failed(Status.NOT_FOUND, "planted", failure(call));
        ClientSlot slot = write(1);
        peer.whenSent = () -> peer.fails(slot.callId(), Status.ABORTED, "planted, too");
        failed(Status.ABORTED, "planted, too", assertThrows(RpcException.class, () -> call(slot)));
        rests();
    }

    @Test
    void aDeclaredExceptionIsReadByItsNumber() {
        ClientSlot slot = write(1);
        peer.whenSent = () -> {
            byte[] body = StillClient.text("planted");
            peer.add(RpcHeader.first(RpcHeader.RESPONSE, RpcHeader.THROWN, 3, slot.callId()),
                    RpcHeader.second(body.length, 0, 0), body);
        };
        assertEquals("planted 3", call(slot));
        ClientSlot next = write(1);
        CompletableFuture<String> call = start(next);
        client.poll();
        assertEquals("planted 3", StillClient.outcome(call));
        rests();
    }

    @Test
    void aHeavyCallTakesTheTimeThatIsLeftAlong() {
        client.write(CallsService.ECHO_HEAVY, null, 2).invokeAsync((in, thrown) -> in);
        StillClient.Sent sent = peer.last();
        assertEquals(2, sent.bodyLength());
        assertEquals(12, sent.extensionLength());
        WireReader in = new WireReader();
        in.reset(peer.body(sent.slot()), 2, 12, null);
        assertEquals(StillClient.DEADLINE_NS, in.readLong());
        assertEquals(0, in.readCount(1));
    }

    @Test
    void oneWhoseTimeIsOverBeforeItIsSentIsNotSent() {
        ClientSlot slot = client.write(CallsService.ECHO_HEAVY, null, 2);
        client.time.nowNs += StillClient.DEADLINE_NS;
        failed(Status.DEADLINE_EXCEEDED, "its time was over before it was sent: " + slot.method().fullName(),
                failure(slot.invokeAsync((in, thrown) -> in)));
        assertEquals(List.of(), peer.sent);
        rests();
    }

    @Test
    void aSynchronousCallIsGivenUpWhenItsTimeIsOver() {
        ClientSlot slot = write(1);
        int callId = slot.callId();
        client.time.stepNs = 1_000_000;
        failed(Status.DEADLINE_EXCEEDED, "no answer in 10000 us: " + ECHO_NAME,
                assertThrows(RpcException.class, () -> call(slot)));
        assertEquals(RpcHeader.CANCEL + " " + callId, peer.last().brief());
        assertEquals(SlotState.ABANDONED, slot.state());
        assertTrue(session.attendance().slots().hasAbandoned());
        peer.answers(callId, Status.OK, StillClient.text("late"));
        client.poll();
        assertFalse(session.attendance().slots().hasAbandoned());
        rests();
    }

    @Test
    void aSynchronousCallIsGivenUpWhenItsThreadIsInterrupted() {
        ClientSlot slot = write(1);
        peer.whenSent = Thread.currentThread()::interrupt;
        failed(Status.CANCELLED, "interrupted while waiting for the answer of " + ECHO_NAME,
                assertThrows(RpcException.class, () -> call(slot)));
        assertTrue(Thread.interrupted());
        assertEquals(SlotState.ABANDONED, slot.state());
    }

    /** Its caller looks after the slot until it has left it: the answer comes between. */
    @Test
    void anAnswerThatComesBetweenGivingUpAndLeavingFreesTheSlotWhenItIsLeft() {
        ClientSlot slot = write(1);
        client.time.stepNs = 1_000_000;
        assertThrows(RpcException.class, slot::invoke);
        assertEquals(SlotState.GIVEN_UP, slot.state());
        peer.answers(slot.callId(), Status.OK, StillClient.text("late"));
        client.poll();
        assertEquals(SlotState.ANSWERED, slot.state());
        slot.close();
        rests();
    }

    @Test
    void aFutureThatIsCancelledTellsTheServerAndItsSlotWaitsForTheAnswer() {
        ClientSlot slot = write(1);
        int callId = slot.callId();
        CompletableFuture<String> call = start(slot);
        assertTrue(call.cancel(true));
        assertEquals(RpcHeader.CANCEL + " " + callId, peer.last().brief());
        assertEquals(SlotState.ABANDONED, slot.state());
        assertEquals(0, session.attendance().asyncCalls());
        assertTrue(session.attendance().slots().hasAbandoned());
        assertFalse(call.cancel(true) && peer.sent.size() > 2, "told once");
        peer.answers(callId, Status.OK, StillClient.text("late"));
        client.poll();
        assertTrue(call.isCancelled());
        rests();
    }

    @Test
    void anAsynchronousCallEndsWithItsTimeAndNotBefore() {
        ClientSlot slot = write(1);
        CompletableFuture<String> call = start(slot);
        client.time.nowNs += StillClient.DEADLINE_NS;
        session.tick(client.time.nowNs);
        assertFalse(call.isDone(), "exactly its time");
        session.tick(client.time.nowNs + 1);
        failed(Status.DEADLINE_EXCEEDED, "no answer in time: " + ECHO_NAME, failure(call));
        assertEquals(RpcHeader.CANCEL, peer.last().kind());
        assertEquals(SlotState.ABANDONED, slot.state());
    }

    @Test
    void aRequestThatIsLongerThanASlotLiesElsewhereUntilItsAnswerComes() {
        ClientSlot slot = write(StillClient.SLOT_BYTES + 1);
        CompletableFuture<String> call = start(slot);
        StillClient.Sent sent = peer.last();
        assertEquals(RpcHeader.RENDEZVOUS, sent.flags());
        assertEquals(StillClient.SLOT_BYTES + 1, sent.bodyLength());
        assertEquals(RpcHeader.DESCRIPTOR_BYTES, sent.bytes().length);
        peer.answers(sent.callId(), Status.OK, StillClient.text("planted"));
        client.poll();
        assertEquals("planted 0", StillClient.outcome(call));
        rests();
        client.bodies.close();
        assertTrue(client.bodies.isWhole());
    }

    @Test
    void oneThatIsWithdrawnBeforeItIsSentLeavesNothing() {
        ClientSlot slot = write(StillClient.SLOT_BYTES + 1);
        RuntimeException cause = new IllegalStateException("planted");
        assertSame(cause, slot.abandon(cause));
        assertEquals(List.of(), peer.sent);
        rests();
        client.bodies.close();
        assertTrue(client.bodies.isWhole());
    }

    @Test
    void aCallThatCannotBeSentEndsTheSessionAndItself() {
        CompletableFuture<String> other = start(write(1));
        peer.fail("planted");
        String message = "connection to still is lost: planted";
        failed(Status.UNAVAILABLE, message, failure(start(write(1))));
        client.core.events().publishWaiting();
        failed(Status.UNAVAILABLE, message, failure(other));
        assertTrue(session.isLost());
        assertFalse(session.isUsable());
        assertNull(client.core.session());
        failed(Status.UNAVAILABLE, message, failure(start(write(1))));
        rests();
    }

    @Test
    void whatIsThrownBySendingEndsTheSession() {
        peer.fault = new IllegalStateException("planted");
        CompletableFuture<String> call = start(write(1));
        failed(Status.UNAVAILABLE, "connection to still is lost: java.lang.IllegalStateException: planted",
                failure(call));
        assertFalse(peer.isConnected());
        rests();
    }

    @Test
    void callsInFlightGoOnWhereTheServerTakesNoMore() {
        CompletableFuture<String> call = start(write(1));
        peer.controls(RpcHeader.GO_AWAY, 0);
        peer.answers(peer.last().callId(), Status.OK, StillClient.text("planted"));
        assertTrue(session.isUsable());
        client.poll();
        assertFalse(session.isUsable());
        assertFalse(session.isLost());
        assertEquals("planted 0", StillClient.outcome(call));
        assertNull(client.core.session());
        rests();
    }

    @Test
    void whatArrivedBeforeTheEndIsStillAnAnswer() {
        CompletableFuture<String> answered = start(write(1));
        peer.answers(peer.last().callId(), Status.OK, StillClient.text("planted"));
        CompletableFuture<String> other = start(write(1));
        session.end();
        client.core.events().publishWaiting();
        assertEquals("planted 0", StillClient.outcome(answered));
        failed(Status.UNAVAILABLE, "connection to still is lost: peer is gone", failure(other));
        assertFalse(peer.isConnected());
        rests();
    }

    @Test
    void anAnswerAsLongAsASlotIsTaken() {
        byte[] longest = StillClient.text("x".repeat(StillClient.SLOT_BYTES - 4));
        assertEquals(StillClient.SLOT_BYTES, longest.length);
        ClientSlot slot = write(1);
        peer.whenSent = () -> peer.answers(slot.callId(), Status.OK, longest);
        assertEquals("x".repeat(StillClient.SLOT_BYTES - 4) + " 0", call(slot));
        rests();
    }

    // ---- one way

    private ClientSlot oneWay(int bytes) {
        return client.write(CallsService.TELL, null, bytes);
    }

    @Test
    void aOneWayCallTakesACreditAndLeavesItsSlot() {
        oneWay(3).send();
        StillClient.Sent sent = peer.last();
        assertEquals(RpcHeader.ONE_WAY, sent.kind());
        assertEquals(CallsService.TELL.index(), sent.method());
        assertArrayEquals(new byte[] {7, 7, 7}, sent.bytes());
        oneWay(StillClient.SLOT_BYTES).send();
        rests();
        assertEquals(2, peer.sent.size());
    }

    @Test
    void withoutACreditItWaitsForOne() {
        oneWay(1).send();
        oneWay(1).send();
        peer.controls(RpcHeader.CREDIT, 1);
        oneWay(1).send();
        assertEquals(3, peer.sent.size());
        client.time.stepNs = 1_000_000;
        ClientSlot slot = oneWay(1);
        failed(Status.DEADLINE_EXCEEDED, "server takes no more one-way calls in 10000 us: "
                + CallsService.TELL.fullName(), assertThrows(RpcException.class, slot::send));
        Thread.currentThread().interrupt();
        client.time.stepNs = 0;
        failed(Status.CANCELLED, "interrupted while waiting, server takes no more one-way calls: "
                + CallsService.TELL.fullName(), assertThrows(RpcException.class, oneWay(1)::send));
        assertTrue(Thread.interrupted());
        assertEquals(3, peer.sent.size());
        rests();
    }

    @Test
    void oneThatDoesNotFitIntoASlotIsRefusedAndTakesNoCredit() {
        String message = "a one-way body must fit in a slot: bytes=257 slotBytes=256 method="
                + CallsService.TELL.fullName();
        for (int i = 0; i <= StillClient.CREDITS; i++) {
            failed(Status.RESOURCE_EXHAUSTED, message, assertThrows(RpcException.class,
                    oneWay(StillClient.SLOT_BYTES + 1)::send));
        }
        oneWay(1).send();
        oneWay(1).send();
        rests();
        client.bodies.close();
        assertTrue(client.bodies.isWhole());
    }

    @Test
    void aOneWayCallThatCannotBeSentEndsTheSession() {
        peer.fail("planted");
        ClientSlot slot = oneWay(1);
        failed(Status.UNAVAILABLE, "connection to still is lost: planted",
                assertThrows(RpcException.class, slot::send));
        assertTrue(session.isLost());
        failed(Status.UNAVAILABLE, "connection to still is lost: planted",
                assertThrows(RpcException.class, oneWay(1)::send));
        rests();
    }

    @Test
    void creditsComeWithAnswersToo() {
        oneWay(1).send();
        oneWay(1).send();
        CompletableFuture<String> call = start(write(1));
        byte[] body = StillClient.text("planted");
        peer.add(RpcHeader.first(RpcHeader.RESPONSE, 0, 0, peer.last().callId()),
                RpcHeader.second(body.length, 2, 0), body);
        client.poll();
        assertEquals("planted 0", StillClient.outcome(call));
        oneWay(1).send();
        oneWay(1).send();
        assertEquals(5, peer.sent.size());
    }

    // ---- with options or interceptors

    @Test
    void metadataTravelsBehindTheBody() {
        ClientInvocation invocation = client.invocation(ECHO);
        invocation.metadata().put("a", "b");
        ClientSlot slot = client.write(ECHO, invocation, 2);
        peer.whenSent = () -> peer.answers(slot.callId(), Status.OK, StillClient.text("planted"));
        assertEquals("planted 0", call(slot));
        StillClient.Sent sent = peer.last();
        assertEquals(2, sent.bodyLength());
        WireReader in = new WireReader();
        in.reset(ByteBuffer.allocateDirect(sent.bytes().length).put(0, sent.bytes()), 2, sent.extensionLength(), null);
        assertEquals(StillClient.DEADLINE_NS, in.readLong());
        assertEquals(1, in.readCount(8));
        assertEquals("a", in.readString());
        assertEquals("b", in.readString());
        rests();
    }

    @Test
    void whoListensHearsOfTheEndOfAFuture() {
        List<String> heard = new ArrayList<>();
        ClientInvocation[] calls = new ClientInvocation[3];
        List<CompletableFuture<String>> futures = new ArrayList<>();
        for (int i = 0; i < calls.length; i++) {
            calls[i] = client.invocation(ECHO);
            calls[i].whenEnded((status, message) -> heard.add(status + " " + message));
            futures.add(start(client.write(ECHO, calls[i], 1)));
        }
        assertEquals(List.of(), heard);
        peer.answers(peer.sent.get(0).callId(), Status.OK, StillClient.text("planted"));
        client.poll();
        peer.fails(peer.sent.get(1).callId(), Status.NOT_FOUND, "no");
        client.poll();
        futures.get(2).cancel(true);
        assertEquals(List.of("OK null", "NOT_FOUND no", "CANCELLED cancelled by the caller"), heard);
        assertEquals("planted 0", StillClient.outcome(futures.get(0)));
        failed(Status.NOT_FOUND, "no", failure(futures.get(1)));
    }

    /** An error came between its sending and its answer, which another thread is just copying. */
    @Test
    void whoeverLeavesWhileItsAnswerIsCopiedWaitsForThat() {
        ClientSlot slot = write(1);
        slot.set(SlotState.ARRIVING);
        AtomicReference<Thread> leaver = new AtomicReference<>();
        CompletableFuture<Integer> left = Await.start(() -> {
            leaver.set(Thread.currentThread());
            slot.close();
            return slot.state();
        });
        Await.until("the caller to leave", () -> left.isDone() || leaver.get() != null && Stream
                .of(leaver.get().getStackTrace()).anyMatch(frame -> frame.getClassName().endsWith("ClientSlot")));
        assertFalse(left.isDone());
        slot.finish();
        assertEquals(SlotState.FREE, Await.join(left));
    }
}
