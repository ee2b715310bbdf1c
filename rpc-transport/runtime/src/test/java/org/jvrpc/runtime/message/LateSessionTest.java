package org.jvrpc.runtime.message;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.jvrpc.runtime.IdleStrategy;
import org.jvrpc.runtime.session.Hello;
import org.jvrpc.runtime.session.Protocol;
import org.jvrpc.runtime.session.ReadingLink;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.runtime.thread.Environment;
import org.jvrpc.runtime.thread.Events;
import org.jvrpc.runtime.thread.Idler;

class LateSessionTest {

    /** Nothing comes by it. */
    private static final class QuietLink extends ReadingLink {

        private final ByteBuffer memory = ByteBuffer.allocateDirect(64);

        @Override
        public ByteBuffer body(int slot) {
            return memory;
        }

        @Override
        public boolean poll() {
            return false;
        }
    }

    private static final Events NO_EVENTS = new Events() {

        @Override
        public void await(long timeoutNs) {
            Thread.onSpinWait();
        }

        @Override
        public void wakeup() {
            // nobody sleeps
        }
    };

    /** The control thread connects it while another thread ends the server: its memory comes back all the same. */
    @Test
    void aSessionThatArrivesBehindTheEndIsBuried() {
        List<FrameSession> buried = new ArrayList<>();
        MessagePoller poller = new MessagePoller(Environment.SYSTEM, NO_EVENTS, Idler.ofPoller(IdleStrategy.BLOCK),
                "late", Long.MAX_VALUE, buried::add, () -> { });
        poller.start();
        poller.stop();
        FrameSession late = new FrameSession(Clock.SYSTEM, new QuietLink(), null,
                Hello.request(Protocol.MESSAGES, 4, 64, 64), 64, (session, frame) -> { }, QueueBudget.UNLIMITED, 1,
                () -> { });
        poller.add(late);
        assertEquals(List.of(late), buried);
    }
}
