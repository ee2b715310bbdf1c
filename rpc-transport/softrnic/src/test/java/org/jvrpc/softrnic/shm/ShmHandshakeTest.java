package org.jvrpc.softrnic.shm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.jvrpc.softrnic.ShmEnd;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.ConnectionException;
import org.jvrpc.verbs.ConnectionException.Reason;
import org.jvrpc.verbs.ConnectionRequest;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.QueuePairState;

/** From a peer's request to its answer. The peers are bare sockets. */
class ShmHandshakeTest {

    private final RawPeers rig = new RawPeers();

    @AfterEach
    void close() {
        rig.close();
    }

    @ParameterizedTest(name = "type={0} version={1}")
    @CsvSource({"1,1", "1,3", "2,2", "3,2"})
    void whatIsNoRequestOfThisVersionIsRefusedWithAReasonAndNotOffered(int type, int version) throws IOException {
        SocketChannel peer = rig.peer();
        assertFalse(rig.say(peer, new CmFrame(type, version, rig.end().qp.endpoint(), RawPeers.WORD)));
        assertNull(rig.listener.poll());
        CmFrame answer = RawPeers.heard(peer);
        assertEquals(CmFrame.REJECT, answer.type());
        String reason = new String(answer.privateData(), StandardCharsets.UTF_8);
        assertTrue(reason.contains("speaks version=2") && reason.contains("not version=" + version), reason);
        assertTrue(RawPeers.isEnded(peer));
    }

    @Test
    void bytesThatAreNoFrameEndTheSocketWithoutAnAnswer() throws IOException {
        SocketChannel peer = rig.peer();
        peer.write(ByteBuffer.allocate(64));
        assertFalse(rig.channel.await(0));
        try {
            assertTrue(RawPeers.isEnded(peer));
        } catch (IOException e) {
            assertTrue(e.getMessage().contains("reset"), e.getMessage()); // closed before it had read all
        }
        assertNull(rig.listener.poll());
    }

    @Test
    void aRequestThatComesInPiecesIsAnEventWhenItIsWhole() throws IOException {
        SocketChannel peer = rig.peer();
        ByteBuffer bytes = CmFrame.of(CmFrame.REQUEST, rig.end().qp.endpoint(), RawPeers.WORD).encode();
        while (bytes.remaining() > 1) {
            peer.write(ByteBuffer.wrap(bytes.array(), bytes.position(), 1));
            bytes.get();
            assertFalse(rig.channel.await(0), "left: " + bytes.remaining());
        }
        peer.write(bytes);
        assertTrue(rig.channel.await(0));
        assertArrayEquals(RawPeers.WORD, rig.listener.poll().privateData());
    }

    @Test
    void aRequestKnowsTheProcessThatItsPeersDeviceIsNamedAfter() throws IOException {
        assertEquals("process 4711", rig.ask(rig.peer(), new ShmEndpoint(1, "d-4711-ab").encode()).peer());
        assertNull(rig.ask(rig.peer(), new ShmEndpoint(1, "somebody").encode()).peer());
        assertNull(rig.ask(rig.peer(), new byte[8]).peer(), "no endpoint");
    }

    @Test
    void privateDataIsACopyForEachWhoAsks() throws IOException {
        ConnectionRequest request = rig.ask(rig.peer(), rig.end().qp.endpoint());
        request.privateData()[0]++;
        assertArrayEquals(RawPeers.WORD, request.privateData());
    }

    @Test
    void aRequestIsAnsweredOnceAndARejectionEndsTheSocket() throws IOException {
        SocketChannel peer = rig.peer();
        ConnectionRequest request = rig.ask(peer, rig.end().qp.endpoint());
        request.reject(RawPeers.WORD);
        CmFrame answer = RawPeers.heard(peer);
        assertEquals(CmFrame.REJECT, answer.type());
        assertArrayEquals(RawPeers.WORD, answer.privateData());
        assertTrue(RawPeers.isEnded(peer));
        ShmEnd late = rig.end();
        assertThrows(IllegalStateException.class, () -> request.reject(RawPeers.WORD));
        assertThrows(IllegalStateException.class, () -> request.accept(late.qp, RawPeers.WORD));
        assertEquals(QueuePairState.INIT, late.qp.state());
    }

    @Test
    void aRequestOfAnOfferedPeerThatWaitsLongStaysAndWhatItSaysMeanwhileIsForTheConnection() throws IOException {
        SocketChannel peer = rig.peer();
        ConnectionRequest request = rig.ask(peer, rig.end().qp.endpoint());
        peer.write(ByteBuffer.wrap(new byte[] {CmFrame.BYE}));
        rig.nowNs += 6_000_000_000L;
        assertFalse(rig.channel.await(0), "nobody reads it now");
        Connection connection = rig.keep(request.accept(rig.end().qp, RawPeers.WORD));
        assertTrue(connection.isConnected());
        assertEquals(CmFrame.ACCEPT, RawPeers.heard(peer).type());
        assertTrue(rig.channel.await(0));
        assertFalse(connection.isConnected());
    }

