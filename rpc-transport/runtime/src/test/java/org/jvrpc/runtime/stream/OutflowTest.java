package org.jvrpc.runtime.stream;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.stub.StreamCodec;
import org.jvrpc.runtime.IdleStrategy;
import org.jvrpc.runtime.session.Hello;
import org.jvrpc.runtime.session.Protocol;
import org.jvrpc.runtime.stream.memory.StreamMemory;
import org.jvrpc.runtime.stream.piece.Piece;
import org.jvrpc.runtime.thread.Clock;

/** When a writer waits with a long element in its hands. One thread. */
class OutflowTest {

    private static final int WHOLE = 1 << 16;
    private static final int WINDOW = 4 * WHOLE - 1;

    private final StreamMemory memory = new StreamMemory(1 << 20);
    private InetAddress peerHost;

    private final StreamSession session = new StreamSession(Clock.SYSTEM, new DeafLink(16, WHOLE) {
        {
            hears = true;
        }

        @Override
        public InetAddress peerHost() {
            return peerHost;
        }
    }, null, memory, IdleStrategy.BLOCK, Hello.request(Protocol.STREAMS, 16, WHOLE, WINDOW), WINDOW, 7, null);

    private final Stream stream = new OutflowSubscriberTest.Still(session);

    private Outflow outflow() {
        return new Outflow(stream, memory, WINDOW, WHOLE, 0, null);
    }

    /** Returns a buffer that takes so many bytes of the window. */
    private static ByteBuffer buffer(int whole) {
        return ByteBuffer.allocateDirect(whole - Piece.BUFFER_HEAD_BYTES);
    }

    private static boolean waits(Outflow out, ByteBuffer buffer) {
        return out.isWorthAWait(StreamCodec.IN_PLACE, buffer);
    }

    /** As many as the window has room for, which stage nothing. */
    private static void fill(Outflow out) {
        for (int i = 0; i < 3; i++) {
            assertFalse(waits(out, buffer(WHOLE)), "element " + i);
            out.add(StreamCodec.IN_PLACE, buffer(WHOLE));
            assertTrue(out.isEmpty(), "element " + i);
        }
    }

    @Test
    void aWriterWaitsUntilThereIsRoomForAllOfALongElement() {
        Outflow out = outflow();
        fill(out);
        assertTrue(waits(out, buffer(WHOLE)));
        assertFalse(out.isRoomy());
        out.pump();
        assertFalse(out.isRoomy(), "nothing has changed");
        assertTrue(out.grant(1));
        out.pump();
        assertTrue(out.isRoomy());
        assertFalse(waits(out, buffer(WHOLE)));
        out.add(StreamCodec.IN_PLACE, buffer(WHOLE));
        assertTrue(out.isEmpty(), "it went from where it lay");
    }

    @Test
    void roomForLessThanAllOfItIsNotEnough() {
        Outflow out = outflow();
        fill(out);
        out.add(StreamCodec.IN_PLACE, buffer(1 << 15));
        assertTrue(waits(out, buffer(WHOLE)));
        assertTrue(out.grant(1 << 15));
        out.pump();
        assertFalse(out.isRoomy(), "a byte is missing");
        assertTrue(out.grant(1));
        out.pump();
        assertTrue(out.isRoomy());
    }

    @Test
    void nobodyWaitsWithWhatIsShortOrLiesOnTheHeapOrComesBehindOthers() {
        Outflow out = outflow();
        fill(out);
        out.add(StreamCodec.IN_PLACE, buffer(WHOLE - 1));
        assertFalse(waits(out, buffer(1 << 13)));
        assertFalse(waits(out, ByteBuffer.allocate(WHOLE - Piece.BUFFER_HEAD_BYTES)));
        assertFalse(out.isWorthAWait(StreamCodec.LONG, 7L));
        assertTrue(waits(out, buffer(WHOLE)));
        out.add(StreamCodec.IN_PLACE, buffer(1 << 13));
        assertFalse(out.isEmpty());
        assertFalse(waits(out, buffer(WHOLE)), "what is staged goes first");
    }

    /** Of another host it might be long until it is known that there is room. */
    @Test
    void nobodyWaitsForAPeerOfAnotherHost() {
        peerHost = InetAddress.getLoopbackAddress();
        Outflow out = outflow();
        fill(out);
        assertFalse(waits(out, buffer(WHOLE)));
        out.add(StreamCodec.IN_PLACE, buffer(WHOLE));
        assertFalse(out.isEmpty());
    }

    /** Who sent one only at a time would have its receiver wait, and be waited for. */
    @Test
    void nobodyWaitsWhereTheWindowHasRoomForFewOnly() {
        Outflow out = new Outflow(stream, memory, 3 * WHOLE - 1, WHOLE, 0, null);
        out.add(StreamCodec.IN_PLACE, buffer(WHOLE));
        out.add(StreamCodec.IN_PLACE, buffer(WHOLE));
        assertFalse(waits(out, buffer(WHOLE)));
    }

    @Test
    void whoeverWaitsHearsOfTheEnd() {
        Outflow out = outflow();
        fill(out);
        assertTrue(waits(out, buffer(WHOLE)));
        out.close();
        assertTrue(out.isRoomy());
    }
}
