package org.jvrpc.tcp.link;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.testing.Waits;

/** What a selector is asked for. */
class WatchTest {

    private final StreamEvents events = new StreamEvents();

    @AfterEach
    void close() {
        events.close();
    }

    /** Does something in the midst of the first change. */
    private static final class Key extends SelectionKey {

        private Runnable meanwhile;
        private volatile int asked = OP_READ;

        @Override
        public SelectionKey interestOps(int operations) {
            Runnable first = meanwhile;
            meanwhile = null;
            if (first != null) {
                first.run();
            }
            asked = operations;
            return this;
        }

        @Override
        public int interestOps() {
            return asked;
        }

        @Override
        public SelectableChannel channel() {
            return null;
        }

        @Override
        public Selector selector() {
            return null;
        }

        @Override
        public boolean isValid() {
            return true;
        }

        @Override
        public void cancel() {
            // nobody asks
        }

        @Override
        public int readyOps() {
            return OP_READ;
        }
    }

    /** Who leads is told of something, by the selector, while the event thread looks. */
    @Test
    void whatIsAskedForIsAskedForWhoeverElseChangesIt() throws InterruptedException {
        Watch watch = new Watch(events, true);
        Key key = new Key();
        watch.begin(key);
        Thread looks = new Thread(() -> watch.interest(SelectionKey.OP_READ), "event");
        key.meanwhile = () -> {
            looks.start();
            Waits.until("the event thread to have looked, or to wait for its turn",
                    () -> looks.getState() == Thread.State.BLOCKED || looks.getState() == Thread.State.TERMINATED);
        };
        watch.ready();
        looks.join();
        watch.interest(SelectionKey.OP_READ); // as a caller arms that is about to sleep
        assertEquals(SelectionKey.OP_READ, key.interestOps());
    }
}
