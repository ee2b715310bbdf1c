package org.jvrpc.tcp.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.testing.Waits;

/** Links that are silent among many. */
class CrowdTest {

    private static final int MANY = 6;
    private static final int POLLS = 100;

    private final StreamEvents events = new StreamEvents();
    private final List<Ends> all = new ArrayList<>();
    private long nowNs = 1_000_000_000;
    private final Clock clock = () -> nowNs;

    @AfterEach
    void close() throws IOException {
        for (Ends ends : all) {
            ends.close();
        }
        events.close();
    }

    private Ends silent(boolean once) throws IOException {
        for (int i = 0; i < MANY; i++) {
            all.add(new Ends(clock, events, once));
        }
        Ends ends = all.get(0);
        for (int i = 0; i < POLLS; i++) {
            assertFalse(ends.link.poll());
        }
        return ends;
    }

    /** The look of just now did not see what came since, and the next one is not due yet. */
    @Test
    void whatCameBeforeTheEndIsTakenThoughASendFindsIt() throws IOException {
        Ends ends = silent(false);
        ends.say(Ends.message(Ends.frames(20), 7));
        ends.peer.setOption(StandardSocketOptions.SO_LINGER, 0);
        ends.peer.close();
        Waits.until("a send to fail", () -> !ends.link.isConnected() || ends.link.sendOneWay(0, 1, 0, 0) < 0);
        assertTrue(ends.link.poll(), ends.link::failure);
        assertEquals(7, ends.link.first());
    }

    /** A client's callers poll while its event thread waits. */
    @Test
    void aPollDoesNotWaitForWhoWaits() throws Exception {
        Ends ends = silent(true);
        events.await(0); // which the new links had woken
        Thread waits = new Thread(() -> events.await(Waits.limitNs()), "event");
        waits.start();
        Waits.until("it to wait", () -> Arrays.stream(waits.getStackTrace())
                .anyMatch(frame -> frame.getMethodName().equals("select")));
        nowNs += 1_000_000;
        assertTimeoutPreemptively(Duration.ofSeconds(5), () -> ends.link.poll());
        events.wakeup();
        waits.join();
    }
}
