package org.jvrpc.runtime.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.Serializable;
import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.jvrpc.api.auth.RpcPrincipal;
import org.jvrpc.runtime.MessageClient;
import org.jvrpc.runtime.MessageHandler;
import org.jvrpc.runtime.MessageSession;

/** A server and clients of message sessions at an address of its own; what they hear is kept. */
abstract class MessageFixture extends ServerFixture {

    static final long BOUND_NS = Await.BOUND_NS;

    String address;
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

    /** Makes the handler of a server's sessions where the server is. */
    @FunctionalInterface
    interface Maker extends Serializable {
        Recorder make();
    }

    /** As {@link ServerProcess.Work}, on the handler of a server's sessions. */
    @FunctionalInterface
    interface Use<T> extends Serializable {
        T of(Recorder recorder);
    }

    /** As {@link Use}, for what returns nothing. */
    @FunctionalInterface
    interface Task extends Serializable {
        void on(Recorder recorder);
    }

    /** A server of message sessions, in whichever process, and the one handler of its sessions. */
    record Served(ServerProcess process, int number) implements AutoCloseable {

        <T> T ask(Use<T> use) {
            int mine = number;
            return process.ask(side -> use.of(side.recorder(mine)));
        }

        void tell(Task task) {
            ask(recorder -> {
                task.on(recorder);
                return null;
            });
        }

        boolean hasSession() {
            return ask(recorder -> recorder.session != null);
        }

        /** Returns how many frames came, of all sessions. */
        int frames() {
            return ask(recorder -> recorder.frames.size());
        }

        /** Returns how many sessions ended. */
        int ends() {
            return ask(recorder -> recorder.ends.get());
        }

        /** Returns what the last session that ended broke by, or null. */
        String cause() {
            return ask(recorder -> recorder.cause == null ? null : recorder.cause.getMessage());
        }

        /** Waits until the one session is over. */
        void awaitEnd() {
            Await.until("the end to be told", () -> ends() > 0);
            assertEquals(1, ends());
        }

        boolean isOpen() {
            int mine = number;
            return process.ask(side -> side.messageServer(mine).isOpen());
        }

        /** In the test's own process. */
        AutoCloseable revoke(Predicate<RpcPrincipal> which) {
            int mine = number;
            return process.ask(side -> side.messageServer(mine).revoke(which));
        }

        @Override
        public void close() {
            int mine = number;
            process.ask(side -> {
                side.messageServer(mine).close();
                return null;
            });
        }
    }

    Served serve(Maker maker) {
        return serve(maker, settings -> settings);
    }

    Served serve(Maker maker, ServerProcess.MessageSettings settings) {
        String at = address;
        return keep(new Served(process(), askServer(side -> side.serveMessages(at, maker.make(), settings))));
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
}