    @ParameterizedTest(name = "on another channel: {0}")
    @CsvSource({"false", "true"})
    void anAcceptedConnectionIsWatchedByTheChannelThatItWasAcceptedFor(boolean elsewhere) throws IOException {
        SocketChannel peer = rig.peer();
        ConnectionRequest request = rig.ask(peer, rig.end().qp.endpoint());
        EventChannel other = rig.keep(rig.device.createChannel());
        ShmEnd end = rig.end();
        Connection connection = rig.keep(elsewhere
                ? request.accept(end.qp, RawPeers.WORD, other)
                : request.accept(end.qp, RawPeers.WORD));
        CmFrame answer = RawPeers.heard(peer);
        assertEquals(CmFrame.ACCEPT, answer.type());
        assertArrayEquals(end.qp.endpoint(), answer.endpoint());
        assertArrayEquals(RawPeers.WORD, answer.privateData());
        rig.channel.await(0);
        other.await(0);
        peer.write(ByteBuffer.wrap(new byte[] {CmFrame.BYE}));
        assertFalse((elsewhere ? rig.channel : other).await(0));
        assertTrue(connection.isConnected());
        assertTrue((elsewhere ? other : rig.channel).await(0));
        assertFalse(connection.isConnected());
    }

    @Test
    void ofAConnectionThatIsWatchedElsewhereTheListenersChannelKeepsNothing() throws IOException {
        SocketChannel peer = rig.peer();
        EventChannel other = rig.keep(rig.device.createChannel());
        Connection connection = rig.keep(rig.ask(peer, rig.end().qp.endpoint())
                .accept(rig.end().qp, RawPeers.WORD, other));
        rig.channel.await(0);
        long before = RawPeers.sockets();
        peer.write(ByteBuffer.wrap(new byte[] {CmFrame.BYE}));
        assertTrue(other.await(0));
        connection.close();
        other.await(0);
        assertEquals(before - 1, RawPeers.sockets(), "the descriptor is free though the listener does nothing");
    }

    @Test
    void aPeerThatIsGoneWhenItIsAcceptedIsUnreachableAndTheQpFails() throws IOException {
        SocketChannel peer = rig.peer();
        ConnectionRequest request = rig.ask(peer, rig.end().qp.endpoint());
        peer.close();
        ShmEnd end = rig.end();
        ConnectionException e = assertThrows(ConnectionException.class, () -> request.accept(end.qp, RawPeers.WORD));
        assertEquals(Reason.UNREACHABLE, e.reason());
        assertEquals(QueuePairState.ERR, end.qp.state());
    }

    @Test
    void aChannelThatIsClosedWatchesNoConnectionWhichIsUnreachableThen() throws IOException {
        SocketChannel peer = rig.peer();
        ConnectionRequest request = rig.ask(peer, rig.end().qp.endpoint());
        EventChannel closed = rig.device.createChannel();
        closed.close();
        ShmEnd end = rig.end();
        ConnectionException e = assertThrows(
                ConnectionException.class, () -> request.accept(end.qp, RawPeers.WORD, closed));
        assertEquals(Reason.UNREACHABLE, e.reason());
        assertEquals(QueuePairState.ERR, end.qp.state());
        assertEquals(CmFrame.ACCEPT, RawPeers.heard(peer).type(), "it was said already");
        assertTrue(RawPeers.isEnded(peer));
    }

    @Test
    void aPeerWhoseMemoryCannotBeReachedHearsWhyAsFarAsThereIsRoom() throws IOException {
        SocketChannel peer = rig.peer();
        ConnectionRequest request = rig.ask(peer, new ShmEndpoint(1, "y".repeat(248)).encode());
        assertNotNull(request);
        ShmEnd end = rig.end();
        ConnectionException e = assertThrows(ConnectionException.class, () -> request.accept(end.qp, RawPeers.WORD));
        assertEquals(Reason.LOCAL, e.reason());
        assertEquals(QueuePairState.ERR, end.qp.state());
        CmFrame answer = RawPeers.heard(peer);
        assertEquals(CmFrame.REJECT, answer.type());
        String reason = new String(answer.privateData(), StandardCharsets.UTF_8);
        assertTrue(reason.contains("endpoint names no device") && e.getMessage().contains(reason), reason);
        assertTrue(RawPeers.isEnded(peer));
        rig.channel.await(0); // the failure of the QP is an event
        SocketChannel second = rig.peer();
        ConnectionRequest longer = rig.ask(second, new ShmEndpoint(1, "z".repeat(1200)).encode());
        ShmEnd other = rig.end();
        assertThrows(ConnectionException.class, () -> longer.accept(other.qp, RawPeers.WORD));
        assertEquals(Device.MAX_PRIVATE_BYTES, RawPeers.heard(second).privateData().length);
    }
}
