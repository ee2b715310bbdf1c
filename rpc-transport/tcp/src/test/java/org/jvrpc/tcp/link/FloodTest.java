package org.jvrpc.tcp.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.jvrpc.runtime.thread.Clock;

/** A peer that asks for signs of life all the time. */
class FloodTest {

    private static final Duration LIMIT = Duration.ofSeconds(5);
    private static final int BYTES = 12 << 12;

    private final StreamEvents events = new StreamEvents();

    private static Thread runs(ThrowingRunnable work) {
        Thread thread = new Thread(() -> {
            try {
                while (true) {
                    work.run();
                }
            } catch (IOException e) {
                return; // it is over
            }
        }, "flood");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private interface ThrowingRunnable {
        void run() throws IOException;
    }

    @Test
    void aPollEndsWhateverThePeerAsksFor() throws Exception {
        ByteBuffer pings = Ends.frames(BYTES);
        for (long i = 1; pings.hasRemaining(); i++) {
            Ends.ping(pings, i);
        }
        try (Ends ends = new Ends(Clock.SYSTEM, events, false)) {
            Thread asks = runs(() -> ends.say(pings.position(pings.limit())));
            ByteBuffer answers = ByteBuffer.allocate(1 << 16);
            Thread takes = runs(() -> {
                if (ends.peer.read(answers.clear()) < 0) {
                    throw new IOException("over");
                }
            });
            for (int i = 0; i < 100; i++) {
                assertTimeoutPreemptively(LIMIT, () -> assertFalse(ends.link.poll()));
            }
            ends.peer.close();
            asks.join();
            takes.join();
        }
    }

    /** The first answer finds no room: the peer takes nothing before it asked for all. */
    @Test
    void theLastOfThoseWhoAskIsAnswered() throws IOException {
        StuckSink sink = new StuckSink();
        Outbound out = new Outbound(sink);
        Signs signs = new Signs(out);
        signs.owe(1);
        signs.give();
        out.flush();
        signs.owe(2);
        signs.give();
        sink.room = Integer.MAX_VALUE;
        out.flush();
        signs.give();
        out.flush();
        assertEquals(2, sink.last);
    }

    /** Has no room at first; notes the number of the last frame. */
    private static final class StuckSink implements Wire {

        private int room;
        private long last;

        @Override
        public SocketChannel channel() {
            throw new AssertionError("there is none");
        }

        @Override
        public int read(ByteBuffer target) {
            throw new AssertionError("nothing is read");
        }

        @Override
        public void drain() {
            // nothing is kept
        }

        @Override
        public int pending() {
            return 0;
        }

        @Override
        public int write(ByteBuffer source) {
            int count = Math.min(room, source.remaining());
            if (count > 0) {
                last = source.getLong(FrameHead.BYTES);
            }
            source.position(source.position() + count);
            return count;
        }

        @Override
        public long write(ByteBuffer[] sources, int offset, int length) {
            long count = 0;
            for (int i = offset; i < offset + length; i++) {
                count += write(sources[i]);
            }
            return count;
        }

        @Override
        public long write(ByteBuffer[] sources) {
            return write(sources, 0, sources.length);
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {
            // nothing to close
        }
    }
}
