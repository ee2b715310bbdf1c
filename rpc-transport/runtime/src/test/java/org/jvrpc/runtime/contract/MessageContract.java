package org.jvrpc.runtime.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
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
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.runtime.MessageClient;
import org.jvrpc.runtime.MessageHandler;
import org.jvrpc.runtime.MessageServer;
import org.jvrpc.runtime.MessageSession;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.verbs.ConnectionException;

/** Frames both ways over a message session. */
public abstract class MessageContract {

    private static final long BOUND_NS = 30_000_000_000L;

    private String address;
    private final List<AutoCloseable> made = new ArrayList<>();
    private final Recorder client = new Recorder();

    /** Keeps what a side was told. */
    private static class Recorder implements MessageHandler {

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

    /** Returns an address at which nobody listens, of the device that is tested. */
    protected abstract String newAddress();

    /** Returns where clients connect to reach a server that listens at an address. */
    protected String clientAddress(String serverAddress) {
        return serverAddress;
    }

    /** Returns where servers see clients, as text: "null" for shared memory. */
    protected String clientHost() {
        return "null";
    }

    /** Returns how many times slower the device may be than shared memory: less is done on it. */
    protected int slower() {
        return 1;
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

    private <T extends AutoCloseable> T keep(T resource) {
        made.add(resource);
        return resource;
    }

    private MessageServer serve(MessageHandler handler) {
        return keep(MessageServer.builder().bind(address).handler(() -> handler).start());
    }

    private MessageClient.Builder builder() {
        return MessageClient.builder(clientAddress(address), client);
    }

    private MessageClient connect() {
        return keep(builder().connect());
    }

    private static void until(String what, MessageClient poller, BooleanSupplier condition) {
        long startNs = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (poller.poll(1_000_000) == 0 && System.nanoTime() - startNs > BOUND_NS) {
                throw new AssertionError("did not happen: " + what);
            }
        }
    }

