package org.jvrpc.softrnic.shm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.softrnic.ShmEnd;
import org.jvrpc.softrnic.ShmUnderTest;
import org.jvrpc.softrnic.queue.PortQueuePair;
import org.jvrpc.softrnic.queue.QpContext;
import org.jvrpc.softrnic.shm.folder.ShmDirectory;
import org.jvrpc.testing.SharedMemoryFolder;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.ConnectionException;
import org.jvrpc.verbs.ConnectionException.Reason;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.contract.Background;
import org.jvrpc.verbs.contract.Deadline;

/** What whoever connects does with each answer, and with none. Who listens is a bare socket. */
class ShmConnectorTest {

    private static final byte[] WORD = {1, 2, 3};
    private static final long SHORT_NS = 50_000_000;

    private final Device device = ShmUnderTest.open();
    private final String address = SharedMemoryFolder.freshAddress();
    private final Path path = ShmDirectory.socket(SharedMemoryFolder.path(), address.substring("shm://".length()));
    private final Deque<AutoCloseable> made = new ArrayDeque<>();
    private ServerSocketChannel server;
    private EventChannel channel;
    private ShmEnd end;

    @BeforeEach
    void listen() throws IOException {
        server = keep(ServerSocketChannel.open(StandardProtocolFamily.UNIX));
        server.bind(UnixDomainSocketAddress.of(path), 1);
        channel = device.createChannel();
        end = keep(new ShmEnd(device, 4, null, channel));
    }

    @AfterEach
    void close() throws Exception {
        try {
            for (AutoCloseable child : made) {
                child.close();
            }
        } finally {
            device.close();
        }
    }

    private <T extends AutoCloseable> T keep(T child) {
        made.push(child);
        return child;
    }

    private Connection connect(EventChannel watcher, long timeoutNs) {
        return keep(device.connect(address, end.qp, WORD, watcher, timeoutNs));
    }

    private ConnectionException failure(Reason reason, EventChannel watcher, long timeoutNs) {
        ConnectionException e = assertThrows(ConnectionException.class, () -> connect(watcher, timeoutNs));
        assertEquals(reason, e.reason(), e.getMessage());
        assertTrue(e.getMessage().contains(address), e.getMessage());
        assertEquals(QueuePairState.ERR, end.qp.state());
        return e;
    }

    /** Accepts one peer, hears what it asks, and answers in pieces; what it returns is open. */
    private Background<SocketChannel> answering(int pieceBytes, byte... answer) {
        return Background.start("listener", () -> {
            SocketChannel peer = server.accept();
            CmFrame request = new CmFrame.Reader().read(peer);
            for (int more = 0; request == null && more < 2; more++) {
                request = new CmFrame.Reader().read(peer);
            }
            assertEquals(CmFrame.REQUEST, request.type());
            assertArrayEquals(WORD, request.privateData());
            assertArrayEquals(end.qp.endpoint(), request.endpoint());
            for (int at = 0; at < answer.length; at += pieceBytes) {
                peer.write(ByteBuffer.wrap(answer, at, Math.min(pieceBytes, answer.length - at)));
                Thread.yield();
            }
            return peer;
        });
    }

    private void answered(Reason reason, CmFrame answer, String why) throws IOException {
        Background<SocketChannel> listener = answering(4096, answer.encode().array());
        ConnectionException e = failure(reason, channel, Deadline.BOUND_NS);
        assertTrue(e.getMessage().contains(why), e.getMessage());
        try (SocketChannel peer = listener.join(30)) {
            assertEquals(-1, peer.read(ByteBuffer.allocate(1)), "the socket is closed");
        }
    }

    @Test
    void whoIsAcceptedIsConnectedHoweverTheAnswerComes() throws IOException {
        ShmEnd other = keep(new ShmEnd(device, 4, null, channel));
        CmFrame answer = CmFrame.of(CmFrame.ACCEPT, other.qp.endpoint(), new byte[] {9, 8});
        Background<SocketChannel> listener = answering(1, answer.encode().array());
        Connection connection = connect(channel, Deadline.BOUND_NS);
        assertArrayEquals(new byte[] {9, 8}, connection.privateData());
        assertEquals(QueuePairState.RTS, end.qp.state());
        SocketChannel peer = keep(listener.join(30));
        assertTrue(connection.isConnected());
        peer.write(ByteBuffer.wrap(new byte[] {CmFrame.BYE}));
        assertTrue(channel.await(Deadline.BOUND_NS), "the socket is watched");
        assertTrue(!connection.isConnected());
    }

