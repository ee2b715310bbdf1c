package org.jvrpc.runtime.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.jvrpc.runtime.IdleStrategy;
import org.jvrpc.runtime.session.Hello;
import org.jvrpc.runtime.session.Protocol;
import org.jvrpc.runtime.stream.memory.StreamMemory;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.runtime.thread.Environment;
import org.jvrpc.runtime.thread.Idler;
import org.jvrpc.runtime.thread.Wakes;

/** Credits of pieces that go back to a peer, whatever that does. */
class CreditsTest {

    private static final int WINDOW = 32;
    private static final int PIECE_BYTES = 1 << 12;
    private static final int POLLS = 1000;

    private final DeafLink link = new DeafLink(WINDOW, PIECE_BYTES);
    private final StreamSession session = session();

    private StreamSession session() {
        StreamPoller poller = new StreamPoller(Environment.SYSTEM, new Wakes(), Idler.spinning(1), "test", 1L << 40,
                ended -> { }, () -> { });
        return new StreamSession(Clock.SYSTEM, link, null, new StreamMemory(1 << 20), IdleStrategy.BLOCK,
                Hello.request(Protocol.STREAMS, WINDOW, PIECE_BYTES, 1 << 16), 1 << 16, 7, poller);
    }

    private void pollOften() {
        for (int i = 0; i < POLLS; i++) {
            session.poll(16);
        }
    }

    @Test
    void aPeerThatTakesNothingAndSendsOnMakesNoQueueOfCreditsAndIsGivenUp() {
        pollOften();
        assertTrue(session.isOver());
        assertTrue(link.controls <= Protocol.CONTROLS, "credits that wait: " + link.controls);
        assertTrue(link.taken <= (Protocol.CONTROLS + 2) * WINDOW / 2 + 1, "pieces taken: " + link.taken);
    }

    @Test
    void aPeerThatTakesCreditsSendsForEver() {
        link.hears = true;
        session.poll(POLLS);
        assertEquals(POLLS, link.taken);
        assertFalse(session.isOver());
    }
}
