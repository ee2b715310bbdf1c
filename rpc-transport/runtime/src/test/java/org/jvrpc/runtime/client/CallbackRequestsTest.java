package org.jvrpc.runtime.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.contract.CallsService;

/** What leaves with the calls that callbacks make; step by step. */
final class CallbackRequestsTest extends CallbackRig {

    /** Runs until one is timed again. */
    private static final int RUNS_PER_LOOK = 16;

    private void three() {
        start("x");
        start("y");
        start("z");
    }

    @Test
    void whatCallbacksAskForLeavesTogetherOnceTheyHaveRun() {
        letThemPack();
        inOne(() -> {
            three();
            assertEquals(List.of(), peer.sent);
        });
        assertEquals(1, peer.sent.size());
        assertEquals(3, callIds().size());
        assertEquals(3, session.attendance().asyncCalls());
        answer(0);
        answer(2);
        answer(1);
        poll();
        assertEquals(List.of("one 1", "x 1", "z 3", "y 2"), heard);
    }

    @Test
    void beforeOneRunWasTimedEachLeavesAlone() {
        inOne(this::three);
        assertEquals(3, peer.sent.size());
    }

    @Test
    void toAServerThatDoesNotTakeItEachLeavesAlone() {
        StillClient.Peer old = client.peer;
        for (int run = 0; run < 3; run++) {
            ClientSlot slot = client.write(CallsService.ECHO, null, 1);
            slot.invokeCallbackInt(SIZE, (size, failure) -> {
                for (int i = 0; i < 2; i++) {
                    client.write(CallsService.ECHO, null, 1).invokeCallbackInt(SIZE, (s, f) -> heard.add("x"));
                }
            });
            old.sent.clear();
            old.answers(slot.callId(), Status.OK, new byte[1]);
            client.session.tryPoll(ClientEvents.Where.HERE);
            assertEquals(2, old.sent.size());
            old.sent.forEach(sent -> old.answers(sent.callId(), Status.OK, new byte[1]));
            client.session.tryPoll(ClientEvents.Where.HERE);
        }
        assertEquals(6, heard.size());
    }

    @Test
    void aFullMessageLeavesAtOnce() {
        letThemPack();
        inOne(() -> {
            start("x", 24); // with the next header 40, 64 with its body
            start("y", 24);
            assertEquals(List.of(), peer.sent);
            start("z", 1);
            assertEquals(1, peer.sent.size(), "no room for a third");
        });
        assertEquals(List.of(2, 1), peer.sent.stream().map(sent -> callIds(sent).size()).toList());
    }

    @Test
    void oneThatIsLongGoesBehindThoseThatAreHeld() {
        letThemPack();
        inOne(() -> {
            start("x");
            start("y", 65);
            start("z");
        });
        assertEquals(List.of(1, 65, 1), peer.sent.stream().map(StillClient.Sent::bodyLength).toList());
    }

    @Test
    void whatACallbackSendsOtherwiseGoesBehindThoseThatAreHeld() {
        letThemPack();
        inOne(() -> {
            start("x");
            write(CallsService.ECHO, 2).invokeAsync((in, thrown) -> 0);
            start("y");
            write(CallsService.TICK, 8).send();
        });
        assertEquals(List.of(1, 2, 1, 8), peer.sent.stream().map(StillClient.Sent::bodyLength).toList());
    }

    @Test
    void aCallThatACallbackWaitsForGoesBehindThoseThatAreHeld() {
        letThemPack();
        inOne(() -> {
            start("x");
            ClientSlot own = write(CallsService.ECHO, 2);
            peer.whenSent = () -> peer.answers(peer.last().callId(), Status.OK, new byte[peer.sent.size()]);
            own.invoke();
            peer.whenSent = () -> { };
            own.close();
        });
        assertEquals(List.of(1, 2), peer.sent.stream().map(StillClient.Sent::bodyLength).toList());
        assertEquals(List.of("one 1", "x 1"), heard);
    }

    @Test
    void aHeavyCallLeavesAlone() {
        letThemPack();
        inOne(() -> {
            start("x");
            write(CallsService.ECHO_HEAVY, 1).invokeCallbackInt(SIZE, (size, failure) -> { });
            start("y");
        });
        assertEquals(3, peer.sent.size());
        assertTrue(peer.sent.get(1).extensionLength() > 0, "its deadline goes with it");
    }

    @Test
    void oneThatWaitsSendsWhatIsHeld() {
        letThemPack();
        inOne(() -> {
            start("x");
            session.callbacks().leave();
            assertEquals(1, peer.sent.size());
        });
    }

    @Test
    void whereCallbacksTakeLongEachLeavesAtOnce() {
        letThemPack();
        int rounds = RUNS_PER_LOOK / 2; // two runs each, of which the last one's second is timed
        for (int i = 1; i <= rounds; i++) {
            assertTrue(leaveTogether(1000), "round=" + i);
        }
        for (int i = 1; i <= rounds; i++) {
            assertFalse(leaveTogether(999), "slow, round=" + i);
        }
        assertTrue(leaveTogether(999), "quick again");
    }

    /** Has a callback make two calls whose callbacks take so long; returns whether they leave together. */
    private boolean leaveTogether(long ns) {
        start("one");
        inCallback = () -> {
            inCallback = () -> client.time.nowNs += ns;
            start("x");
            start("y");
        };
        answer(callIds().size() - 1);
        peer.sent.clear();
        poll();
        boolean together = peer.sent.size() == 1;
        answer(0);
        answer(1);
        poll();
        peer.sent.clear();
        return together;
    }

    @Test
    void thoseThatAreHeldHearThatTheSessionIsLost() {
        letThemPack();
        inOne(() -> {
            start("x");
            session.end();
            start("y");
        });
        assertEquals(List.of(), peer.sent);
        assertEquals(3, heard.size());
        assertEquals(Set.of("x connection to still is lost: peer is gone",
                "y connection to still is lost: peer is gone"), Set.copyOf(heard.subList(1, 3)));
        assertEquals(StillClient.SLOTS, freeSlots());
        assertEquals(0, session.attendance().asyncCalls());
    }

    @Test
    void thoseOfAMessageThatMayNotHaveLeftHearOfIt() {
        letThemPack();
        inOne(() -> {
            start("x");
            start("y");
            peer.fault = new IllegalStateException("planted");
        });
        assertEquals(3, heard.size());
        assertEquals(Set.of("x connection to still is lost", "y connection to still is lost"),
                heard.subList(1, 3).stream().map(text -> text.split(":")[0]).collect(Collectors.toSet()));
    }

    @Test
    void anAnswerToACallThatIsHeldIsAProtocolError() {
        letThemPack();
        inOne(() -> {
            ClientSlot slot = write(CallsService.ECHO, 1);
            slot.invokeCallbackInt(SIZE, (size, failure) -> heard.add("x " + failure.getMessage()));
            peer.answers(slot.callId(), Status.OK, new byte[1]);
            session.tryPoll();
        });
        assertEquals(2, heard.size());
        assertTrue(heard.get(1).contains("protocol error, second answer to a call"), heard.get(1));
    }
}