    @Test
    void whatIsDoneMeanwhileIsDoneBehindTheRequestAndEndsTheAttemptWhenItFails() throws IOException {
        Background<SocketChannel> listener = answering(4096);
        Error planted = new OutOfMemoryError("planted");
        SocketChannel[] peer = new SocketChannel[1];
        Runnable meanwhile = () -> {
            peer[0] = keep(listener.join(30)); // who has heard the request
            throw planted;
        };
        assertSame(planted, assertThrows(Error.class,
                () -> device.connect(address, end.qp, WORD, channel, Deadline.BOUND_NS, meanwhile)));
        assertEquals(-1, peer[0].read(ByteBuffer.allocate(1)), "the socket is closed");
        assertEquals(QueuePairState.ERR, end.qp.state());
    }

    @Test
    void aRejectionIsToldWithWhatItSays() throws IOException {
        answered(Reason.REJECTED, CmFrame.of(CmFrame.REJECT, new byte[0], "full".getBytes()), "refused");
    }

    @Test
    void anotherVersionIsToldWithBoth() throws IOException {
        answered(Reason.VERSION, new CmFrame(CmFrame.ACCEPT, 7, end.qp.endpoint(), WORD),
                "speaks version=7 of connection management, this side version=2");
    }

    @Test
    void aPeerThatCannotBeReachedIsAFailureOfThisSide() throws IOException {
        answered(Reason.LOCAL, CmFrame.of(CmFrame.ACCEPT, new ShmEndpoint(1, "x").encode(), WORD),
                "endpoint names no device");
        ShmEnd second = keep(new ShmEnd(device, 4, null, channel));
        end = second;
        answered(Reason.LOCAL, CmFrame.of(CmFrame.ACCEPT, new byte[8], WORD), "endpoint is too short");
    }

    @Test
    void anAnswerThatIsNoneIsNoPeer() {
        Background<SocketChannel> listener = answering(64, new byte[64]);
        ConnectionException e = failure(Reason.UNREACHABLE, channel, Deadline.BOUND_NS);
        assertTrue(e.getMessage().contains("not a frame"), e.getMessage());
        keep(listener.join(30));
    }

    @Test
    void aListenerThatClosesWithoutAnAnswerEndsTheWait() {
        Background<SocketChannel> listener = Background.start("listener", () -> {
            SocketChannel peer = server.accept();
            CmFrame request = new CmFrame.Reader().read(peer);
            assertTrue(request == null || request.type() == CmFrame.REQUEST);
            peer.close();
            return peer;
        });
        ConnectionException e = failure(Reason.UNREACHABLE, channel, Deadline.BOUND_NS);
        keep(listener.join(30));
        assertTrue(e.getMessage().contains("closed without an answer")
                || e.getMessage().contains("reset"), e.getMessage());
    }

    @Test
    void whoGetsNoAnswerInItsTimeIsToldSo() {
        long startNs = System.nanoTime();
        ConnectionException e = failure(Reason.TIMEOUT, channel, SHORT_NS);
        assertTrue(e.getMessage().contains("did not answer in 50 ms"), e.getMessage());
        assertTrue(System.nanoTime() - startNs >= SHORT_NS);
    }

    /** By a clock of the test's: the first look is the beginning, each goes on by so much. */
    private int looks(long stepNs, long timeoutNs) {
        AtomicInteger looks = new AtomicInteger();
        AtomicBoolean runs = new AtomicBoolean();
        try (Device timed = ShmUnderTest.open(() -> runs.get() ? looks.getAndIncrement() * stepNs : 0);
                EventChannel own = timed.createChannel(); ShmEnd from = new ShmEnd(timed, 4, null, own)) {
            runs.set(true);
            assertEquals(Reason.TIMEOUT, assertThrows(ConnectionException.class,
                    () -> timed.connect(address, from.qp, WORD, own, timeoutNs)).reason());
            runs.set(false);
        }
        return looks.get();
    }

    @Test
    void anAnswerIsWaitedForToTheLastNanosecondAndNotLonger() {
        assertEquals(2, looks(1_000, 1_000), "the time is over just when it is looked at");
        assertEquals(3, looks(1_000, 1_001), "one nanosecond is left");
    }

    @Test
    void aFullBacklogIsTriedAgainWhileThereIsTime() throws IOException {
        fill();
        assertEquals(3, looks(1_000, 1_000), "it is not over just when it is looked at");
        assertEquals(2, looks(1_000, 999));
    }

