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

    /** A ping after more than the idle time, its answer within half of it, and as long again. */
    @Test
    void eachStepHasItsTime() {
        peer.sends = 5; // since it was made: the idle time begins with the first look
        keepAlive.look(1000);
        keepAlive.look(1000 + IDLE_NS);
        assertEquals(0, peer.pings);
        keepAlive.look(1001 + IDLE_NS);
        assertEquals(1, peer.pings);
        long pingedNs = 1001 + IDLE_NS;
        keepAlive.look(pingedNs + IDLE_NS / 2);
        assertNull(peer.failure);
        peer.completed = 6;
        keepAlive.look(pingedNs + IDLE_NS / 2 + 1);
        assertNull(peer.failure);
        long answeredNs = pingedNs + IDLE_NS / 2 + 1;
        keepAlive.look(answeredNs + IDLE_NS);
        assertEquals(1, peer.pings);
        keepAlive.look(answeredNs + IDLE_NS + 1);
        assertEquals(2, peer.pings);
        keepAlive.look(answeredNs + IDLE_NS + 1 + IDLE_NS / 2);
        assertNull(peer.failure);
        keepAlive.look(answeredNs + IDLE_NS + 2 + IDLE_NS / 2);
        assertEquals("peer gives no sign of life: idle ms=" + IDLE_NS / 1_000_000, peer.failure);
    }

    @Test
    void whatIsSentMeanwhileIsASignThatNoPingIsNeeded() {
        keepAlive.look(IDLE_NS + 1);
        assertEquals(1, peer.pings);
        peer.sends++;
        keepAlive.look(2 * IDLE_NS);
        keepAlive.look(3 * IDLE_NS);
        assertEquals(1, peer.pings);
        assertNull(peer.failure, "the new send is looked after by the device");
    }
}
