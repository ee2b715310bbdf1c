package org.jvrpc.runtime.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.MessageClient;
import org.jvrpc.runtime.MessageHandler;
import org.jvrpc.runtime.MessageServer;
import org.jvrpc.runtime.MessageSession;
import org.jvrpc.runtime.ShmFolder;

/** What message sessions cost whose peers do not take what is theirs, and what arrives of sessions that end. */
class MessageLimitTest {

    private static final long BOUND_NS = 30_000_000_000L;
    private static final int MIB = 1 << 20;

    private final String address = ShmFolder.address();

    private static void until(BooleanSupplier holds, Supplier<String> seen) {
        long endNs = System.nanoTime() + BOUND_NS;
        while (!holds.getAsBoolean()) {
            if (System.nanoTime() - endNs > 0) {
                throw new AssertionError("did not happen: " + seen.get());
            }
            Thread.onSpinWait();
        }
    }

    /** What happened to the sessions of a server, or of a client. */
    private static class Seen implements MessageHandler {
        final List<Integer> frames = new ArrayList<>();
        final AtomicInteger count = new AtomicInteger();
        final AtomicReference<MessageSession> session = new AtomicReference<>();
        final AtomicInteger ends = new AtomicInteger();
        final AtomicReference<Throwable> cause = new AtomicReference<>();

        @Override
        public void opened(MessageSession opened) {
            session.set(opened);
        }

        @Override
        public void frame(MessageSession from, ByteBuffer frame) {
            frames.add(frame.remaining() < 4 ? -1 : frame.getInt(0));
            count.incrementAndGet();
        }

        @Override
        public void closed(MessageSession closed, Throwable why) {
            cause.set(why);
            ends.incrementAndGet();
        }
    }

    private static ByteBuffer numbered(int number, int bytes) {
        return ByteBuffer.allocate(bytes).putInt(0, number);
    }