    @Test
    void whereNobodyListensNothingIsWaitedFor() throws IOException {
        server.close();
        long before = RawPeers.sockets();
        long startNs = System.nanoTime();
        String refused = failure(Reason.UNREACHABLE, channel, 2 * Deadline.BOUND_NS).getMessage();
        assertTrue(refused.contains("nobody listens at") && refused.contains(path.toString()), refused);
        assertTrue(path.toFile().delete());
        end = keep(new ShmEnd(device, 4, null, channel));
        failure(Reason.UNREACHABLE, channel, 2 * Deadline.BOUND_NS);
        assertTrue(System.nanoTime() - startNs < Deadline.BOUND_NS, "waited");
        assertEquals(before, RawPeers.sockets(), "left open");
    }

    /** Fills the backlog: those who connect now have to wait. */
    private void fill() throws IOException {
        try {
            while (true) {
                SocketChannel waiting = keep(SocketChannel.open(StandardProtocolFamily.UNIX));
                waiting.configureBlocking(false);
                waiting.connect(UnixDomainSocketAddress.of(path));
            }
        } catch (IOException e) {
            assertTrue(!e.getMessage().contains("refused"), e.getMessage());
        }
    }

    @Test
    void aBacklogThatIsFullIsWaitedForAsLongAsThereIsTime() throws IOException {
        fill();
        long startNs = System.nanoTime();
        ConnectionException e = failure(Reason.TIMEOUT, channel, SHORT_NS);
        assertTrue(e.getMessage().contains("does not accept"), e.getMessage());
        assertTrue(System.nanoTime() - startNs >= SHORT_NS);
        end = keep(new ShmEnd(device, 4, null, channel));
        Background<Connection> connector = Background.start("connector", () -> connect(channel, Deadline.BOUND_NS));
        CmFrame request = null;
        while (request == null) {
            SocketChannel peer = keep(server.accept());
            peer.configureBlocking(false);
            request = requestOf(peer);
        }
        assertArrayEquals(end.qp.endpoint(), request.endpoint());
        server.close();
        made.remove(end);
        while (made.peek() instanceof SocketChannel peer && peer != null) {
            made.pop();
            peer.close();
        }
        assertEquals(Reason.UNREACHABLE,
                assertThrows(ConnectionException.class, () -> connector.join(30)).reason());
        made.push(end);
    }

    /** Returns what a peer asks; null for one that asks nothing, of which there are those that fill the backlog. */
    private static CmFrame requestOf(SocketChannel peer) throws IOException {
        CmFrame.Reader reader = new CmFrame.Reader();
        Deadline deadline = Deadline.ofMillis(20);
        CmFrame request = null;
        while (request == null && !deadline.isOver()) {
            request = reader.read(peer);
        }
        return request;
    }

    @Test
    void aChannelThatIsClosedCannotWatchAndThePeerSeesTheEnd() throws IOException {
        ShmEnd other = keep(new ShmEnd(device, 4, null, channel));
        EventChannel closed = device.createChannel();
        closed.close();
        Background<SocketChannel> listener = answering(
                4096, CmFrame.of(CmFrame.ACCEPT, other.qp.endpoint(), WORD).encode().array());
        ConnectionException e = failure(Reason.UNREACHABLE, closed, Deadline.BOUND_NS);
        assertTrue(e.getMessage().contains("event channel is closed"), e.getMessage());
        try (SocketChannel peer = listener.join(30)) {
            assertEquals(-1, peer.read(ByteBuffer.allocate(1)), "the socket is closed");
        }
    }

    @Test
    void whatThePeerOfAnAttemptThatComesToNothingCouldWriteToIsUsedAgainWhenItIsDead() throws IOException {
        RawPeers rig = keep(new RawPeers());
        listen(); // again: whoever begins to listen sweeps bare sockets away
        ShmEnd original = rig.end();
        String peer = "d-4194305-c1";
        rig.elsewhere(peer, original.qp.endpoint());
        end.close();
        end = rig.large();
        byte[] endpoint = end.qp.endpoint();
        EventChannel closed = rig.device.createChannel();
        closed.close();
        Background<SocketChannel> listener = answering(4096, CmFrame.of(
                CmFrame.ACCEPT, RawPeers.endpoint(peer, original.qp.endpoint()), WORD).encode().array());
        ConnectionException e = assertThrows(ConnectionException.class,
                () -> rig.device.connect(address, end.qp, WORD, closed, Deadline.BOUND_NS));
        assertTrue(e.getMessage().contains("event channel is closed"), e.getMessage());
        keep(listener.join(30));
        PortQueuePair qp = ShmNode.portOf(rig.device.name(), ShmEndpoint.decode("test", endpoint).address()).qp();
        assertEquals(99, QpContext.claim(qp.sends().memory(), qp.context(), 99), "as the peer did");
        end.qp.close();
        assertTrue(rig.isUsedAgain(endpoint));
    }
}
