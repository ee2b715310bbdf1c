package org.jvrpc.runtime.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.contract.CallsService;
import org.jvrpc.runtime.session.RpcHeader;

/** Calls of one session, one after another: what is answered, what ends the session, and what is left behind. */
class SessionCallsTest {

    private static final byte[] THREE = StillServer.bytes(writer -> writer.writeBytes(new byte[] {1, 2, 3}));
    private static final byte[] NUMBER = StillServer.bytes(writer -> writer.writeLong(42));

    private StillServer server = new StillServer();

    @AfterEach
    void close() {
        server.close();
    }

    private void answered(int slot, Status status, String text) {
        StillServer.Sent sent = server.peer.last();
        assertEquals(RpcHeader.RESPONSE, sent.kind());
        assertEquals(StillServer.callId(slot), sent.callId());
        assertEquals(status.code(), sent.status(), () -> sent.bodyLength() > 4 ? sent.text() : "");
        assertEquals(text, sent.text());
    }

    private void ends(int messages) {
        assertEquals(messages, server.peer.sent.size());
        assertFalse(server.session.isConnected());
        assertTrue(server.session.isUnfinished(), "its end is to come");
        server.call(3, CallsService.ECHO, THREE);
        assertEquals(messages, server.peer.sent.size(), "nothing is handled behind it");
    }

    @Test
    void aCallIsAnsweredInItsSlotWithItsNumber() {
        server.open();
        server.call(2, CallsService.ECHO, THREE);
        StillServer.Sent sent = server.peer.last();
        assertEquals(2, sent.slot());
        assertEquals(RpcHeader.RESPONSE, sent.kind());
        assertEquals(StillServer.callId(2), sent.callId());
        assertEquals(Status.OK.code(), sent.status());
        assertEquals(0, sent.flags());
        assertArrayEquals(THREE, sent.bytes());
        assertEquals(THREE.length, sent.bodyLength());
        assertEquals(0, server.session.open());
        assertFalse(server.session.isUnfinished());
        assertEquals(1, server.peer.sent.size());
    }

    @Test
    void asManyAnswersAreLikelyAsThereWereMessagesLastTime() {
        server.open();
        assertEquals(1, server.peer.expected());
        for (int slot = 0; slot < 3; slot++) {
            server.comes(RpcHeader.REQUEST, CallsService.ECHO.index(), StillServer.callId(slot), THREE);
        }
        server.poll();
        assertEquals(3, server.peer.sent.size());
        assertEquals(1, server.peer.expected());
        server.call(3, CallsService.ECHO, THREE);
        assertEquals(3, server.peer.expected());
        server.call(3, CallsService.ECHO, THREE);
        assertEquals(1, server.peer.expected());
    }

    @Test
    void aDeclaredExceptionIsAnsweredByItsNumber() {
        server.open();
        server.call(1, CallsService.TEXT, StillServer.bytes(writer -> writer.writeString("overdrawn")));
        assertEquals(RpcHeader.THROWN, server.peer.last().flags());
        assertEquals(1, server.peer.last().status());
    }

    @Test
    void whatAHandlerThrowsIsUnknown() {
        server.open();
        server.call(1, CallsService.FAIL, StillServer.bytes(writer -> writer.writeString("unchecked")));
        answered(1, Status.UNKNOWN, "java.lang.IllegalStateException: boom");
    }

    @Test
    void aMethodThatIsNotOpenIsRefused() {
        server.call(0, CallsService.ECHO, THREE);
        answered(0, Status.FAILED_PRECONDITION, "session has not opened the service of method number="
                + CallsService.ECHO.index() + ": " + CallsService.ECHO.fullName());
        server.comes(RpcHeader.REQUEST, 5000, StillServer.callId(0), THREE);
        server.poll();
        answered(0, Status.UNIMPLEMENTED, "no method number=5000 here");
        assertTrue(server.session.isConnected());
    }

    @Test
    void aServerThatShutsDownTakesNoCalls() {
        server.open().drain();
        server.call(1, CallsService.ECHO, THREE);
        answered(1, Status.UNAVAILABLE, "server is shutting down");
        assertEquals(RpcHeader.NOT_RUN, server.peer.last().flags());
    }

    // ---- what no client sends

    @Test
    void aMessageOfUnknownKindEndsTheSession() {
        server.open();
        server.comes(99, 0, 0, THREE);
        server.poll();
        ends(0);
    }

    @Test
    void aRequestInASlotThatIsNotEndsTheSession() {
        server.open();
        server.call(StillServer.SLOTS, CallsService.ECHO, THREE);
        ends(0);
    }

