package org.jvrpc.runtime.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.jvrpc.runtime.thread.Wakes;

/** The pollers of a server together, step by step. */
class PollersStepsTest {

    private static void finish(ServerPoller poller) {
        poller.housekeeping();
        poller.pollSome();
    }

    @Test
    void theyAreQuietOnceAllOfThemAre() {
        try (StillServer server = new StillServer(options -> options.settings().pollers(2))) {
            for (int first = 0; first < 2; first++) {
                Pollers pollers = new Pollers(server.core, number -> new Wakes(), "still");
                pollers.goAway();
                finish(pollers.get(first));
                assertTrue(pollers.get(first).isQuiet());
                assertFalse(pollers.areQuiet(), "one is quiet: " + first);
                finish(pollers.get(1 - first));
                assertTrue(pollers.areQuiet());
            }
        }
    }

    @Test
    void aSessionIsGivenToTheOneWithTheFewest() {
        try (StillServer server = new StillServer(options -> options.settings().pollers(3))) {
            Pollers pollers = new Pollers(server.core, number -> new Wakes(), "still");
            for (int expected : new int[] {0, 1, 2, 0, 1, 2}) {
                int next = pollers.next(thread -> 0);
                assertEquals(expected, next);
                pollers.get(next).add(server.session(new StillServer.Peer()));
            }
            pollers.get(0).add(server.session(new StillServer.Peer()));
            assertEquals(1, pollers.next(thread -> 0));
            assertEquals(2, pollers.next(thread -> thread == 1 ? 1 : 0), "one has yet to show that it is there");
        }
    }
}
