package org.jvrpc.runtime.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What one side of a message session sends, step by step: pieces of 8 bytes, of which 4 are under way. */
class FrameSendTest {

    private static final String EIGHT = "abcdefgh";

    private final StillFrames side = new StillFrames();
    private final FramePeer peer = side.peer;

    // ---- what there is room for

    @Test
    void aFrameThatFitsInAPieceLeavesAtOnceAndThePeerIsWoken() {
        ByteBuffer first = StillFrames.bytes("-ab").position(1);
        ByteBuffer second = StillFrames.bytes("cde");
        assertTrue(side.session.send(first, second));
        assertEquals(List.of("0: DATA 0 +0 5/5 abcde"), peer.sent());
        assertEquals(1, peer.wakes);
        assertEquals(List.of(1, 0), List.of(first.position(), second.position()), "what the caller has is as it was");
        assertEquals(0, side.session.queuedBytes());
    }

    @Test
    void aFrameOfNoBytesIsAFrame() {
        assertTrue(side.send(""));
        assertEquals(List.of("0: DATA 0 +0 0/0"), peer.sent());
    }

    @Test
    void aLongerFrameIsCut() {
        assertTrue(side.send(EIGHT + EIGHT + "ijk"));
        assertEquals(List.of("0: DATA 0 +0 8/19 abcdefgh", "1: DATA 1 +0 8/11 abcdefgh", "2: DATA 2 +0 3/3 ijk"),
                peer.sent());
        assertEquals(1, peer.wakes);
        assertEquals(0, side.session.queuedBytes());
        assertEquals(0, side.poll());
        assertEquals(List.of(), side.told(), "nothing was queued that could drain");
    }

    @Test
    void aFrameIsNotLongerThanThePeerTakes() {
        StillFrames modest = new StillFrames(QueueBudget.UNLIMITED, 10);
        assertEquals(10, modest.session.maxFrameBytes());
        assertEquals("frame is longer than the peer takes: bytes=11 limit=10",
                assertThrows(IllegalArgumentException.class, () -> modest.session.send(StillFrames.bytes(EIGHT),
                        StillFrames.bytes("ijk"))).getMessage());
        assertEquals(List.of(), modest.peer.sent());
        assertTrue(modest.session.send(StillFrames.bytes(EIGHT), StillFrames.bytes("ij")));
        assertEquals(List.of("0: DATA 0 +0 8/10 abcdefgh", "1: DATA 1 +0 2/2 ij"), modest.peer.sent());
    }

    @Test
    void aPeerThatTakesMoreThanABufferHoldsTakesThat() {
        assertEquals(Integer.MAX_VALUE,
                new StillFrames(QueueBudget.UNLIMITED, 1L << 40).session.maxFrameBytes());
    }

    // ---- what waits for room

    @Test
    void whatThePeerHasNoRoomForIsQueuedAndLeavesInItsOrder() {
        assertTrue(side.send(3 * StillFrames.PIECE_BYTES));
        assertTrue(side.send(EIGHT + EIGHT + "i"));
        assertEquals("3: DATA 3 +0 8/17 abcdefgh", peer.sent().get(3));
        assertEquals(9, side.session.queuedBytes());
        assertTrue(side.send("j"));
        assertEquals(List.of(), peer.sent(), "no credit is left");
        assertEquals(10, side.session.queuedBytes());
        peer.credits(1);
        assertEquals(1, side.poll());
        assertEquals(List.of("0: DATA 4 +0 8/9 abcdefgh"), peer.sent());
        assertEquals(List.of(), side.told(), "some is left");
        peer.credits(3);
        side.poll();
        assertEquals(List.of("1: DATA 5 +0 1/1 i", "2: DATA 6 +0 1/1 j"), peer.sent());
        assertEquals(List.of("drained"), side.told());
        assertEquals(0, side.session.queuedBytes());
        peer.credits(1);
        side.poll();
        assertEquals(List.of(), side.told(), "nothing more has drained");
        side.send("k");
        side.send("l");
        assertEquals(List.of("3: DATA 7 +0 1/1 k", "0: DATA 8 +0 1/1 l"), peer.sent());
    }

