package org.jvrpc.runtime.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.jvrpc.runtime.session.MessageHeader;

/** What comes to one side of a message session, step by step: pieces of 8 bytes, of which 4 are under way. */
class FrameReceiveTest {

    private static final String EIGHT = "abcdefgh";
    private static final String SENSELESS = "closed: message makes no sense: kind=";

    private final StillFrames side = new StillFrames();
    private final FramePeer peer = side.peer;

    // ---- frames

    @Test
    void framesAreHandedOutWhole() {
        peer.frame("abc");
        peer.frame(EIGHT);
        peer.frame("");
        peer.piece(EIGHT, 10, 0);
        assertEquals(4, side.poll());
        assertEquals(List.of("frame abc", "frame abcdefgh", "frame "), side.told());
        peer.piece("ij", 2, 0);
        assertEquals(1, side.poll());
        assertEquals(List.of("frame abcdefghij"), side.told());
        assertEquals(0, side.poll());
    }

    @Test
    void aPollTakesNoMoreThanItIsTold() {
        for (int i = 0; i < 3; i++) {
            peer.frame("a");
        }
        assertEquals(2, side.session.poll(2));
        assertEquals(2, side.told().size());
        assertEquals(1, side.session.poll(2));
    }

    // ---- credits

    @Test
    void halfAWindowOfCreditsIsGivenByItself() {
        peer.frame("a");
        side.poll();
        assertEquals(List.of(), peer.sent());
        peer.frame("b");
        peer.frame("c");
        side.poll();
        assertEquals(List.of("4: CREDIT +2"), peer.sent());
        peer.frame("d");
        side.poll();
        assertEquals(List.of("5: CREDIT +2"), peer.sent());
    }

    @Test
    void whatIsSentGivesCreditsOnce() {
        peer.frame("a");
        side.poll();
        side.send("b");
        side.send("c");
        assertEquals(List.of("0: DATA 0 +1 1/1 b", "1: DATA 1 +0 1/1 c"), peer.sent());
        peer.frame("d");
        side.poll();
        assertEquals(List.of(), peer.sent(), "one credit is owed");
    }

    @Test
    void creditsHaveSlotsOfTheirOwnInTurns() {
        for (int i = 0; i < 20; i++) {
            peer.frame("a");
        }
        side.poll();
        assertEquals(List.of(4, 5, 6, 7, 8, 9, 10, 11, 4, 5),
                peer.sent().stream().map(sent -> Integer.valueOf(sent.split(":")[0])).toList());
    }

    @Test
    void creditsAloneCostNone() {
        side.send(4 * StillFrames.PIECE_BYTES);
        peer.sent();
        for (int i = 0; i < 4; i++) {
            peer.credits(1);
        }
        assertEquals(4, side.poll());
        assertEquals(List.of(), side.told());
        assertEquals(List.of(), peer.sent());
    }

    @Test
    void aPieceGivesCreditsToo() {
        side.send(40);
        peer.sent();
        peer.piece("a", 1, 1);
        side.poll();
        assertEquals(List.of("0: DATA 4 +1 8/8 xxxxxxxx"), peer.sent());
        assertEquals(List.of("drained", "frame a"), side.told());
    }

    @Test
    void aPeerGivesNoMoreCreditsThanItHas() {
        side.send(4 * StillFrames.PIECE_BYTES);
        peer.credits(4);
        side.poll();
        assertTrue(side.session.isOpen(), "just what was used");
        peer.credits(1);
        assertEquals(1, side.poll());
        assertEquals(List.of("closed: peer grants more than the window: credits=5"), side.told());
        assertFalse(side.session.isOpen());
    }

    // ---- what makes no sense

    private void endsWith(String text) {
        side.poll();
        assertEquals(List.of(text), side.told());
        assertTrue(side.session.isOver());
    }

    @Test
    void aKindOfMessageThatThereIsNotEndsTheSession() {
        peer.comes(MessageHeader.first(4, 0, 0), MessageHeader.second(1, 1), "a");
        endsWith(SENSELESS + "4 number=0 expected=0 length=1 bytes=17");
    }

    @Test
    void aPieceThatIsNotTheNextEndsTheSession() {
        peer.comes(MessageHeader.first(MessageHeader.DATA, 0, 1), MessageHeader.second(1, 1), "a");
        endsWith(SENSELESS + "1 number=1 expected=0 length=1 bytes=17");
    }

