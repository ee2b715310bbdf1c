package org.jvrpc.runtime.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.auth.RpcPrincipal;
import org.jvrpc.runtime.guard.Guard;
import org.jvrpc.runtime.guard.GuardOptions;
import org.jvrpc.runtime.guard.Who;
import org.jvrpc.runtime.thread.Environment;

/** How one side of a message session ends, step by step. */
class FrameEndTest {

    private static final long LINGER_NS = 2_000_000_000L;
    private static final long PAUSED_LINGER_NS = 60_000_000_000L;

    private final StillFrames side = new StillFrames();
    private final FramePeer peer = side.peer;

    // ---- this side closes

    @Test
    void whoClosesSaysSoOnceAndIsToldWhenThePeerHasSaidItToo() {
        assertTrue(side.session.isOpen());
        side.session.close();
        side.session.close();
        assertEquals(1, side.interests, "a poll is to find it");
        assertFalse(side.session.isOpen());
        assertEquals(0, side.poll());
        assertEquals(List.of("BYE"), peer.sent());
        assertEquals(1, peer.wakes);
        assertEquals(0, side.poll());
        assertEquals(List.of(), peer.sent());
        assertEquals(List.of(), side.told());
        peer.bye();
        assertEquals(2, side.poll(), "the message, and the end");
        assertEquals(List.of("closed"), side.told());
        assertTrue(side.session.isOver());
        assertEquals(List.of(), peer.sent());
    }

    @Test
    void whoClosesIsToldWhenThePeerIsGone() {
        side.session.close();
        side.poll();
        peer.connected = false;
        assertEquals(1, side.poll());
        assertEquals(List.of("closed"), side.told());
    }

    @Test
    void whatIsQueuedLeavesBeforeTheWordThatNoMoreComes() {
        side.send(40);
        peer.sent();
        side.session.close();
        side.poll();
        assertEquals(List.of(), peer.sent());
        peer.credits(1);
        side.poll();
        assertEquals(List.of("0: DATA 4 +0 8/8 xxxxxxxx", "BYE"), peer.sent());
    }

    @Test
    void whatWaitsInTheLinkLeavesBeforeTheWordThatNoMoreComes() {
        peer.behind = true;
        side.session.close();
        side.poll();
        assertEquals(List.of(), peer.sent());
        peer.behind = false;
        side.poll();
        assertEquals(List.of("BYE"), peer.sent());
    }

    @Test
    void theWordThatNoMoreComesWaitsForRoomAndIsNotWaitedFor() {
        peer.control = false;
        side.session.close();
        side.poll();
        assertEquals(List.of(), peer.sent());
        peer.control = true;
        side.poll();
        assertEquals(List.of("BYE"), peer.sent());
    }

    @Test
    void aPeerThatTakesTooLongIsNotWaitedFor() {
        side.session.close();
        side.nowNs += LINGER_NS;
        side.session.close();
        side.poll();
        assertEquals(List.of(), side.told());
        side.nowNs++;
        assertEquals(1, side.poll());
        assertEquals(List.of("closed"), side.told());
    }

    @Test
    void aPeerThatLeavesWhileSomeIsQueuedIsNotWaitedFor() {
        side.send(40);
        side.session.close();
        peer.connected = false;
        side.poll();
        assertEquals(List.of("closed: the peer is gone"), side.told());
    }

    @Test
    void whatComesToWhoClosesIsDroppedAndItsCreditsAreGiven() {
        side.session.close();
        peer.frame("a");
        peer.frame("b");
        side.poll();
        assertEquals(List.of(), side.told());
        assertEquals(List.of("4: CREDIT +2", "BYE"), peer.sent());
    }

    @Test
    void whatIsHeldOfWhoClosesIsDropped() {
        side.session.pause();
        peer.frame("a");
        peer.frame("b");
        side.poll();
        side.session.close();
        peer.wakes = 0;
        assertEquals(2, side.poll());
        assertEquals(List.of(), side.told());
        assertEquals(List.of("BYE"), peer.sent());
        assertEquals(1, peer.wakes, "for that word alone");
    }

    // ---- the peer closes, or is gone

