package org.jvrpc.runtime.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.jvrpc.runtime.MessageClient;
import org.jvrpc.runtime.MessageHandler;
import org.jvrpc.runtime.MessageServer;
import org.jvrpc.runtime.MessageSession;

/** A server and clients of message sessions at an address of its own; what they hear is kept. */
abstract class MessageFixture implements RpcUnderTest {

    static final long BOUND_NS = Await.BOUND_NS;

    String address;
    private final List<AutoCloseable> made = new ArrayList<>();
    final Recorder client = new Recorder();

    /** Keeps what a side was told. */
    static class Recorder implements MessageHandler {

        final Queue<byte[]> frames = new ConcurrentLinkedQueue<>();
        final AtomicInteger drains = new AtomicInteger();
        final AtomicInteger ends = new AtomicInteger();
        volatile MessageSession session;
        volatile Throwable cause;

        @Override
        public void opened(MessageSession opened) {
            session = opened;
        }

        @Override
        public void frame(MessageSession from, ByteBuffer frame) {
            byte[] bytes = new byte[frame.remaining()];
            frame.get(bytes);
            frames.add(bytes);
        }

        @Override
        public void drained(MessageSession of) {
            drains.incrementAndGet();
        }

        @Override
        public void closed(MessageSession closed, Throwable why) {
            cause = why;
            ends.incrementAndGet();
        }
    }

    @BeforeEach
    void chooseAddress() {
        address = newAddress();
    }

    @AfterEach
    void closeAll() throws Exception {
        for (int i = made.size() - 1; i >= 0; i--) {
            made.get(i).close();
        }
    }

    <T extends AutoCloseable> T keep(T resource) {
        made.add(resource);
        return resource;
    }

    MessageServer serve(MessageHandler handler) {
        return keep(MessageServer.builder().bind(address).handler(() -> handler).start());
    }

    MessageClient.Builder builder() {
        return MessageClient.builder(clientAddress(address), client);
    }

    MessageClient connect() {
        return keep(builder().connect());
    }

    static void until(String what, MessageClient poller, BooleanSupplier condition) {
        long startNs = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (poller.poll(1_000_000) == 0 && System.nanoTime() - startNs > BOUND_NS) {
                throw new AssertionError("did not happen: " + what);
            }
        }
    }

    static byte[] pattern(long seed, int length) {
        byte[] bytes = new byte[length];
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) random.nextInt();
        }
        return bytes;
    }

    static void awaitEnd(Recorder recorder) {
        Await.until("the end to be told", () -> recorder.ends.get() > 0);
        assertEquals(1, recorder.ends.get());
    }
}
