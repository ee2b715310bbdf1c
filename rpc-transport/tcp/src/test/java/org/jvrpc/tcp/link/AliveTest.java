package org.jvrpc.tcp.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.runtime.session.Link;

/** Signs of life of a side that takes no messages for a while, by steps. */
class AliveTest {

    private static final long IDLE_NS = 1_000_000_000;
    private static final int ROUNDS = 20;
    /** What it said is seen when it was to be given up, then it is asked again. */
    private static final int GIVEN_UP_ROUNDS = 8;

    private final StreamEvents events = new StreamEvents();
    private long nowNs = 1;

    @AfterEach
    void close() {
        events.close();
    }

    /** Reads the frames that have come and answers pings; returns how many of those there were. */
    private static int answerPings(Ends ends) throws IOException {
        ByteBuffer frames = Ends.frames(1000);
        ends.peer.configureBlocking(false);
        ends.peer.read(frames);
        frames.flip();
        int count = 0;
        while (frames.hasRemaining()) {
            assertEquals(FrameHead.PING, FrameHead.kind(frames.getInt()));
            ends.say(Ends.frames(12).putInt(FrameHead.of(FrameHead.PONG, Long.BYTES)).putLong(frames.getLong()));
            count++;
        }
        return count;
    }

    private void letTimePass(Ends ends) {
        for (int i = 0; i < Link.LOOKS_FOR_LIFE; i++) {
            nowNs += IDLE_NS / Link.LOOKS_FOR_LIFE + 1;
            ends.link.checkPeer(nowNs);
        }
    }

    /** Its own pings tell the peer, whose pings lie behind what nobody takes. */
    @Test
    void aSideThatTakesNothingIsHeardAndHears() throws IOException {
        try (Ends ends = new Ends(() -> nowNs, events, false)) {
            ends.link.keepAlive(IDLE_NS);
            ends.say(Ends.ping(Ends.message(Ends.frames(100), 7), 5));
            int signs = 0;
            for (int round = 1; round <= ROUNDS; round++) {
                letTimePass(ends);
                signs += answerPings(ends);
                assertTrue(signs >= round / 3, "signs=" + signs + " in idle times=" + round);
                assertNull(ends.link.failure(), "in idle times=" + round);
            }
            assertTrue(ends.link.poll());
            assertEquals(7, ends.link.first());
        }
    }

    @Test
    void aPeerThatAnswersNothingIsGivenUpThoughNothingWasTaken() throws IOException {
        try (Ends ends = new Ends(() -> nowNs, events, false)) {
            ends.link.keepAlive(IDLE_NS);
            ends.say(Ends.message(Ends.frames(100), 7));
            for (int round = 0; round < GIVEN_UP_ROUNDS; round++) {
                letTimePass(ends);
            }
            assertNotNull(ends.link.failure());
        }
    }

    /** It is asked now and then, and answers: no message comes that would have somebody think of it. */
    @Test
    void aSilentSideThatGaveASignOfLifeHasNoMemory() throws IOException {
        int before = LentMemory.lent();
        try (Ends ends = new Ends(() -> nowNs, events, false)) {
            ends.say(Ends.ping(Ends.frames(12), 5));
            ByteBuffer answer = Ends.frames(12);
            ends.peer.configureBlocking(false);
            while (answer.hasRemaining()) {
                assertFalse(ends.link.poll());
                ends.peer.read(answer);
            }
            assertEquals(before, LentMemory.lent());
        }
    }

    /** Whoever polled last was another thread, perhaps, than the one that finds silent links. */
    @Test
    void aSideWhereNothingCameBetweenTwoLooksHasNoMemory() throws IOException {
        int before = LentMemory.lent();
        try (Ends ends = new Ends(() -> nowNs, events, false)) {
            ends.link.keepAlive(IDLE_NS);
            ends.say(Ends.message(Ends.frames(32), 7));
            while (!ends.link.poll()) {
                assertNull(ends.link.failure());
            }
            ends.link.checkPeer(++nowNs);
            ends.link.checkPeer(++nowNs);
            assertEquals(7, ends.link.first(), "the message is not given back while it is looked at");
            assertFalse(ends.link.poll());
            assertEquals(before + 1, LentMemory.lent());
            ends.link.checkPeer(++nowNs);
            assertEquals(before, LentMemory.lent());
        }
    }

    @Test
    void aSideWithPartOfAMessageKeepsIt() throws IOException {
        try (Ends ends = new Ends(() -> nowNs, events, false)) {
            ByteBuffer frames = Ends.message(Ends.ping(Ends.frames(32), 5), 7);
            ends.say(frames.duplicate().position(20));
            while (ends.peer.socket().getInputStream().available() < 12) {
                assertFalse(ends.link.poll());
            }
            ends.peer.write(frames.flip().position(20));
            while (!ends.link.poll()) {
                assertNull(ends.link.failure());
            }
            assertEquals(7, ends.link.first());
        }
    }
}
