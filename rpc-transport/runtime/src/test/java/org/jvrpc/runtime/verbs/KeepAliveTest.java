package org.jvrpc.runtime.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.jvrpc.runtime.RpcServer;

/** When idle peers are asked whether they are there, in a time of the test's own. */
class KeepAliveTest {

    private static final long IDLE_NS = 60_000;

    private final Peer peer = new Peer();
    private final KeepAlive keepAlive = new KeepAlive(peer, IDLE_NS, 0);
    private long nowNs;

    /** A link. */
    private static final class Peer implements KeepAlive.Pings {
        long sends;
        long completed;
        int pings;
        boolean full;
        String failure;

        @Override
        public long sends() {
            return sends;
        }

        @Override
        public long ping() {
            if (full) {
                return 0;
            }
            pings++;
            return ++sends;
        }

        @Override
        public void reap() {
        }

        @Override
        public boolean isSent(long number) {
            return completed >= number;
        }

        @Override
        public boolean fail(String why) {
            failure = why;
            return false;
        }
    }

    private void pass(long forNs) {
        for (long endNs = nowNs + forNs; nowNs < endNs;) {
            nowNs += IDLE_NS / 4;
            keepAlive.look(nowNs);
        }
    }

    @Test
    void aBusyPeerIsNotAsked() {
        for (int i = 0; i < 100; i++) {
            pass(IDLE_NS / 2);
            peer.sends++;
        }
        assertEquals(0, peer.pings);
    }

    @Test
    void anIdlePeerThatIsThereIsAskedAgainAndAgain() {
        for (int i = 0; i < 100; i++) {
            pass(IDLE_NS / 4);
            peer.completed = peer.sends;
        }
        assertTrue(peer.pings >= 10 && peer.pings <= 25, "pings in 25 idle times: " + peer.pings);
        assertNull(peer.failure);
    }

    @Test
    void anIdlePeerThatIsGoneIsGivenUpWithinTwiceTheTime() {
        pass(2 * IDLE_NS);
        assertEquals(1, peer.pings);
        assertTrue(peer.failure != null && peer.failure.contains("no sign of life"), peer.failure);
    }

    @Test
    void aPingThatFindsNoRoomIsSentLater() {
        peer.full = true;
        pass(3 * IDLE_NS);
        assertNull(peer.failure);
        peer.full = false;
        pass(IDLE_NS);
        assertEquals(1, peer.pings);
    }

    @Test
    void timesThatCannotBeAreRefused() {
        RpcServer.Builder builder = RpcServer.builder();
        assertTrue(assertThrows(IllegalArgumentException.class, () -> builder.keepAlive(Duration.ZERO)).getMessage()
                .contains("keepAlive in ns must be"));
    }
}
