package org.jvrpc.runtime.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.runtime.IdleStrategy;
import org.jvrpc.runtime.poll.LifeLooks;
import org.jvrpc.runtime.poll.Walk;
import org.jvrpc.runtime.session.Hello;
import org.jvrpc.runtime.session.Protocol;
import org.jvrpc.runtime.thread.Wakes;

/** How a server's poller looks after the lives of its clients. */
class PollerLivesTest {

    private final StillServer server = new StillServer();
    private final ServerPoller poller = new ServerPoller(server.core, new Wakes(), IdleStrategy.SPIN, "still");

    @AfterEach
    void close() {
        server.close();
    }

    private SilentClient add() {
        SilentClient link = new SilentClient();
        poller.add(new ServerSession(server.core, poller, 1, link, server.bodies,
                Hello.request(Protocol.CALLS, 4, 64, 1 << 20), Protocol.CALLS.oneWayCredits(4)));
        return link;
    }

    /** A sign of life asked of thousands at once would be a pause for all others. */
    @Test
    void livesAreLookedAfterSomeAtATime() {
        List<SilentClient> links = new ArrayList<>();
        for (int i = 0; i < 2 * LifeLooks.MOST + 1; i++) {
            links.add(add());
        }
        poller.pollAll();
        List<Integer> looks = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            poller.woken(i); // so that it looks at all whether they are over
            poller.housekeeping();
            looks.add(links.stream().mapToInt(link -> link.looks).sum());
            assertEquals(i < 2, poller.isUnfinished(), "there are more");
        }
        assertEquals(List.of(LifeLooks.MOST, 2 * LifeLooks.MOST, links.size(), links.size()), looks);
    }

    /** Those that are over leave together, when all were looked at: to let go of some of thousands takes a while. */
    @Test
    void thoseThatAreOverAreFoundSomeAtATimeAndLeaveTogether() {
        List<SilentClient> links = new ArrayList<>();
        for (int i = 0; i < Walk.MANY + 2; i++) {
            links.add(add());
        }
        poller.pollAll();
        links.get(0).connected = false;
        links.get(Walk.MANY + 1).connected = false;
        poller.pollAll();
        List<Integer> loads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            poller.housekeeping();
            poller.pollAll(); // in which who has left is over
            loads.add(poller.load());
        }
        int all = links.size();
        assertEquals(List.of(all, all, all, all - 2), loads);
    }

    /** What woke the poller may have been its end, and the poller sleeps for long unless it has seen that. */
    @Test
    void oneThatEndsBehindAWalkUnderWayIsFoundBeforeThePollerSleepsForLong() {
        List<SilentClient> links = new ArrayList<>();
        for (int i = 0; i < Walk.MANY + 2; i++) {
            links.add(add());
        }
        poller.pollAll();
        poller.housekeeping(); // has met the first of them
        poller.woken(0);
        poller.housekeeping(); // and all the others
        poller.housekeeping();
        links.get(0).connected = false;
        poller.woken(0);
        poller.pollAll();
        poller.housekeeping();
        poller.pollAll(); // in which who has left is over
        assertTrue(poller.isUnfinished() || poller.load() < links.size(), "it sleeps for long");
    }
}
