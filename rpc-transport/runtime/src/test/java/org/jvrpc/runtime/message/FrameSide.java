package org.jvrpc.runtime.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jvrpc.runtime.MessageHandler;
import org.jvrpc.runtime.MessageSession;
import org.jvrpc.runtime.session.Bodies;
import org.jvrpc.runtime.session.Hello;
import org.jvrpc.runtime.session.Protocol;
import org.jvrpc.testing.interleaving.Interleavings;

/**
 * One end of a message session that a race of {@link FrameOrdersTest} has: remembers what it is told. A frame is two
 * bytes or three, of which each is its number; a piece is two.
 */
final class FrameSide implements MessageHandler {

    static final int WINDOW = 2;
    private static final int PIECE_BYTES = 2;
    private static final Hello AGREED = Hello.request(Protocol.MESSAGES, WINDOW, PIECE_BYTES, 1 << 10);
    private static final Bodies NO_BODIES = (Bodies) Proxy.newProxyInstance(FrameSide.class.getClassLoader(),
            new Class<?>[] {Bodies.class}, (proxy, method, arguments) -> null);

    final QueueLink link = new QueueLink(WINDOW, PIECE_BYTES);
    final FrameSession session;
    final List<Integer> frames = new ArrayList<>();
    int drained;
    int ends;
    private Throwable cause;

    FrameSide() {
        // a clock whose zero is long ago
        session = new FrameSession(() -> 1L << 60, link, NO_BODIES, AGREED, 1 << 10, this, QueueBudget.UNLIMITED,
                1, () -> link.woken = true);
    }

    boolean sends(int number) {
        byte[] bytes = new byte[number % 2 + PIECE_BYTES];
        Arrays.fill(bytes, (byte) number);
        return session.send(ByteBuffer.wrap(bytes));
    }

    void sends(int from, int to) {
        for (int number = from; number <= to; number++) {
            assertTrue(sends(number));
        }
    }

    @Override
    public void frame(MessageSession from, ByteBuffer frame) {
        assertEquals(0, ends, "a frame behind the end");
        int number = frame.get(0);
        assertEquals(number % 2 + PIECE_BYTES, frame.remaining());
        assertEquals(number, frame.get(frame.remaining() - 1));
        frames.add(number);
    }

    @Override
    public void drained(MessageSession from) {
        drained++;
    }

    @Override
    public void closed(MessageSession ended, Throwable why) {
        ends++;
        cause = why;
    }

    /** Polls until the session is over, which it buries, or so much has come and no more. */
    void polls(BooleanSupplier enough) {
        for (boolean done = false; !done && !session.isOver();) {
            link.woken = false;
            boolean idle = session.poll(2 * WINDOW) == 0; // then it has woken the peer for what it sent before
            done = idle && enough.getAsBoolean();
            if (idle && !done) {
                Interleavings.await(() -> link.woken);
            }
        }
        if (session.isOver()) {
            session.bury();
        }
    }

    boolean has(int count) {
        return frames.size() == count;
    }

    void endedWell() {
        assertEquals(1, ends, "told of the end");
        assertNull(cause);
    }
}
