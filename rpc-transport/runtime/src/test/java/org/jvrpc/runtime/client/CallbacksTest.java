package org.jvrpc.runtime.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.contract.CallsService;
import org.jvrpc.runtime.session.FuzzBodyPool;
import org.jvrpc.runtime.session.RpcHeader;

/** When callbacks are called, and on which thread; step by step. */
final class CallbacksTest extends CallbackRig {

    @Test
    void eachIsCalledOnceByAPoll() {
        start("a");
        start("b");
        answer(1);
        answer(0);
        assertEquals(List.of(), heard);
        assertTrue(poll());
        assertEquals(List.of("b 2", "a 1"), heard);
        assertFalse(poll());
        assertEquals(2, heard.size());
        assertEquals(0, session.attendance().asyncCalls());
        assertEquals(StillClient.SLOTS, freeSlots());
    }

    @Test
    void everyKindOfResultIsHandedOver() {
        write(CallsService.ECHO, 1).invokeCallbackLong((in, thrown) -> in.readLong(), (v, f) -> heard.add("l" + v + f));
        write(CallsService.ECHO, 1).invokeCallbackDouble(
                (in, thrown) -> in.readDouble(), (v, f) -> heard.add("d" + v + f));
        write(CallsService.ECHO, 1).<String>invokeCallback(
                (in, thrown) -> in.readString(), (v, f) -> heard.add("s" + v + f));
        write(CallsService.ECHO, 1).invokeCallbackInt((in, thrown) -> in.readInt(), (v, f) -> heard.add("i" + v + f));
        peer.answers(callIds().get(0), Status.OK, new byte[] {5, 0, 0, 0, 0, 0, 0, 0});
        peer.answers(callIds().get(1), Status.OK, new byte[8]);
        peer.answers(callIds().get(2), Status.OK, StillClient.text("text"));
        peer.answers(callIds().get(3), Status.OK, new byte[] {6, 0, 0, 0});
        poll();
        assertEquals(List.of("l5null", "d0.0null", "stextnull", "i6null"), heard);
    }

    @Test
    void aFailureIsHandedOver() {
        start("a");
        peer.answers(callIds().get(0), Status.RESOURCE_EXHAUSTED, StillClient.text("no room"));
        poll();
        assertEquals(List.of("a no room"), heard);
    }

    @Test
    void whatTheReaderThrowsIsHandedOver() {
        Throwable[] seen = new Throwable[1];
        IllegalStateException declared = new IllegalStateException("declared");
        write(CallsService.ECHO, 1).<String>invokeCallback((in, thrown) -> {
            throw declared;
        }, (result, failure) -> seen[0] = failure);
        answer(0);
        poll();
        assertEquals(declared, seen[0]);
        assertEquals(StillClient.SLOTS, freeSlots());
    }

    @Test
    void whatACallbackThrowsIsItsOwnAffair() {
        inCallback = () -> {
            throw new IllegalStateException("planted");
        };
        start("a");
        start("b");
        answer(0);
        answer(1);
        poll();
        assertEquals(List.of("a 1", "b 2"), heard);
    }

    @Test
    void whereTheCallIsNotMadeTheStubThrowsAndNothingIsCalled() {
        session.end();
        ClientSlot slot = write(CallsService.ECHO, 1);
        RpcException e = assertThrows(RpcException.class, () -> slot.invokeCallbackInt(SIZE, (size, failure) ->
                heard.add("called")));
        assertEquals(Status.UNAVAILABLE, e.status());
        poll();
        assertEquals(List.of(), heard);
        assertEquals(StillClient.SLOTS, freeSlots());
    }

    @Test
    void theSlotIsFreeInTheCallback() {
        for (int i = 0; i < StillClient.SLOTS; i++) {
            start("a" + i);
        }
        inCallback = () -> assertEquals(1, freeSlots());
        answer(2);
        poll();
        assertEquals(List.of("a2 3"), heard);
    }

    @Test
    void aLongAnswerIsDecodedAndGivenBack() {
        start("a");
        peer.answersLong(callIds().get(0), FuzzBodyPool.SOON_BYTES);
        for (int i = 0; i < 5; i++) {
            poll();
        }
        assertEquals(List.of("a " + FuzzBodyPool.SOON_BYTES), heard);
        assertEquals(0, client.bodies.out());
    }