    @Test
    void aPieceOfLessThanNothingEndsTheSession() {
        peer.comes(MessageHeader.first(MessageHeader.DATA, 0, 0), MessageHeader.second(-1, 1), "a");
        endsWith(SENSELESS + "1 number=0 expected=0 length=-1 bytes=17");
    }

    @Test
    void aPieceThatIsLongerThanAgreedEndsTheSession() {
        peer.frame(EIGHT + "i");
        endsWith(SENSELESS + "1 number=0 expected=0 length=9 bytes=25");
    }

    @Test
    void aPieceThatIsLongerThanItsMessageEndsTheSession() {
        peer.comes(MessageHeader.first(MessageHeader.DATA, 0, 0), MessageHeader.second(2, 2), "a");
        endsWith(SENSELESS + "1 number=0 expected=0 length=2 bytes=17");
    }

    @Test
    void aFrameThatIsLongerThanThisSideTakesEndsTheSession() {
        peer.piece(EIGHT, StillFrames.MAX_FRAME + 1, 0);
        endsWith("closed: frame is longer than this side takes: bytes=1025 limit=1024");
    }

    // ---- pauses

    @Test
    void aPausedSessionTakesWhatComesAndHandsItOutLater() {
        side.session.pause();
        peer.frame("a");
        peer.frame("b");
        peer.frame("c");
        assertEquals(3, side.poll());
        assertEquals(List.of(), side.told());
        assertEquals(List.of(), peer.sent(), "no credit is given for what is held");
        assertEquals(0, side.interests);
        side.session.resume();
        assertEquals(1, side.interests);
        peer.frame("d");
        peer.wakes = 0;
        assertEquals(4, side.poll());
        assertEquals(List.of("frame a", "frame b", "frame c", "frame d"), side.told());
        assertEquals(List.of("4: CREDIT +2", "5: CREDIT +2"), peer.sent());
        assertEquals(3, peer.wakes, "credits of what was held are no answer to a message");
    }

    @Test
    void whatIsHeldAndGoesOnWaitsForTheNextPause() {
        side.session.pause();
        peer.frame("a");
        peer.frame("b");
        side.poll();
        side.does = what -> side.session.pause();
        side.session.resume();
        assertEquals(1, side.poll());
        assertEquals(List.of("frame a"), side.told());
    }

    @Test
    void aPausedSessionSendsAsItsPeerMakesRoom() {
        side.session.pause();
        side.send(40);
        peer.sent();
        peer.frame("a");
        peer.credits(1);
        side.poll();
        assertEquals(List.of("0: DATA 4 +0 8/8 xxxxxxxx"), peer.sent());
        assertEquals(List.of("drained"), side.told());
    }

    @Test
    void aPausedSessionHoldsNoMoreThanAWindow() {
        side.session.pause();
        for (int i = 0; i < 5; i++) {
            peer.frame("a");
        }
        endsWith("closed: peer sends more than it has credits for: window=4");
    }

    // ---- a peer that does not take what it has this side send

    private final StillFrames served = new StillFrames(new QueueBudget(256, 1000));

    /** Queues more than a session may have queued that takes frames; two pieces of that, or less, were too much. */
    private void fill() {
        assertTrue(served.send(32 + 64 + 9));
        served.peer.sent();
        served.peer.frame("a");
    }

    @Test
    void aSessionThatHasMuchQueuedHandsNothingOutUntilSomeHasLeft() {
        fill();
        served.poll();
        assertEquals(List.of(), served.told());
        served.peer.credits(1);
        assertEquals(1, served.session.poll(1));
        assertEquals(65, served.session.queuedBytes());
        served.poll();
        assertEquals(List.of(), served.told());
        served.peer.credits(1);
        served.poll();
        assertEquals(List.of("frame a"), served.told());
    }

    @Test
    void aPeerThatIsGoneTakesNothingSoThatItsFramesNeedNotWait() {
        fill();
        served.peer.connected = false;
        served.poll();
        assertEquals(List.of("frame a", "closed: the peer is gone"), served.told());
    }

    @Test
    void aPeerThatHasSaidItLeavesTakesNothingEither() {
        fill();
        served.peer.bye();
        served.poll();
        assertEquals(List.of("frame a", "closed"), served.told());
    }
}