    private static void expectInOrder(int count, List<Integer> frames) {
        List<Integer> expected = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            expected.add(i);
        }
        assertEquals(expected, frames);
    }

    @Test
    void allThatWasSentBeforeAnOrderlyCloseArrives() {
        Seen client = new Seen();
        Seen served = new Seen() {
            @Override
            public void opened(MessageSession session) { // the reader may not be connected yet
                for (int i = 0; i < 200; i++) {
                    assertTrue(session.send(numbered(i, 64)));
                }
                session.close();
            }
        };
        try (MessageServer server = MessageServer.builder().bind(address).handler(() -> served).start();
                MessageClient reader = MessageClient.builder(server.address(), client).window(256).connect()) {
            until(() -> reader.poll() >= 0 && client.ends.get() == 1, () -> "the end is told, frames=" + client.count);
            expectInOrder(200, client.frames);
            assertNull(client.cause.get());
            until(() -> served.ends.get() == 1, () -> "the server's session ends when all was taken");
        }
    }

    /** Lets the channel see that the connection is over, without a poll. */
    private static boolean awaitsEnd(MessageClient reader) {
        reader.await(1_000_000);
        return !((FrameSession) reader.session()).isPeerThere();
    }

    @Test
    void allThatWasSentBeforeTheSenderDiedArrivesWhenThePausedReaderGoesOn() {
        Seen served = new Seen();
        Seen client = new Seen();
        try (MessageServer server = MessageServer.builder().bind(address).handler(() -> served).start()) {
            MessageClient sender = MessageClient.builder(server.address(), client).window(256).connect();
            sender.poll();
            until(() -> served.session.get() != null, () -> "the session opens");
            served.session.get().pause();
            for (int i = 0; i < 200; i++) {
                assertTrue(sender.send(numbered(i, 64)));
            }
            sender.close();
            FrameSession there = (FrameSession) served.session.get();
            until(() -> !there.isPeerThere(), () -> "the server notices");
            assertEquals(0, served.ends.get(), "told while frames wait");
            there.resume();
            until(() -> served.ends.get() == 1, () -> "the end is told, frames=" + served.count);
            expectInOrder(200, served.frames);
        }
    }

    @Test
    void aClientThatAsksAndTakesNothingIsNotAnsweredBeyondItsBudget() {
        int requests = 1000;
        Seen client = new Seen();
        Seen served = new Seen() {
            @Override
            public void frame(MessageSession from, ByteBuffer frame) {
                super.frame(from, frame);
                from.send(numbered(frame.getInt(0), MIB));
            }
        };
        AtomicInteger sessions = new AtomicInteger();
        Supplier<MessageHandler> handlers = () -> sessions.getAndIncrement() == 0 ? served : new Seen();
        try (MessageServer server = MessageServer.builder().bind(address).handler(handlers)
                .maxQueuedBytes(8L * MIB, 16L * MIB).start();
                MessageClient greedy = MessageClient.builder(server.address(), client).window(1024).connect()) {
            for (int i = 0; i < requests; i++) {
                assertTrue(greedy.send(numbered(i, 30)));
            }
            until(() -> served.count.get() >= 3, () -> "requests are handled");
            try (MessageClient other = MessageClient.builder(address, new Seen()).connect()) {
                other.poll(); // once it is served, the greedy one's turn was over a time before
            }
            MessageSession session = served.session.get();
            assertTrue(served.count.get() <= 8, "handled requests=" + served.count + " of a client that takes nothing");
            assertTrue(session.queuedBytes() <= 3L * MIB, "queued bytes=" + session.queuedBytes());
            until(() -> greedy.poll(1_000_000) >= 0 && client.count.get() == requests || client.ends.get() > 0,
                    () -> "answers=" + client.count + " of " + requests);
            expectInOrder(requests, client.frames);
            assertEquals(0, served.ends.get(), "ended: " + served.cause);
        }
    }

    @Test
    void aSessionWhosePeerTakesNothingOfWhatIsPushedEndsWithItsName() {
        Seen served = new Seen();
        try (MessageServer server = MessageServer.builder().bind(address).handler(() -> served)
                .maxQueuedBytes(4L * MIB, 16L * MIB).start();
                MessageClient deaf = MessageClient.builder(server.address(), new Seen()).connect()) {
            deaf.poll();
            until(() -> served.session.get() != null, () -> "the session opens");
            int taken = 0;
            while (taken < 100 && served.session.get().send(numbered(taken, MIB))) {
                taken++;
            }
            assertEquals(4, taken, "frames of a MiB beside the window's 256 KiB");
            until(() -> served.ends.get() == 1, () -> "the session ends");
            RpcException cause = (RpcException) served.cause.get();
            assertEquals(Status.RESOURCE_EXHAUSTED, cause.status());
            assertTrue(cause.getMessage().contains("peer makes no room") && cause.getMessage().contains("4194304"),
                    cause.getMessage());
            assertFalse(served.session.get().isOpen());
        }
    }

    @Test
    void whenAllQueueTooMuchTheSessionWithTheMostEnds() {
        ConcurrentHashMap<Long, Seen> served = new ConcurrentHashMap<>();
        Supplier<MessageHandler> handlers = () -> new Seen() {
            @Override
            public void opened(MessageSession opened) {
                super.opened(opened);
                served.put(opened.id(), this);
            }
        };
        try (MessageServer server = MessageServer.builder().bind(address).handler(handlers)
                .maxQueuedBytes(8L * MIB, 10L * MIB).start();
                MessageClient greedy = MessageClient.builder(server.address(), new Seen()).connect();
                MessageClient modest = MessageClient.builder(server.address(), new Seen()).connect()) {
            until(() -> served.size() == 2, () -> "sessions=" + served.keySet());
            Seen first = served.get(greedy.session().id());
            Seen second = served.get(modest.session().id());
            for (int i = 0; i < 7; i++) {
                assertTrue(first.session.get().send(numbered(i, MIB)));
            }
            for (int i = 0; i < 5; i++) {
                assertTrue(second.session.get().send(numbered(i, MIB)), "frame=" + i);
            }
            until(() -> first.ends.get() == 1, () -> "the greedy one ends");
            RpcException cause = (RpcException) first.cause.get();
            assertEquals(Status.RESOURCE_EXHAUSTED, cause.status());
            assertTrue(cause.getMessage().contains("limit=10485760"), cause.getMessage());
            Seen there = (Seen) ((FrameSession) modest.session()).handler();
            until(() -> modest.poll(1_000_000) >= 0 && there.count.get() == 5, () -> "frames=" + there.count);
            assertEquals(0, second.ends.get());
        }
    }

    @Test
    void budgetsThatCannotBeAreRefused() {
        MessageServer.Builder builder = MessageServer.builder();
        assertTrue(assertThrows(IllegalArgumentException.class, () -> builder.maxQueuedBytes(1, 2)).getMessage()
                .contains("perSession=1"));
        assertTrue(assertThrows(IllegalArgumentException.class, () -> builder.maxQueuedBytes(1 << 20, 1 << 19))
                .getMessage().contains("inAll=524288"));
    }
}
