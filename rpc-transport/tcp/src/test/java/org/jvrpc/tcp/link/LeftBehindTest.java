package org.jvrpc.tcp.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.testing.Waits;

/** What was read and not taken, which no selector tells of. */
class LeftBehindTest {

    private final StreamEvents events = new StreamEvents();

    @AfterEach
    void close() {
        events.close();
    }

    /** As a caller does that has its answer and goes, while the server's ping came with it. */
    @Test
    void whatCameWithTheLastMessageIsTaken() throws IOException {
        try (Ends ends = new Ends(Clock.SYSTEM, events, true)) {
            ends.say(Ends.ping(Ends.message(Ends.frames(100), 7), 5));
            Waits.until("the message", ends.link::poll);
            assertEquals(7, ends.link.first());
            // From here on as the event thread does, which looks again as there was traffic.
            for (int looks = 0; !ends.link.isReady() && looks < 3; looks++) {
                if (ends.link.watch() == Long.MAX_VALUE) {
                    events.await(1_000_000);
                }
            }
            assertTrue(ends.link.isReady(), "there is something to look for");
            assertFalse(ends.link.poll());
            ByteBuffer pong = Ends.frames(12);
            while (pong.hasRemaining()) {
                ends.peer.read(pong);
            }
            assertEquals(FrameHead.PONG, FrameHead.kind(pong.getInt(0)));
            assertEquals(5, pong.getLong(4));
            assertFalse(ends.link.isReady());
            assertTrue(ends.link.watch() == Long.MAX_VALUE || ends.link.watch() == Long.MAX_VALUE, "it may sleep");
        }
    }
}