    @Test
    void aRequestOfAnotherLengthThanItSaysEndsTheSession() {
        server.open();
        server.peer.add(RpcHeader.first(RpcHeader.REQUEST, 0, CallsService.ECHO.index(), StillServer.callId(0)),
                RpcHeader.second(THREE.length + 1, 0, 0), THREE);
        server.poll();
        ends(0);
    }

    @Test
    void aSecondRequestInASlotEndsTheSession() {
        server.open();
        server.call(1, CallsService.ECHO_HEAVY, THREE);
        assertEquals(1, server.session.open());
        server.call(1, CallsService.ECHO, THREE);
        ends(0);
        server.executor.run();
        server.poll();
        assertEquals(List.of(), server.peer.sent, "nobody is told of an answer any more");
    }

    @Test
    void aOneWayCallOfAMethodThatIsNotOpenEndsTheSession() {
        server.comes(RpcHeader.ONE_WAY, CallsService.TICK.index(), StillServer.callId(0), NUMBER);
        server.poll();
        ends(0);
    }

    @Test
    void aOneWayCallOfAnotherLengthThanItSaysEndsTheSession() {
        server.open();
        server.peer.add(RpcHeader.first(RpcHeader.ONE_WAY, 0, CallsService.TICK.index(), StillServer.callId(0)),
                RpcHeader.second(NUMBER.length - 1, 0, 0), NUMBER);
        server.poll();
        ends(0);
        assertEquals(0, server.impl.ticks.get());
    }

    @Test
    void aOneWayCallWhoseBodyLiesElsewhereEndsTheSession() {
        server.open();
        server.peer.add(RpcHeader.first(RpcHeader.ONE_WAY, RpcHeader.RENDEZVOUS, CallsService.TICK.index(), 0),
                RpcHeader.second(12, 0, 0), new byte[RpcHeader.DESCRIPTOR_BYTES]);
        server.poll();
        ends(0);
    }

    // ---- one way

    private void tick(int times) {
        for (int i = 0; i < times; i++) {
            server.comes(RpcHeader.ONE_WAY, CallsService.TICK.index(), StillServer.callId(0), NUMBER);
        }
        server.poll();
    }

    @Test
    void aQuarterOfTheCreditsComesBackAlone() {
        server.open();
        int batch = StillServer.CREDITS / 4;
        tick(batch - 1);
        assertEquals(List.of(), server.peer.sent);
        tick(1);
        assertEquals(1, server.peer.sent.size());
        assertEquals(RpcHeader.CREDIT, server.peer.last().kind());
        assertEquals(batch, server.peer.last().credits());
        tick(2 * batch);
        assertEquals(3, server.peer.sent.size());
    }

    @Test
    void fewerCreditsComeBackWithAnAnswer() {
        server.open();
        tick(2);
        server.call(1, CallsService.ECHO, THREE);
        assertEquals(1, server.peer.sent.size());
        assertEquals(2, server.peer.last().credits());
        server.call(1, CallsService.ECHO, THREE);
        assertEquals(0, server.peer.last().credits());
    }

    @Test
    void theCreditOfAHeavyOneWayCallComesBackWhenItIsQueuedNoMore() {
        server.open();
        for (int i = 0; i < StillServer.CREDITS / 4; i++) {
            server.comes(RpcHeader.ONE_WAY, CallsService.TICK_HEAVY.index(), StillServer.callId(0), NUMBER);
        }
        server.poll();
        assertEquals(List.of(), server.peer.sent);
        assertTrue(server.core.heavyCalls().hasOneWays());
        server.executor.run();
        server.poll();
        assertEquals(StillServer.CREDITS / 4, server.peer.last().credits());
        assertFalse(server.core.heavyCalls().hasOneWays());
    }

    @Test
    void cancelsAndReleasesTakeACreditWhateverTheyAreOf() {
        server.open();
        for (int slot : new int[] {0, StillServer.SLOTS, StillServer.SLOTS + 1}) {
            server.comes(RpcHeader.CANCEL, 0, StillServer.callId(slot), new byte[0]);
        }
        server.poll();
        assertEquals(RpcHeader.CREDIT, server.peer.last().kind());
        for (int slot : new int[] {0, StillServer.SLOTS, StillServer.SLOTS + 1}) {
            server.comes(RpcHeader.RELEASE, 0, StillServer.callId(slot), new byte[0]);
        }
        server.poll();
        assertEquals(2, server.peer.sent.size());
        assertTrue(server.session.isConnected());
    }

    // ---- heavy