    @Test
    void aPeerThatClosesIsHeardBehindItsFramesAndNotAnswered() {
        peer.frame("a");
        peer.bye();
        assertEquals(3, side.poll(), "two messages, and the end");
        assertEquals(List.of("frame a", "closed"), side.told());
        assertEquals(List.of(), peer.sent());
    }

    @Test
    void nothingIsTakenBehindTheWordThatNoMoreComes() {
        side.session.pause();
        peer.frame("a");
        peer.bye();
        peer.frame("b");
        assertEquals(2, side.poll());
        assertEquals(2, peer.polls);
        side.session.resume();
        side.poll();
        assertEquals(List.of("frame a", "closed"), side.told());
        assertEquals(2, peer.polls);
    }

    @Test
    void aPeerThatIsGoneIsToldBehindItsFrames() {
        assertTrue(side.session.isPeerThere());
        peer.frame("a");
        peer.frame("b");
        peer.connected = false;
        assertFalse(side.session.isPeerThere());
        assertEquals(1, side.session.poll(1));
        assertEquals(List.of("frame a"), side.told(), "some may be left");
        side.poll();
        assertEquals(List.of("frame b", "closed: the peer is gone"), side.told());
    }

    @Test
    void aLinkThatIsBrokenIsToldByItsReason() {
        peer.fail("planted");
        assertEquals(1, side.poll());
        assertEquals(List.of("closed: planted"), side.told());
    }

    /** What came between the two looks is taken by the next poll. */
    @Test
    void aPeerThatGoesWhileItIsPolledIsToldByTheNextPoll() {
        peer.frame("a");
        peer.whenPolled = () -> peer.connected = false;
        side.poll();
        assertEquals(List.of("frame a"), side.told());
        side.poll();
        assertEquals(List.of("closed: the peer is gone"), side.told());
    }

    @Test
    void whatAPausedSessionHoldsWaitsForAMinuteWhenThePeerIsGone() {
        side.session.pause();
        peer.frame("a");
        peer.connected = false;
        assertEquals(1, side.poll());
        side.nowNs += PAUSED_LINGER_NS;
        assertEquals(0, side.poll());
        assertEquals(List.of(), side.told());
        side.nowNs++;
        assertEquals(1, side.poll());
        assertEquals(List.of("closed: the peer is gone"), side.told());
    }

    @Test
    void theMinuteBeginsWhenThePeerGoes() {
        side.session.pause();
        peer.frame("a");
        side.poll();
        side.nowNs += 2 * PAUSED_LINGER_NS;
        peer.bye();
        side.poll();
        side.nowNs += PAUSED_LINGER_NS;
        side.poll();
        assertEquals(List.of(), side.told());
        side.nowNs++;
        side.poll();
        assertEquals(List.of("closed"), side.told());
    }

    // ---- handlers that end it

    @Test
    void aHandlerThatThrowsEndsItsSession() {
        side.does = what -> {
            if (what.equals("frame a")) {
                throw new IllegalStateException("planted");
            }
        };
        peer.frame("a");
        peer.frame("b");
        assertEquals(1, side.poll());
        assertEquals(List.of("frame a", "closed: planted"), side.told());
        assertEquals(List.of(), peer.sent(), "it was broken, not closed");
    }

    @Test
    void anErrorOfAHandlerEndsItsSession() {
        side.does = what -> {
            if (what.equals("frame a")) {
                throw new AssertionError("planted");
            }
        };
        peer.frame("a");
        side.poll();
        assertEquals(List.of("frame a", "closed: planted"), side.told());
    }

    @Test
    void aHandlerThatFailsAtTheEndIsTheFailureOfItsThread() {
        RuntimeException planted = new IllegalStateException("planted");
        List<Throwable> uncaught = new ArrayList<>();
        side.does = what -> {
            throw planted;
        };
        Thread current = Thread.currentThread();
        Thread.UncaughtExceptionHandler before = current.getUncaughtExceptionHandler();
        current.setUncaughtExceptionHandler((thread, e) -> uncaught.add(e));
        try {
            side.session.end(null);
        } finally {
            current.setUncaughtExceptionHandler(before);
        }
        assertEquals(1, uncaught.size());
        assertSame(planted, uncaught.get(0));
    }