    @Test
    void whoFindsNoSlotHasThoseFreedWhoseCallbacksAreDue() {
        start("a");
        start("b");
        start("c");
        start("d");
        answer(1);
        peer.answersLong(callIds().get(0), FuzzBodyPool.SOON_BYTES);
        peer.answers(callIds().get(3), Status.NOT_FOUND, StillClient.text("none"));
        peer.answers(callIds().get(2), Status.OK, new byte[3]);
        for (int i = 0; i < 5; i++) {
            session.tryPoll();
        }
        assertEquals(0, freeSlots());
        ClientSlot slot = session.claim(client.time.nowNs + StillClient.DEADLINE_NS);
        assertEquals(StillClient.SLOTS - 1, freeSlots());
        assertEquals(List.of(), heard);
        slot.close();
        client.onEventThread(client.owner::callBack);
        assertEquals(Set.of("a " + FuzzBodyPool.SOON_BYTES, "b 2", "c 3", "d none"), Set.copyOf(heard));
        assertEquals("b 2", heard.get(0), "in the order of their ends");
        assertEquals(4, heard.size());
        assertEquals(0, client.bodies.out());
    }

    /** Has all slots taken by calls whose callbacks are due, and somebody find one nevertheless. */
    private void detach(String names) {
        int before = callIds().size();
        for (int i = 0; i < StillClient.SLOTS; i++) {
            start(names.substring(i, i + 1));
            answer(before + i);
        }
        session.tryPoll();
        client.wakes();
        session.claim(client.time.nowNs + StillClient.DEADLINE_NS).close();
    }

    @Test
    void thoseThatTheOwnerIsAtAreNotTakenForOthers() {
        detach("abcd");
        inCallback = () -> {
            inCallback = () -> { };
            client.onEventThread(() -> detach("efgh"));
        };
        poll();
        assertEquals(List.of("a", "b", "c", "d", "e", "f", "g", "h"),
                heard.stream().map(text -> text.substring(0, 1)).toList());
    }

    @Test
    void aThreadThatPollsIsNotKeptByCallbacksForEver() {
        start("a");
        int[] calls = {0};
        inCallback = () -> { // another thread polls the next answer meanwhile
            if (++calls[0] < 100) {
                start("a");
                client.time.nowNs += 1;
                answer(callIds().size() - 1);
                session.tryPoll();
            }
        };
        answer(0);
        client.wakes();
        poll();
        assertTrue(calls[0] < 10, "callbacks in one poll: " + calls[0]);
        assertTrue(session.callbacks().areDue());
        assertTrue(client.wakes() > 0, "the event thread goes on");
    }

    @Test
    void oneWhoseThreadThrewIsTheOnlyOneThatDid() {
        write(CallsService.ECHO, 1).invokeCallbackInt((in, thrown) -> {
            throw new StackOverflowError("planted");
        }, (size, failure) -> heard.add("x " + failure));
        start("b");
        answer(0);
        answer(1);
        poll();
        assertEquals(List.of("x java.lang.StackOverflowError: planted", "b 2"), heard);
    }

    // ---- the thread

    @Test
    void whoHasACallOfItsOwnLeavesThemToTheEventThread() {
        start("a");
        ClientSlot own = write(CallsService.ECHO, 1);
        peer.whenSent = () -> {
            answer(0);
            answer(1);
        };
        client.wakes();
        own.invoke();
        peer.whenSent = () -> { };
        own.close();
        assertEquals(List.of(), heard);
        assertEquals(1, client.wakes());
        client.onEventThread(client.owner::callBack);
        assertEquals(List.of("a 1"), heard);
    }

    @Test
    void oneThatIsCalledMeanwhileIsCalledNext() {
        start("a");
        start("b");
        inCallback = () -> {
            inCallback = () -> { };
            answer(1);
            assertTrue(session.tryPoll(ClientEvents.Where.HERE));
            assertEquals(List.of("a 1"), heard, "not within the other");
        };
        answer(0);
        poll();
        assertEquals(List.of("a 1", "b 2"), heard);
    }