    @Test
    void aHeavyCallIsAnsweredWhenItsHandlerIsThrough() {
        server.open();
        server.call(1, CallsService.ECHO_HEAVY, THREE);
        assertEquals(List.of(), server.peer.sent);
        assertEquals(1, server.session.open());
        server.executor.run();
        server.poll();
        assertArrayEquals(THREE, server.peer.last().bytes());
        assertEquals(1, server.peer.last().slot());
        assertEquals(0, server.session.open());
    }

    @Test
    void aHeavyCallThatIsCancelledBeforeItRunsDoesNotRun() {
        server.open();
        server.call(1, CallsService.ECHO_HEAVY, THREE);
        server.comes(RpcHeader.CANCEL, 0, StillServer.callId(1), new byte[0]);
        server.poll();
        server.executor.run();
        server.poll();
        answered(1, Status.CANCELLED, "caller gave up before the handler ran");
    }

    @Test
    void aCancelOfAnotherCallIsNoneOfThisOne() {
        server.open();
        server.call(1, CallsService.ECHO_HEAVY, THREE);
        server.comes(RpcHeader.CANCEL, 0, RpcHeader.callId(1, 5), new byte[0]);
        server.comes(RpcHeader.CANCEL, 0, StillServer.callId(2), new byte[0]);
        server.poll();
        server.executor.run();
        server.poll();
        assertArrayEquals(THREE, server.peer.last().bytes());
    }

    private static byte[] withDeadline(byte[] body, long deadlineNs) {
        return StillServer.bytes(writer -> {
            for (byte b : body) {
                writer.writeByte(b);
            }
            writer.writeLong(deadlineNs);
            writer.writeCount(0);
        });
    }

    @Test
    void aHeavyCallThatIsLateDoesNotRun() {
        server.open();
        byte[] bytes = withDeadline(THREE, 1000);
        for (int slot = 1; slot <= 2; slot++) {
            server.peer.add(RpcHeader.first(RpcHeader.REQUEST, 0, CallsService.ECHO_HEAVY.index(),
                    StillServer.callId(slot)), RpcHeader.second(THREE.length, 0, 12), bytes);
        }
        server.poll();
        server.nowNs += 999;
        server.executor.tasks.poll().run();
        server.nowNs += 1;
        server.executor.run();
        server.poll();
        assertArrayEquals(THREE, server.peer.sent.get(0).bytes(), "a nanosecond was left");
        answered(2, Status.DEADLINE_EXCEEDED, "deadline passed before the handler ran: "
                + CallsService.ECHO_HEAVY.fullName());
    }

    @Test
    void anExecutorThatTakesNoMoreIsToldOf() {
        server.open();
        server.executor.refusal = new RejectedExecutionException("planted");
        server.call(1, CallsService.ECHO_HEAVY, THREE);
        answered(1, Status.UNAVAILABLE, "server's executor takes no more calls: planted");
        server.executor.refusal = new OutOfMemoryError("planted");
        server.call(1, CallsService.ECHO_HEAVY, THREE);
        answered(1, Status.RESOURCE_EXHAUSTED,
                "server's executor cannot run a call: java.lang.OutOfMemoryError: planted");
        server.comes(RpcHeader.ONE_WAY, CallsService.TICK_HEAVY.index(), StillServer.callId(0), NUMBER);
        server.poll();
        assertFalse(server.core.heavyCalls().hasOneWays());
        server.executor.refusal = null;
        server.call(1, CallsService.ECHO_HEAVY, THREE);
        server.executor.run();
        server.poll();
        assertArrayEquals(THREE, server.peer.last().bytes());
    }

    @Test
    void soManyHeavyCallsWaitForTheExecutorAndOneWayCallsDoNotCount() {
        server.close();
        server = new StillServer(options -> options.settings().queuedCalls(2));
        server.open();
        server.comes(RpcHeader.ONE_WAY, CallsService.TICK_HEAVY.index(), StillServer.callId(0), NUMBER);
        server.call(0, CallsService.ECHO_HEAVY, THREE);
        server.call(1, CallsService.ECHO_HEAVY, THREE);
        assertEquals(List.of(), server.peer.sent);
        server.call(2, CallsService.ECHO_HEAVY, THREE);
        answered(2, Status.RESOURCE_EXHAUSTED, "too many heavy calls wait for the executor: waiting=2 limit=2");
        server.comes(RpcHeader.ONE_WAY, CallsService.TICK_HEAVY.index(), StillServer.callId(0), NUMBER);
        server.executor.run();
        server.poll();
        server.executor.run();
        server.call(2, CallsService.ECHO_HEAVY, THREE);
        server.executor.run();
        server.poll();
        assertArrayEquals(THREE, server.peer.last().bytes());
        assertEquals(2, server.impl.ticks.get() + server.impl.ticksOutOfOrder.get());
    }