    private void endsAt(String told) {
        side.does = what -> {
            if (what.equals(told)) {
                side.session.end(null);
                side.session.bury();
            }
        };
    }

    @Test
    void aHandlerThatEndsItsClientAtAFrameHearsNothingMore() {
        endsAt("frame a");
        peer.frame("a");
        peer.frame("b");
        side.poll();
        assertEquals(List.of("frame a", "closed"), side.told());
    }

    @Test
    void aHandlerThatEndsItsClientWhenAllHasLeftHearsNothingMore() {
        endsAt("drained");
        side.send(40);
        peer.piece("a", 1, 1);
        side.poll();
        assertEquals(List.of("drained", "closed"), side.told());
    }

    @Test
    void aSessionThatEndsWhileAMessageIsTakenGivesNoCredits() {
        peer.frame("a");
        side.poll();
        peer.frame("b");
        peer.whenPolled = () -> side.session.end(new IllegalStateException("planted"));
        side.poll();
        assertEquals(List.of(), peer.sent());
    }

    // ---- the end itself

    @Test
    void theEndIsSaidAndToldOnce() {
        side.session.end(null);
        side.session.end(new IllegalStateException("planted"));
        assertEquals(List.of("BYE"), peer.sent());
        assertEquals(1, peer.wakes);
        assertEquals(List.of("closed"), side.told());
        assertFalse(side.session.isOpen());
        assertTrue(side.session.isOver());
    }

    @Test
    void whatIsQueuedAndHeldIsGone() {
        side.session.pause();
        peer.frame("a");
        side.poll();
        side.send(40);
        side.session.end(new IllegalStateException("planted"));
        assertEquals(0, side.session.queuedBytes());
        assertEquals(0, side.poll());
        assertEquals(List.of("closed: planted"), side.told());
    }

    @Test
    void aSessionThatIsBrokenIsNotSaidToBeClosed() {
        side.session.end(new IllegalStateException("planted"));
        assertEquals(List.of(), peer.sent());
    }

    @Test
    void nothingIsSaidByALinkThatIsBroken() {
        peer.fail("planted");
        side.session.end(null);
        assertEquals(List.of(), peer.sent());
    }

    @Test
    void nothingIsSaidToAPeerThatIsGone() {
        peer.connected = false;
        side.session.end(null);
        assertEquals(List.of(), peer.sent());
    }

    @Test
    void nothingIsSaidThatFindsNoRoom() {
        peer.control = false;
        side.session.end(null);
        assertEquals(List.of(), peer.sent());
    }

    @Test
    void nothingIsSaidTwice() {
        side.session.close();
        side.poll();
        peer.sent();
        side.session.end(null);
        assertEquals(List.of(), peer.sent());
    }

    @Test
    void nothingIsSaidToAPeerThatHasLeft() {
        side.session.pause();
        peer.frame("a");
        peer.bye();
        side.poll();
        side.session.end(null);
        assertEquals(List.of(), peer.sent());
    }

    @Test
    void aSessionThatIsBuriedGivesEverythingBack() {
        side.session.bury();
        assertTrue(side.session.isOver());
        assertEquals(List.of("disconnect", "close"), peer.did);
        assertTrue(side.freed);
        side.session.close();
        assertEquals(0, side.interests, "there is nothing to close");
        assertFalse(side.send("a"));
    }

    /** Else its principal would have a session for ever, and one less of those that they may have. */
    @Test
    void aSessionWhoseMemoryIsNotGivenBackCountsNoMoreAllTheSame() throws Exception {
        List<String> ends = new ArrayList<>();
        try (Guard guard = new Guard(new GuardOptions(), Environment.SYSTEM, "end")) {
            side.session.behind(guard.gate(1, Who.of(RpcPrincipal.anonymous()), ends::add));
            side.session.gate().begin();
            peer.stuck = new IllegalStateException("stuck");
            assertSame(peer.stuck, assertThrows(IllegalStateException.class, side.session::bury));
            guard.revoke(who -> true).close();
            assertEquals(List.of(), ends, "it is over");
        }
    }
}
