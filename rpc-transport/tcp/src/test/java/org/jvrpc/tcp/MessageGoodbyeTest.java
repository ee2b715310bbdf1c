package org.jvrpc.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.runtime.MessageClient;
import org.jvrpc.runtime.MessageHandler;
import org.jvrpc.runtime.MessageServer;
import org.jvrpc.runtime.MessageSession;
import org.jvrpc.runtime.message.MessageClientCore;
import org.jvrpc.runtime.session.Hello;
import org.jvrpc.runtime.session.Protocol;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.runtime.thread.Environment;
import org.jvrpc.runtime.thread.Threads;
import org.jvrpc.testing.Waits;

/** What becomes of frames whose sender closes at once. */
class MessageGoodbyeTest {

    private static final int FRAMES = 256;
    private static final int FRAME_BYTES = 4000;
    private static final int PUSHED = 32;

    /** A server's handler, which takes the second frame only when the client says goodbye. */
    private static final class Counting implements MessageHandler {

        private final CountDownLatch goodbye;
        private final AtomicInteger frames = new AtomicInteger();
        private final List<Object> ends = new ArrayList<>();

        Counting(CountDownLatch goodbye) {
            this.goodbye = goodbye;
        }

        @Override
        public void frame(MessageSession session, ByteBuffer frame) {
            frames.incrementAndGet();
            try {
                assertTrue(goodbye.await(Waits.limitNs(), TimeUnit.NANOSECONDS));
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public synchronized void closed(MessageSession session, Throwable cause) {
            ends.add(cause == null ? "in order" : cause);
        }

        synchronized List<Object> ends() {
            return List.copyOf(ends);
        }
    }

    private static final class Leaving implements MessageHandler {

        private final CountDownLatch goodbye;

        Leaving(CountDownLatch goodbye) {
            this.goodbye = goodbye;
        }

        @Override
        public void frame(MessageSession session, ByteBuffer frame) {
            throw new AssertionError("nobody sends anything");
        }

        @Override
        public void closed(MessageSession session, Throwable cause) {
            goodbye.countDown();
        }
    }

    private static String address(String scheme) {
        return switch (scheme) {
            case "tcp" -> "tcp://127.0.0.1:0";
            case "unix" -> UnixUnderTest.Sockets.fresh();
            default -> scheme + "://goodbye-" + ProcessHandle.current().pid();
        };
    }

    /** What a send took and did not queue was sent, also where a socket or a ring had no room for all of it. */
    @ParameterizedTest
    @ValueSource(strings = {"tcp", "unix", "inproc", "shm"})
    void framesThatWereSentArriveThoughTheirClientClosesAtOnce(String scheme) {
        CountDownLatch goodbye = new CountDownLatch(1);
        Counting counting = new Counting(goodbye);
        try (MessageServer server = MessageServer.builder().bind(address(scheme)).handler(() -> counting).start()) {
            int sent = 0;
            try (MessageClient client = MessageClient.builder(server.address(), new Leaving(goodbye)).window(FRAMES)
                    .connect()) {
                ByteBuffer frame = ByteBuffer.allocate(FRAME_BYTES);
                while (client.send(frame) && client.session().queuedBytes() == 0) {
                    sent++;
                }
            }
            Waits.until("the end", () -> !counting.ends().isEmpty());
            assertEquals(sent, Math.min(sent, counting.frames.get()), "frames");
            assertEquals(List.of("in order"), counting.ends());
        }
    }

    /** What the server says of its end lies behind what nobody has read. No time passes until the client has left. */
    @Test
    void aClientThatTookNothingLeavesWithoutWaiting() {
        MessageHandler pushes = new MessageHandler() {
            @Override
            public void opened(MessageSession session) {
                for (int i = 0; i < PUSHED; i++) {
                    session.send(ByteBuffer.allocate(FRAME_BYTES));
                }
            }

            @Override
            public void frame(MessageSession session, ByteBuffer frame) {
                throw new AssertionError("the client sends nothing");
            }
        };
        Stoppable clock = new Stoppable();
        try (MessageServer server = MessageServer.builder().bind("tcp://127.0.0.1:0").handler(() -> pushes).start();
                Relay relay = new Relay(server.address())) {
            MessageClientCore client = new MessageClientCore(new Environment(clock, Threads.DAEMONS), relay.address(),
                    (session, frame) -> { }, Hello.request(Protocol.MESSAGES, FRAMES, FRAME_BYTES, 1 << 20),
                    Waits.limitNs());
            Waits.until("what the server pushes", () -> relay.told().length > PUSHED * FRAME_BYTES);
            assertTrue(client.session().isOpen());
            clock.stopped = true;
            CompletableFuture<Void> closing = CompletableFuture.runAsync(client::close,
                    task -> new Thread(task).start());
            try {
                Waits.until("the client to leave", closing::isDone);
            } finally {
                clock.stopped = false;
            }
            closing.join();
        }
    }

    /** Stands still while the test says so: no limit is reached by waiting. */
    private static final class Stoppable implements Clock {

        private volatile boolean stopped;
        private volatile long lastNs;

        @Override
        public long nanoTime() {
            if (!stopped) {
                lastNs = System.nanoTime();
            }
            return lastNs;
        }
    }
}
