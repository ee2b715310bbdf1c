package org.jvrpc.tcp.link;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.testing.Waits;

/** What nobody is going to read ends no wait again and again. */
class UnreadTest {

    private static final long WAIT_NS = 100_000_000;

    private final StreamEvents events = new StreamEvents();

    @AfterEach
    void close() {
        events.close();
    }

    /** Returns true when a wait lasts, the second one at least: what was noted before ends the first. */
    private boolean sleeps(Ends ends) {
        long startNs = 0;
        for (int i = 0; i < 3; i++) {
            ends.link.arm();
            startNs = System.nanoTime();
            events.await(WAIT_NS);
            ends.link.disarm();
        }
        return System.nanoTime() - startNs > WAIT_NS / 2;
    }

    private static void takeAll(Ends ends) throws IOException {
        ByteBuffer some = ByteBuffer.allocate(1 << 16);
        while (ends.link.isBehind()) {
            ends.peer.read(some.clear());
            ends.link.catchUp();
        }
    }

    /** As of a message session that is paused, whose peer is gone. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theEndOfAStreamWakesOnce(boolean once) throws IOException {
        try (Ends ends = new Ends(Clock.SYSTEM, events, once)) {
            ends.peer.close();
            Waits.until("the end", () -> !ends.link.poll() && ends.link.failure() != null);
            assertNotNull(ends.link.failure());
            assertTrue(sleeps(ends));
        }
    }

    /** As of a server's session whose client takes no answers, so that no more of its requests are taken. */
    @Test
    void whatIsNotTakenWakesOnceAndIsSeenLater() throws IOException {
        try (Ends ends = new Ends(Clock.SYSTEM, events, false)) {
            while (!ends.link.isBehind()) {
                ends.link.sendOneWay(0, 1, 0, Ends.SLOT_BYTES);
            }
            ends.say(Ends.message(Ends.frames(20), 1));
            assertTrue(sleeps(ends));
            takeAll(ends);
            assertTrue(ends.link.poll());
            assertFalse(ends.link.poll());
            ends.say(Ends.message(Ends.frames(20), 2));
            ends.link.arm();
            long startNs = System.nanoTime();
            events.await(Waits.limitNs());
            assertTrue(System.nanoTime() - startNs < Waits.limitNs() / 2, "a message wakes again");
            assertTrue(ends.link.poll());
        }
    }

    /** As of a long body that is asked for by what is found behind the arming. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void roomWakesWhoeverFoundNoneBehindTheArming(boolean once) throws Exception {
        try (Ends ends = new Ends(Clock.SYSTEM, events, once)) {
            events.await(0); // which the new link had woken
            ends.link.arm();
            while (!ends.link.isBehind()) {
                ends.link.sendOneWay(0, 1, 0, Ends.SLOT_BYTES);
            }
            Thread takes = new Thread(() -> {
                try {
                    while (ends.peer.read(ByteBuffer.allocate(1 << 16)) > 0) {
                        Thread.onSpinWait();
                    }
                } catch (IOException e) {
                    return; // the test is over
                }
            }, "takes");
            takes.start();
            long startNs = System.nanoTime();
            events.await(10_000_000_000L);
            assertTrue(System.nanoTime() - startNs < 5_000_000_000L);
            takes.interrupt();
            takes.join();
        }
    }
}