    // ---- long

    private static long longFirst(int slot, int method) {
        return RpcHeader.first(RpcHeader.REQUEST, RpcHeader.RENDEZVOUS, method, StillServer.callId(slot));
    }

    @Test
    void aLongRequestIsFetchedAndItsMemoryGivenBackWithTheAnswer() {
        server.open();
        server.peer.add(longFirst(1, CallsService.COUNT.index()), RpcHeader.second(1 << 14, 0, 0),
                new byte[RpcHeader.DESCRIPTOR_BYTES]);
        server.poll();
        assertEquals(1, server.peer.sent.size());
        assertEquals(Status.OK.code(), server.peer.last().status());
        assertFalse(server.session.isUnfinished());
        server.session.bury();
        assertTrue(server.bodies.isWhole());
    }

    @Test
    void aLongRequestBeyondTheLimitIsRefusedBeforeItCostsAnything() {
        server.open();
        int limit = 1 << 20;
        server.peer.add(longFirst(1, CallsService.COUNT.index()), RpcHeader.second(limit, 0, 1),
                new byte[RpcHeader.DESCRIPTOR_BYTES]);
        server.poll();
        answered(1, Status.RESOURCE_EXHAUSTED, "arguments are longer than the limit: bytes=1048577 limit=1048576");
        server.peer.add(longFirst(1, CallsService.COUNT.index()), RpcHeader.second(-1, 0, 0),
                new byte[RpcHeader.DESCRIPTOR_BYTES]);
        server.poll();
        answered(1, Status.RESOURCE_EXHAUSTED, "arguments are longer than the limit: bytes=-1 limit=1048576");
        assertTrue(server.session.isConnected());
    }

    @Test
    void aLongRequestOfAMethodThatIsNotOpenIsNotFetched() {
        server.peer.add(longFirst(1, CallsService.COUNT.index()), RpcHeader.second(1 << 14, 0, 0),
                new byte[RpcHeader.DESCRIPTOR_BYTES]);
        server.poll();
        assertEquals(Status.FAILED_PRECONDITION.code(), server.peer.last().status());
        server.open();
        server.drain();
        server.peer.add(longFirst(1, CallsService.COUNT.index()), RpcHeader.second(1 << 14, 0, 0),
                new byte[RpcHeader.DESCRIPTOR_BYTES]);
        server.poll();
        answered(1, Status.UNAVAILABLE, "server is shutting down");
    }

    @Test
    void aLongAnswerLiesElsewhereUntilItIsReleased() {
        server.open();
        byte[] sized = StillServer.bytes(writer -> {
            writer.writeInt(5000);
            writer.writeInt(1);
        });
        server.call(1, CallsService.SIZED, sized);
        assertEquals(RpcHeader.RENDEZVOUS, server.peer.last().flags());
        assertEquals(5004, server.peer.last().bodyLength());
        assertEquals(RpcHeader.DESCRIPTOR_BYTES, server.peer.last().bytes().length);
        server.comes(RpcHeader.RELEASE, 0, RpcHeader.callId(1, 5), new byte[0]); // of another call
        server.comes(RpcHeader.RELEASE, 0, StillServer.callId(1), new byte[0]);
        server.poll();
        server.session.bury();
        assertTrue(server.bodies.isWhole());
        assertTrue(server.peer.isClosed());
        assertFalse(server.peer.isConnected());
    }

    // ---- the end

    @Test
    void aHeavyCallThatOutlivesItsSessionGivesItsMemoryBack() {
        server.open();
        server.call(1, CallsService.ECHO_HEAVY, THREE);
        server.session.bury();
        assertTrue(server.bodies.isWhole());
        server.executor.run();
        assertEquals(List.of(), server.peer.sent);
    }

    @Test
    void theWordThatNoCallsAreTakenIsSentOnce() {
        server.open();
        server.session.goAway();
        assertTrue(server.session.isUnfinished());
        server.poll();
        assertEquals(1, server.peer.sent.size());
        assertEquals(RpcHeader.GO_AWAY, server.peer.last().kind());
        assertFalse(server.session.isUnfinished());
    }

    @Test
    void aSessionWhoseLinkFailsHasEnded() {
        server.open();
        server.peer.fail("planted");
        assertTrue(server.session.isConnected());
        server.poll();
        assertFalse(server.session.isConnected());
        assertTrue(server.session.isUnfinished());
    }
}
