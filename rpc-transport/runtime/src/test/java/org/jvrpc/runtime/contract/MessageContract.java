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
import java.util.Queue;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.runtime.MessageClient;
import org.jvrpc.runtime.MessageSession;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.counters.Counters;
import org.jvrpc.runtime.counters.EndpointCounters;
import org.jvrpc.runtime.counters.EndpointCounters.Role;
import org.jvrpc.runtime.counters.MethodCounters;
import org.jvrpc.runtime.counters.SessionCounters;
import org.jvrpc.testing.Holdings;
import org.jvrpc.verbs.ConnectionException;

/** Frames both ways over a message session. */
public abstract class MessageContract extends MessageFixture {

    /** Sends each frame back. */
    private static final class Echo extends Recorder {
        @Override
        public void frame(MessageSession from, ByteBuffer frame) {
            assertTrue(from.send(frame));
        }
    }

    @Test
    void framesOfAllSizesComeBackWholeAndInOrder() {
        serve(Echo::new);
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

    /** Returns the frames and bytes that left and came at one side, and those of its sessions. */
    private static long[] counted(Role role, String address) {
        EndpointCounters side = Counters.own().read().endpoints().stream()
                .filter(endpoint -> endpoint.role() == role && endpoint.address().equals(address)).findFirst()
                .orElseThrow(() -> new AssertionError("no " + role + " " + address));
        long[] counts = new long[8];
        for (MethodCounters method : side.methods()) {
            assertEquals("jvrpc.Messages", method.service());
            int at = method.method().equals("send") ? 0 : 2;
            counts[at] = method.calls();
            counts[at + 1] = method.bytesOut() + method.bytesIn();
        }
        for (SessionCounters session : side.sessions()) {
            counts[4]++;
            counts[5] += session.begun() - session.inFlight();
            counts[6] += session.bytesOut();
            counts[7] += session.bytesIn();
        }
        return counts;
    }

    @Test
    void framesAreCountedOnBothSides() {
        serve(Echo::new);
        MessageClient sender = connect();
        for (int size : new int[] {0, 10, 10_000}) {
            assertTrue(sender.send(ByteBuffer.allocate(size)));
        }
        until("all frames are back", sender, () -> client.frames.size() == 3);
        String known = address;
        long[] expected = {3, 10_010, 3, 10_010, 1, 6, 10_010, 10_010};
        assertArrayEquals(expected, counted(Role.CLIENT, clientAddress(address)));
        until("the server has counted", sender, () -> askServer(side -> counted(Role.SERVER, known))[0] == 3);
        assertArrayEquals(expected, askServer(side -> counted(Role.SERVER, known)));
        sender.close();
        Await.until("the session to go", () -> askServer(side -> counted(Role.SERVER, known))[4] == 0);
        assertThrows(AssertionError.class, () -> counted(Role.CLIENT, clientAddress(known)));
    }

    @Test
    void framesAreNotCountedWhereItIsSwitchedOff() {
        serve(Echo::new, builder -> builder.counters(false));
        MessageClient sender = keep(builder().counters(false).connect());
        assertTrue(sender.send(ByteBuffer.allocate(1)));
        until("the frame is back", sender, () -> !client.frames.isEmpty());
        String known = address;
        assertThrows(AssertionError.class, () -> counted(Role.CLIENT, clientAddress(known)));
        askServer(side -> assertThrows(AssertionError.class, () -> counted(Role.SERVER, known)));
    }

    @Test
    void aFrameIsMadeOfItsPiecesWhichAreLeftAsTheyWere() {
        serve(Echo::new);
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
        Served server = serve(Recorder::new);
        MessageClient here = connect();
        until("the session is there", here, () -> server.hasSession());
        InetAddress host = server.ask(recorder -> recorder.session.peerHost());
        assertEquals(clientHost(), host == null ? "null" : host.getHostAddress());
    }

    @Test
    void theServerPushesFromAnyThread() {
        Served server = serve(Recorder::new);
        MessageClient receiver = connect();
        until("the session is there", receiver, () -> server.hasSession());
        int threads = 4;
        int each = 2000 / slower();
        for (int t = 0; t < threads; t++) {
            int number = t;
            server.tell(recorder -> Await.start(() -> {
                for (int i = 0; i < each; i++) {
                    recorder.session.send(ByteBuffer.allocate(8).putInt(number).putInt(i).flip());
                }
                return true;
            }));
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
        Served server = serve(Recorder::new);
        MessageClient here = keep(builder().window(8).pieceBytes(512).connect());
        until("the session is there", here, () -> server.hasSession());
        int count = 3000 / slower();
        server.tell(recorder -> Await.start(() -> {
            flood(recorder.session, seed + 1, count);
            return true;
        }));
        flood(here.session(), seed, count);
        until("all frames came, seed=" + seed, here,
                () -> client.frames.size() == count && server.frames() == count);
        verify(client.frames, seed + 1);
        server.tell(recorder -> verify(recorder.frames, seed));
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
    void aFrameThatIsTooLongIsRefusedAndTheSessionGoesOn() {
        serve(Echo::new, builder -> builder.maxFrameBytes(1000));
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
        Served server = serve(Recorder::new);
        MessageClient sender = connect();
        until("the session is there", sender, () -> server.hasSession());
        for (int i = 0; i < 10; i++) {
            sender.send(ByteBuffer.wrap(pattern(i, 100)));
        }
        sender.close();
        server.awaitEnd();
        assertNull(server.cause());
        assertEquals(10, server.frames());
        assertEquals(1, client.ends.get());
        assertFalse(sender.send(ByteBuffer.allocate(1)));
        boolean sent = server.ask(recorder -> recorder.session.send(ByteBuffer.allocate(1)));
        assertFalse(sent);
        sender.close();
    }

    @Test
    void aSessionThatTheServerClosesEndsAtTheClient() {
        Served server = serve(Recorder::new);
        MessageClient sender = connect();
        until("the session is there", sender, () -> server.hasSession());
        server.tell(recorder -> {
            recorder.session.send(ByteBuffer.wrap(pattern(1, 10)));
            recorder.session.close();
        });
        until("the session is over", sender, () -> client.ends.get() > 0);
        assertNull(client.cause);
        assertEquals(1, client.frames.size());
        assertFalse(sender.session().isOpen());
        assertEquals(0, sender.poll());
    }

    /** Sends much and closes. */
    private static final class Hasty extends Recorder {
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
    }

    @Test
    void aServerThatClosesASessionSendsFirstWhatIsQueued() {
        serve(Hasty::new);
        MessageClient receiver = keep(builder().window(4).pieceBytes(256).connect());
        until("the session is over", receiver, () -> client.ends.get() > 0);
        assertNull(client.cause);
        assertEquals(50, client.frames.size());
    }

    /** Sends back all but frames of 13 bytes. */
    private static final class Superstitious extends Recorder {
        @Override
        public void frame(MessageSession from, ByteBuffer frame) {
            if (frame.remaining() == 13) {
                throw new IllegalStateException("thirteen");
            }
            from.send(frame);
        }
    }

    @Test
    void aHandlerThatThrowsEndsItsSessionAloneAndIsToldWhy() {
        Served server = serve(Superstitious::new);
        MessageClient unlucky = connect();
        Recorder other = new Recorder();
        MessageClient lucky = keep(MessageClient.builder(clientAddress(address), other).connect());
        unlucky.send(ByteBuffer.allocate(13));
        until("the session is over", unlucky, () -> client.ends.get() > 0);
        assertNotNull(client.cause, "it was broken, not closed");
        assertEquals("thirteen", server.cause());
        lucky.send(ByteBuffer.allocate(12));
        until("the other session lives", lucky, () -> other.frames.size() == 1);
    }

    @Test
    void aServerThatClosesEndsItsSessionsAndGivesItsAddressFree() {
        Served server = serve(Recorder::new);
        MessageClient sender = connect();
        until("the session is there", sender, () -> server.hasSession());
        assertTrue(server.isOpen());
        server.close();
        assertFalse(server.isOpen());
        until("the session is over", sender, () -> client.ends.get() > 0);
        serve(Echo::new);
        Recorder again = new Recorder();
        MessageClient fresh = keep(MessageClient.builder(clientAddress(address), again).connect());
        fresh.send(ByteBuffer.allocate(7));
        until("the frame is back", fresh, () -> again.frames.size() == 1);
    }

    @Test
    void nobodyThereAndSomebodyElseThereAreSaid() {
        ConnectionException none = assertThrows(ConnectionException.class, () -> builder().connect());
        assertEquals(ConnectionException.Reason.UNREACHABLE, none.reason());
        serve(Echo::new);
        RpcException e = assertThrows(RpcException.class, () -> RpcClient.connect(clientAddress(address)));
        assertTrue(e.getMessage().contains("message sessions"), e.getMessage());
    }

    @Test
    void connectingManyTimesLeavesNothingBehind() {
        Served server = serve(Recorder::new);
        int times = 300 / slower();
        Holdings before = null;
        for (int i = 0; i < times; i++) {
            if (i == times / 4) {
                before = Holdings.settled();
                tellServer(side -> side.before = Holdings.settled());
            }
            MessageClient fresh = MessageClient.builder(clientAddress(address), new Recorder()).window(4)
                    .pieceBytes(256).connect();
            fresh.send(ByteBuffer.wrap(pattern(i, 20)));
            fresh.close();
        }
        Await.until("the ends of all sessions", () -> server.ends() >= times);
        assertEquals(times, server.ends());
        assertEquals(times, server.frames());
        Holdings.awaitNoMoreThan(before, new Holdings(10, 10, 10, 10)); // of the JVM, and of sessions not yet buried
        tellServer(side -> Holdings.awaitNoMoreThan(side.before, new Holdings(10, 10, 10, 10)));
    }
}
