package org.jvrpc.tcp.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.jvrpc.runtime.thread.Clock;

/** A wire that has read all and gives a little at a time, as one of records does. */
class SipsTest {

    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final long LONG_NS = Duration.ofMinutes(10).toNanos();

    /** Takes what its socket has, and gives a byte a read. */
    private static final class Sips implements Wire {

        private final PlainWire wire;
        private final ByteBuffer had = ByteBuffer.allocate(1000).flip();

        Sips(SocketChannel channel) {
            wire = new PlainWire(channel);
        }

        @Override
        public SocketChannel channel() {
            return wire.channel();
        }

        @Override
        public int read(ByteBuffer target) throws IOException {
            wire.read(had.compact());
            int count = Math.min(1, had.flip().remaining());
            if (count > 0) {
                target.put(had.get());
            }
            return count;
        }

        @Override
        public int write(ByteBuffer source) throws IOException {
            return wire.write(source);
        }

        @Override
        public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
            return wire.write(sources, offset, length);
        }

        @Override
        public long write(ByteBuffer[] sources) throws IOException {
            return wire.write(sources);
        }

        @Override
        public void drain() throws IOException {
            wire.drain();
        }

        @Override
        public int pending() {
            return wire.pending();
        }
    }

    /** Between two waits lies one look, and one that is somebody else's. */
    @Test
    void whoLookedAsLongAsTheyMayDoesNotWaitForWhatIsThere() throws IOException {
        StreamEvents events = new StreamEvents();
        try (Ends ends = new Ends(Clock.SYSTEM, events, false, Sips::new)) {
            ends.say(Ends.message(Ends.frames(20), 7));
            assertTimeoutPreemptively(LIMIT, () -> {
                ends.link.arm();
                while (!ends.link.poll()) {
                    events.await(0);
                    events.await(LONG_NS);
                }
            });
            assertEquals(7, ends.link.first());
        } finally {
            events.close();
        }
    }
}