    private static byte[] pattern(long seed, int length) {
        byte[] bytes = new byte[length];
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) random.nextInt();
        }
        return bytes;
    }

    /** Sends each frame back. */
    private static final class Echo extends Recorder {
        @Override
        public void frame(MessageSession from, ByteBuffer frame) {
            assertTrue(from.send(frame));
        }
    }

    @Test
    void framesOfAllSizesComeBackWholeAndInOrder() {
        serve(new Echo());
        MessageClient sender = connect();
        int[] sizes = {0, 1, 15, 16, 80, 96, 97, 4079, 4080, 4096, 4097, 8192, 65_536, 1 << 20, 5_000_001, 3, 0};
        for (int size : sizes) {
            assertTrue(sender.send(ByteBuffer.wrap(pattern(size, size))));
        }
        until("all frames are back", sender, () -> client.frames.size() == sizes.length);
        for (int size : sizes) {
            assertArrayEquals(pattern(size, size), client.frames.poll(), "size=" + size);
        }
    }

    @Test
    void aFrameIsMadeOfItsPiecesWhichAreLeftAsTheyWere() {
        serve(new Echo());
        MessageClient sender = connect();
        ByteBuffer first = ByteBuffer.wrap(new byte[] {9, 1, 2, 9}).position(1).limit(3);
        ByteBuffer second = ByteBuffer.allocateDirect(3).put(new byte[] {3, 4, 5}).flip();
        assertTrue(sender.send(first, ByteBuffer.allocate(0), second));
        assertEquals(2, first.remaining());
        assertEquals(3, second.remaining());
        until("the frame is back", sender, () -> !client.frames.isEmpty());
        assertArrayEquals(new byte[] {1, 2, 3, 4, 5}, client.frames.poll());
    }

    @Test
    void theServerKnowsWhereItsClientIs() {
        Recorder server = new Recorder();
        serve(server);
        MessageClient here = connect();
        until("the session is there", here, () -> server.session != null);
        InetAddress host = server.session.peerHost();
        assertEquals(clientHost(), host == null ? "null" : host.getHostAddress());
    }

    @Test
    void theServerPushesFromAnyThread() {
        Recorder server = new Recorder();
        serve(server);
        MessageClient receiver = connect();
        until("the session is there", receiver, () -> server.session != null);
        int threads = 4;
        int each = 2000 / slower();
        for (int t = 0; t < threads; t++) {
            int number = t;
            Thread pusher = new Thread(() -> {
                for (int i = 0; i < each; i++) {
                    server.session.send(ByteBuffer.allocate(8).putInt(number).putInt(i).flip());
                }
            }, "pusher-" + t);
            pusher.setDaemon(true);
            pusher.start();
        }
        until("all frames came", receiver, () -> client.frames.size() == threads * each);
        int[] next = new int[threads];
        for (byte[] frame : client.frames) {
            ByteBuffer in = ByteBuffer.wrap(frame);
            assertEquals(next[in.getInt()]++, in.getInt(), "frames of a thread are in order");
        }
    }

    @Test
    void randomFramesFloodBothWaysAtOnce() {
        long seed = System.nanoTime();
        Recorder server = new Recorder();
        serve(server);
        MessageClient here = keep(builder().window(8).pieceBytes(512).connect());
        until("the session is there", here, () -> server.session != null);
        int count = 3000 / slower();
        Thread pusher = new Thread(() -> flood(server.session, seed + 1, count), "pusher");
        pusher.setDaemon(true);
        pusher.start();
        flood(here.session(), seed, count);
        until("all frames came, seed=" + seed, here,
                () -> client.frames.size() == count && server.frames.size() == count);
        verify(client.frames, seed + 1);
        verify(server.frames, seed);
        assertEquals(0, here.session().queuedBytes());
    }

    private static void flood(MessageSession to, long seed, int count) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < count; i++) {
            assertTrue(to.send(ByteBuffer.wrap(pattern(i, random.nextInt(3000)))));
        }
    }

    private static void verify(Queue<byte[]> frames, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int i = 0;
        for (byte[] frame : frames) {
            assertArrayEquals(pattern(i, random.nextInt(3000)), frame, "seed=" + seed + " i=" + i);
            i++;
        }
    }

    @Test
    void aPausedReceiverHoldsTheSenderUpAndLosesNothing() {
        Recorder server = new Recorder() {
            @Override
            public void opened(MessageSession opened) {
                opened.pause();
                super.opened(opened);
            }
        };
        serve(server);
        MessageClient sender = keep(builder().window(8).pieceBytes(256).connect());
        until("the session is there", sender, () -> server.session != null);
        for (int i = 0; i < 100; i++) {
            assertTrue(sender.send(ByteBuffer.wrap(pattern(i, 200))));
        }
        sender.poll(5_000_000);
        assertEquals(92 * 200, sender.session().queuedBytes());
        assertTrue(server.frames.isEmpty());
        server.session.resume();
        until("all frames came", sender, () -> server.frames.size() == 100);
        until("the sender heard of it", sender, () -> client.drains.get() > 0);
        assertEquals(0, sender.session().queuedBytes());
        int i = 0;
        for (byte[] frame : server.frames) {
            assertArrayEquals(pattern(i++, 200), frame);
        }
    }

    @Test
    void aFrameThatIsTooLongIsRefusedAndTheSessionGoesOn() {
        keep(MessageServer.builder().bind(address).handler(Echo::new).maxFrameBytes(1000).start());
        MessageClient sender = connect();
        assertEquals(1000, sender.session().maxFrameBytes());
        IllegalArgumentException e =
                assertThrows(IllegalArgumentException.class, () -> sender.send(ByteBuffer.allocate(1001)));
        assertTrue(e.getMessage().contains("1001") && e.getMessage().contains("1000"), e.getMessage());
        assertTrue(sender.send(ByteBuffer.allocate(1000)));
        until("the frame is back", sender, () -> !client.frames.isEmpty());
    }

    @Test
    void aSessionThatTheClientClosesEndsAtTheServerAfterAllItsFrames() {
        Recorder server = new Recorder();
        serve(server);
        MessageClient sender = connect();
        until("the session is there", sender, () -> server.session != null);
        for (int i = 0; i < 10; i++) {
            sender.send(ByteBuffer.wrap(pattern(i, 100)));
        }
        sender.close();
        awaitEnd(server);
        assertNull(server.cause);
        assertEquals(10, server.frames.size());
        assertEquals(1, client.ends.get());
        assertFalse(sender.send(ByteBuffer.allocate(1)));
        assertFalse(server.session.send(ByteBuffer.allocate(1)));
        sender.close();
    }

    private static void awaitEnd(Recorder recorder) {
        long startNs = System.nanoTime();
        while (recorder.ends.get() == 0 && System.nanoTime() - startNs < BOUND_NS) {
            Thread.onSpinWait();
        }
        assertEquals(1, recorder.ends.get());
    }

    @Test
    void aSessionThatTheServerClosesEndsAtTheClient() {
        Recorder server = new Recorder();
        serve(server);
        MessageClient sender = connect();
        until("the session is there", sender, () -> server.session != null);
        server.session.send(ByteBuffer.wrap(pattern(1, 10)));
        server.session.close();
        until("the session is over", sender, () -> client.ends.get() > 0);
        assertNull(client.cause);
        assertEquals(1, client.frames.size());
        assertFalse(sender.session().isOpen());
        assertEquals(0, sender.poll());
    }

    @Test
    void aServerThatClosesASessionSendsFirstWhatIsQueued() {
        Recorder server = new Recorder() {
            @Override
            public void opened(MessageSession opened) {
                for (int i = 0; i < 50; i++) {
                    opened.send(ByteBuffer.wrap(pattern(i, 200)));
                }
                assertTrue(opened.queuedBytes() > 0);
                opened.close();
                assertFalse(opened.send(ByteBuffer.allocate(1)));
                super.opened(opened);
            }
        };
        serve(server);
        MessageClient receiver = keep(builder().window(4).pieceBytes(256).connect());
        until("the session is over", receiver, () -> client.ends.get() > 0);
        assertNull(client.cause);
        assertEquals(50, client.frames.size());
    }

    @Test
    void aHandlerThatThrowsEndsItsSessionAloneAndIsToldWhy() {
        Queue<Recorder> servers = new ConcurrentLinkedQueue<>();
        keep(MessageServer.builder().bind(address).handler(() -> {
            Recorder recorder = new Recorder() {
                @Override
                public void frame(MessageSession from, ByteBuffer frame) {
                    if (frame.remaining() == 13) {
                        throw new IllegalStateException("thirteen");
                    }
                    from.send(frame);
                }
            };
            servers.add(recorder);
            return recorder;
        }).start());
        MessageClient unlucky = connect();
        Recorder other = new Recorder();
        MessageClient lucky = keep(MessageClient.builder(clientAddress(address), other).connect());
        unlucky.send(ByteBuffer.allocate(13));
        until("the session is over", unlucky, () -> client.ends.get() > 0);
        assertNotNull(client.cause, "it was broken, not closed");
        assertEquals("thirteen", servers.peek().cause.getMessage());
        lucky.send(ByteBuffer.allocate(12));
        until("the other session lives", lucky, () -> other.frames.size() == 1);
    }

    @Test
    void aServerThatClosesEndsItsSessionsAndGivesItsAddressFree() {
        Recorder server = new Recorder();
        MessageServer first = serve(server);
        MessageClient sender = connect();
        until("the session is there", sender, () -> server.session != null);
        assertTrue(first.isOpen());
        first.close();
        assertFalse(first.isOpen());
        until("the session is over", sender, () -> client.ends.get() > 0);
        serve(new Echo());
        Recorder again = new Recorder();
        MessageClient fresh = keep(MessageClient.builder(clientAddress(address), again).connect());
        fresh.send(ByteBuffer.allocate(7));
        until("the frame is back", fresh, () -> again.frames.size() == 1);
    }

    @Test
    void nobodyThereAndSomebodyElseThereAreSaid() {
        ConnectionException none = assertThrows(ConnectionException.class, () -> builder().connect());
        assertEquals(ConnectionException.Reason.UNREACHABLE, none.reason());
        serve(new Echo());
        RpcException e = assertThrows(RpcException.class, () -> RpcClient.connect(clientAddress(address)));
        assertTrue(e.getMessage().contains("message sessions"), e.getMessage());
    }

    @Test
    void connectingManyTimesLeavesNothingBehind() {
        Recorder server = new Recorder();
        serve(server);
        int times = 300 / slower();
        for (int i = 0; i < times; i++) {
            MessageClient fresh = MessageClient.builder(clientAddress(address), new Recorder()).window(4)
                    .pieceBytes(256).connect();
            fresh.send(ByteBuffer.wrap(pattern(i, 20)));
            fresh.close();
        }
        long startNs = System.nanoTime();
        while (server.ends.get() < times && System.nanoTime() - startNs < BOUND_NS) {
            Thread.onSpinWait();
        }
        assertEquals(times, server.ends.get());
        assertEquals(times, server.frames.size());
    }
}