    @Test
    void otherThreadsLeaveThemToTheOneThatIsAtIt() {
        start("a");
        start("b");
        inCallback = () -> {
            inCallback = () -> { };
            answer(1);
            client.onEventThread(() -> session.tryPoll(ClientEvents.Where.HERE));
            assertEquals(List.of("a 1"), heard);
        };
        answer(0);
        poll();
        assertEquals(List.of("a 1", "b 2"), heard);
    }

    @Test
    void oneThatWaitsLeavesTheOthersToOtherThreads() {
        start("a");
        start("b");
        start("c");
        inCallback = () -> {
            inCallback = () -> { };
            client.wakes();
            session.callbacks().leave();
            assertEquals(1, client.wakes(), "the event thread is told");
            client.onEventThread(client.owner::callBack);
            assertEquals(List.of("a 1", "b 2", "c 3"), heard);
        };
        answer(0);
        answer(1);
        answer(2);
        poll();
        assertEquals(List.of("a 1", "b 2", "c 3"), heard, "none twice");
        start("d");
        answer(3);
        poll();
        assertEquals("d 4", heard.get(3), "and it goes on");
    }

    // ---- the end

    @Test
    void oneWhoseTimeIsOverHearsOfItOnceAndItsSlotStaysTaken() {
        start("a");
        client.time.nowNs += StillClient.DEADLINE_NS;
        session.tick(client.time.nowNs);
        assertEquals(List.of(), heard);
        client.time.nowNs += 1;
        session.tick(client.time.nowNs);
        client.onEventThread(client.owner::callBack);
        assertEquals(List.of("a no answer in time: org.jvrpc.runtime.contract.Calls/echo"), heard);
        assertEquals(RpcHeader.CANCEL, peer.last().kind());
        assertEquals(StillClient.SLOTS - 1, freeSlots());
        peer.answers(peer.sent.get(0).callId(), Status.OK, new byte[1]);
        poll();
        assertEquals(1, heard.size());
        assertEquals(StillClient.SLOTS, freeSlots());
        assertEquals(0, session.attendance().asyncCalls());
    }

    @Test
    void thoseUnderWayHearThatTheSessionIsLost() {
        start("a");
        start("b");
        session.end();
        client.onEventThread(session.callbacks()::run);
        assertEquals(Set.of("a connection to still is lost: peer is gone",
                "b connection to still is lost: peer is gone"), Set.copyOf(heard));
        assertEquals(2, heard.size());
        assertEquals(StillClient.SLOTS, freeSlots());
    }

    @Test
    void theOneInHandWhenTheSessionIsLostIsAnswered() {
        start("a");
        answer(0);
        session.end();
        client.onEventThread(session.callbacks()::run);
        assertEquals(List.of("a 1"), heard);
    }

    @Test
    void aLostSessionGoesBehindCallbacksWhoseSlotsWereFreedForOthers() {
        detach("abcd");
        session.end();
        client.owner.lookAfterDraining();
        client.onEventThread(client.owner::callBack);
        assertEquals(List.of("a 1", "b 2", "c 3", "d 4"), heard);
        client.owner.lookAfterDraining();
        assertTrue(client.core.draining().isEmpty());
    }

    @Test
    void aSessionThatDrainsGoesBehindTheCallbacksOfCallsThatAreGivenUp() {
        start("a");
        client.core.leave();
        client.time.nowNs += StillClient.DEADLINE_NS + 1;
        client.owner.lookAfterDraining(); // which gives it up
        client.onEventThread(client.owner::callBack);
        assertEquals(List.of("a no answer in time: org.jvrpc.runtime.contract.Calls/echo"), heard);
        client.owner.lookAfterDraining();
        assertTrue(client.core.draining().isEmpty());
    }

    @Test
    void aSessionIsNotOverWhileAThreadIsAtItsCallbacks() {
        detach("abcd");
        session.end();
        List<Boolean> over = new ArrayList<>();
        inCallback = () -> over.add(session.isDrained());
        client.onEventThread(session.callbacks()::run);
        assertEquals(List.of(false, false, false, false), over);
        assertTrue(session.isDrained());
    }
}
