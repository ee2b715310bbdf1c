package org.jvrpc.runtime.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.jvrpc.runtime.MessageHandler;
import org.jvrpc.runtime.MessageSession;
import org.jvrpc.runtime.session.Bodies;
import org.jvrpc.runtime.session.Body;
import org.jvrpc.runtime.session.Hello;
import org.jvrpc.runtime.session.Protocol;

/** Message sessions over a byte stream, as over verbs. One thread polls both sides. */
class StreamLinkTest {

    private static final int WINDOW = 8;
    private static final int PIECE_BYTES = 256;
    private static final int MAX_FRAME = 1 << 16;
    private static final Hello AGREED = Hello.request(Protocol.MESSAGES, WINDOW, PIECE_BYTES, MAX_FRAME);

    private long nowNs = Long.MAX_VALUE - 1_000_000_000L; // clocks may overflow
    private final Pipe there = Pipe.open();
    private final Pipe back = Pipe.open();
    private final Side left = new Side(back, there);
    private final Side right = new Side(there, back);

    StreamLinkTest() throws IOException {
        // the pipes may fail to open
    }

    /** One side: remembers what it is told. */
    private final class Side implements MessageHandler, Bodies {
        final FrameSession session;
        final List<Integer> frames = new ArrayList<>();
        boolean whole = true;
        boolean freed;
        int ends;
        Throwable cause;

        Side(Pipe in, Pipe out) throws IOException {
            session = new FrameSession(() -> nowNs, new StreamLink(in, out, WINDOW, PIECE_BYTES), this, AGREED,
                    MAX_FRAME, this, QueueBudget.UNLIMITED, 1, () -> { });
        }

        @Override
        public void frame(MessageSession from, ByteBuffer frame) {
            frames.add(frame.remaining());
            while (frame.hasRemaining()) {
                whole &= frame.get() == (byte) frames.get(frames.size() - 1).intValue();
            }
        }

        @Override
        public void closed(MessageSession ended, Throwable why) {
            ends++;
            cause = why;
        }

        @Override
        public Body take(long bytes) {
            throw new AssertionError("frames have no long bodies");
        }

        @Override
        public Body takeForFetch(long bytes) {
            throw new AssertionError("frames have no long bodies");
        }

        @Override
        public Body reuseForFetch(long bytes) {
            throw new AssertionError("frames have no long bodies");
        }

        @Override
        public void give(Body body) {
            throw new AssertionError("frames have no long bodies");
        }

        @Override
        public void close() {
            freed = true;
        }
    }

    private static ByteBuffer frame(int length) {
        byte[] bytes = new byte[length];
        java.util.Arrays.fill(bytes, (byte) length);
        return ByteBuffer.wrap(bytes);
    }

    private void pollUntilQuiet() {
        while (left.session.poll(WINDOW) + right.session.poll(WINDOW) > 0) {
            // there is more
        }
    }

    @Test
    void framesOfAllLengthsArriveWholeAndInOrderBothWays() {
        List<Integer> lengths = new ArrayList<>();
        for (int length = 0; length < 5000; length = length * 3 / 2 + 1) {
            lengths.add(length);
            assertTrue(left.session.send(frame(length)));
            assertTrue(right.session.send(frame(length)));
        }
        pollUntilQuiet();
        assertEquals(lengths, left.frames);
        assertEquals(lengths, right.frames);
        assertTrue(left.whole && right.whole);
        assertEquals(0, left.session.queuedBytes() + right.session.queuedBytes());
    }

    @Test
    void anOrderlyCloseIsToldBehindTheFramesAndEndsWhenThePeerHasTakenThem() {
        assertTrue(left.session.send(frame(3000)));
        left.session.close();
        for (int i = 0; i < 100; i++) {
            left.session.poll(WINDOW);
        }
        assertEquals(0, left.ends, "the peer has not even polled");
        pollUntilQuiet();
        assertEquals(List.of(3000), right.frames);
        assertEquals(List.of(0, 1), List.of(left.ends, right.ends));
        assertNull(right.cause);
        right.session.bury();
        while (left.ends == 0) {
            left.session.poll(WINDOW);
        }
        assertNull(left.cause);
        left.session.bury();
        assertTrue(left.freed && right.freed);
    }

    @Test
    void aCloseThatIsNotHeardEndsAllTheSame() {
        assertTrue(left.session.send(frame(3)));
        left.session.close();
        left.session.poll(WINDOW);
        nowNs += 1_999_999_999L;
        left.session.poll(WINDOW);
        assertEquals(0, left.ends);
        nowNs += 2;
        left.session.poll(WINDOW);
        assertEquals(1, left.ends);
    }

    @Test
    void aPeerThatIsGoneIsToldBehindWhatItSent() {
        assertTrue(left.session.send(frame(7)));
        left.session.bury();
        while (right.ends == 0) {
            right.session.poll(WINDOW);
        }
        assertEquals(List.of(7), right.frames);
        assertFalse(right.session.isOpen());
        assertEquals("the peer is gone", right.cause.getMessage());
    }
}