    @Test
    void aFrameThatFitsInAPieceWaitsForACreditToo() {
        side.send(4 * StillFrames.PIECE_BYTES);
        peer.sent();
        assertTrue(side.send("a"));
        assertEquals(List.of(), peer.sent());
        assertEquals(1, side.session.queuedBytes());
    }

    @Test
    void whoQueuesWakesThePeerForWhatIsUnderWay() {
        side.send(4 * StillFrames.PIECE_BYTES);
        peer.wakes = 0;
        side.send("a");
        assertEquals(1, peer.wakes);
    }

    @Test
    void whatIsQueuedIsACopy() {
        side.send(4 * StillFrames.PIECE_BYTES);
        peer.sent();
        ByteBuffer frame = StillFrames.bytes("abc");
        assertTrue(side.session.send(frame));
        assertEquals(3, frame.remaining());
        frame.put(0, (byte) 'z');
        peer.credits(1);
        side.poll();
        assertEquals(List.of("0: DATA 4 +0 3/3 abc"), peer.sent());
    }

    // ---- what is too much

    @Test
    void aPeerThatLeavesTooMuchQueuedLosesItsSession() {
        StillFrames served = new StillFrames(new QueueBudget(64, 1000));
        assertTrue(served.send(32 + 64), "what leaves at once is not queued");
        assertEquals(64, served.session.queuedBytes());
        assertEquals(0, served.interests);
        served.peer.sent();
        assertFalse(served.send("a"));
        assertEquals(1, served.interests, "a poll is to find it");
        assertTrue(served.session.isOpen());
        served.peer.credits(4);
        assertFalse(served.send("a"), "it is to end, whatever leaves meanwhile");
        served.poll();
        assertEquals(List.of("closed: RESOURCE_EXHAUSTED peer makes no room: queued bytes=64 and a frame of bytes=1, "
                + "limit=64"), served.told());
        assertEquals(0, served.session.queuedBytes());
    }

    @Test
    void whatSessionsQueueTogetherIsLookedAtWhenAFrameIsQueued() {
        QueueBudget budget = new QueueBudget(64, 100);
        StillFrames most = new StillFrames(budget);
        StillFrames other = new StillFrames(budget);
        assertTrue(most.send(32 + 60));
        assertTrue(other.send(32 + 40));
        assertEquals(0, most.interests);
        assertTrue(other.send(1));
        assertEquals(1, most.interests);
        assertEquals(1, most.poll());
        assertEquals(List.of("closed: RESOURCE_EXHAUSTED sessions of this server have bytes=101 queued, limit=100, "
                + "of which this one has bytes=60"), most.told());
        other.poll();
        assertEquals(List.of(), other.told());
    }

    // ---- when nothing can be sent

    @Test
    void nothingIsSentByALinkThatIsBroken() {
        peer.fail("planted");
        assertFalse(side.send("a"));
    }

    @Test
    void nothingIsSentThatWouldBeCut() {
        side.session.close();
        assertFalse(side.send("a"));
        assertEquals(List.of(), peer.sent());
    }

    @Test
    void nothingIsSentBehindTheEnd() {
        side.session.end(new IllegalStateException("planted"));
        assertFalse(side.send("a"));
        assertEquals(List.of(), peer.sent());
    }

    // ---- what a session has

    @Test
    void aSessionKnowsItsNumberItsPeersHostAndWhatIsAttached() {
        assertEquals(StillFrames.ID, side.session.id());
        assertEquals(InetAddress.getLoopbackAddress(), side.session.peerHost());
        assertNull(side.session.attachment());
        side.session.attach(this);
        assertSame(this, side.session.attachment());
        assertSame(side, side.session.handler());
        assertSame(peer, side.session.link());
    }
}
