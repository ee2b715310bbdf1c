package org.jvrpc.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
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
import org.jvrpc.testing.Waits;

/** What becomes of frames whose sender closes at once. */
class MessageGoodbyeTest {

    private static final int FRAMES = 256;
    private static final int FRAME_BYTES = 4000;
    private static final int PUSHED = 32;
    /** Half of what a client waits at most that closes; a machine that is busy may take as long, but not each time. */
    private static final long SOON_NS = 500_000_000;
    private static final int TRIES = 5;

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

    /** The server has left long before: what it says then lies behind what nobody has read. */
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
        try (MessageServer server = MessageServer.builder().bind("tcp://127.0.0.1:0").handler(() -> pushes).start();
                Relay relay = new Relay(server.address())) {
            long shortestNs = Long.MAX_VALUE;
            for (int i = 0; i < TRIES && shortestNs > SOON_NS; i++) {
                shortestNs = Math.min(shortestNs, closeNs(relay));
            }
            assertTrue(shortestNs <= SOON_NS, "each close took a second, the shortest ns=" + shortestNs);
        }
    }

    private static long closeNs(Relay relay) {
        long startNs;
        try (MessageClient client = MessageClient.builder(relay.address(), (session, frame) -> { }).connect()) {
            Waits.until("what the server pushes", () -> relay.told().length > PUSHED * FRAME_BYTES);
            assertTrue(client.session().isOpen());
            startNs = System.nanoTime();
        }
        return System.nanoTime() - startNs;
    }
}
