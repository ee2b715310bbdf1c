package org.jvrpc.softrnic;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.roce.cm.message.ConnectReply;
import org.jvrpc.roce.cm.message.ConnectRequest;
import org.jvrpc.roce.cm.message.Drep;
import org.jvrpc.roce.cm.message.Dreq;
import org.jvrpc.roce.cm.message.Gid;
import org.jvrpc.roce.cm.message.Mad;
import org.jvrpc.roce.cm.message.Rej;
import org.jvrpc.roce.cm.message.RejectReason;
import org.jvrpc.roce.cm.message.Req;
import org.jvrpc.roce.cm.message.Rtu;
import org.jvrpc.roce.wire.Bth;
import org.jvrpc.roce.wire.Deth;
import org.jvrpc.roce.wire.Icrc;
import org.jvrpc.roce.wire.Opcode;
import org.jvrpc.roce.wire.Psn;
import org.jvrpc.testing.Waits;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.ConnectionRequest;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Listener;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.ServiceClass;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.WorkCompletion;

/** A listener whose peer is a socket of the test's, which says to QP 1 what it likes. */
class RoceManagementTest extends RoceEnds {

    private static final int MAD_AT = Bth.BYTES + Deth.BYTES;
    private static final int LENGTH = MAD_AT + Mad.BYTES;
    private static final int QPN = 0x4711;
    private static final int PSN = 0xfffffe;
    private static final long TID = 0x1122334455667788L;
    private static final int ID = 0x99;

    private final int port = RoceUnderTest.freePort("127.0.0.1");
    private final String address = "roce://127.0.0.1:" + port;
    private final InetSocketAddress server = new InetSocketAddress("127.0.0.1", port);
    private DatagramChannel peer;
    private Device device;
    private Listener listener;
    private ShmEnd end;

    @BeforeEach
    void listen() throws IOException {
        device = open(address);
        end = new ShmEnd(device, 4);
        listener = device.listen(address, end.channel);
        peer = channel("127.0.0.1");
    }

    private static DatagramChannel channel(String host) throws IOException {
        DatagramChannel channel = DatagramChannel.open().bind(new InetSocketAddress(host, 0));
        channel.configureBlocking(false);
        return channel;
    }

    @AfterEach
    void closePeer() throws IOException {
        peer.close();
    }

    private ByteBuffer packet(DatagramChannel from, ByteBuffer mad, int qkey) throws IOException {
        InetSocketAddress at = (InetSocketAddress) from.getLocalAddress();
        ByteBuffer packet = ByteBuffer.allocate(LENGTH + Icrc.BYTES);
        Bth.write(packet, 0, Opcode.UD_SEND_ONLY, 0, false, false, 1, 0);
        Deth.write(packet, Bth.BYTES, qkey, 1);
        packet.put(MAD_AT, mad, 0, Mad.BYTES);
        Icrc.write(packet, LENGTH, new Icrc(at.getAddress().getAddress(), server.getAddress().getAddress())
                .compute(packet, 0, LENGTH, at.getPort(), port, Icrc.DONT_FRAGMENT));
        return packet;
    }

    private void send(DatagramChannel from, ByteBuffer mad) throws IOException {
        from.send(packet(from, mad, Mad.QKEY), server);
    }

    private static ByteBuffer request(DatagramChannel from, int id, int servicePort) throws IOException {
        InetAddress host = ((InetSocketAddress) from.getLocalAddress()).getAddress();
        return new ConnectRequest(TID, id, Req.serviceId(servicePort), 5, QPN, PSN, 1, 1, 3, 7, 7, 14, false, 1,
                Gid.of(host.getAddress()), Gid.of(new byte[] {127, 0, 0, 1}), new byte[] {2, 42}).encode();
    }

    /** Returns the next packet that came. */
    private ByteBuffer next(DatagramChannel to) {
        ByteBuffer in = ByteBuffer.allocate(5000);
        Waits.until("a packet", () -> {
            try {
                return to.receive(in) != null;
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        return in.flip();
    }

    /** Returns the MAD of the next packet, which is one to QP 1 with a right ICRC. */
    private ByteBuffer nextMad(DatagramChannel to) throws IOException {
        ByteBuffer packet = next(to);
        assertEquals(LENGTH + Icrc.BYTES, packet.limit());
        assertEquals(Opcode.UD_SEND_ONLY, Bth.opcode(packet, 0));
        assertEquals(1, Bth.qpn(packet, 0));
        assertEquals(Mad.QKEY, Deth.qkey(packet, Bth.BYTES));
        assertEquals(1, Deth.sourceQpn(packet, Bth.BYTES));
        InetSocketAddress at = (InetSocketAddress) to.getLocalAddress();
        int icrc = new Icrc(server.getAddress().getAddress(), at.getAddress().getAddress())
                .compute(packet, 0, LENGTH, port, at.getPort(), Icrc.DONT_FRAGMENT);
        assertEquals(icrc, Icrc.read(packet, LENGTH));
        return packet.slice(MAD_AT, Mad.BYTES);
    }

    private ConnectReply reply(DatagramChannel to) throws IOException {
        ByteBuffer mad = nextMad(to);
        assertEquals(Mad.REP, Mad.attribute(mad));
        return ConnectReply.decode(mad);
    }

    private Connection accept() throws IOException {
        send(peer, request(peer, ID, port));
        ConnectionRequest request = request(listener);
        assertArrayEquals(new byte[] {42}, request.privateData());
        assertEquals("127.0.0.1", request.peerHost().getHostAddress());
        return request.accept(end.qp, NONE);
    }

    /** Has the node look at all that was sent before. */
    private void settle() throws IOException {
        send(peer, request(peer, 0x7777, port == 1 ? 2 : 1));
        ByteBuffer mad = nextMad(peer);
        assertEquals(RejectReason.INVALID_SERVICE_ID, Rej.reason(mad));
        assertEquals(0x7777, Mad.remoteId(mad));
    }

    @Test
    void theSameRequestDrawsTheSameReplyAndIsNoSecondOne() throws IOException {
        accept();
        ConnectReply first = reply(peer);
        assertEquals(end.qp.number(), first.qpn());
        send(peer, request(peer, ID, port));
        ConnectReply second = reply(peer);
        assertEquals(first.localId(), second.localId());
        assertEquals(first.startingPsn(), second.startingPsn());
        assertNull(listener.poll());
    }

    @Test
    void nothingIsSentOverTheConnectionBeforeItIsConfirmed() throws IOException {
        accept();
        ConnectReply rep = reply(peer);
        assertEquals(1, end.qp.prepareSend(SendRequest.send(1, end.sge(0, 8)).signalled()).execute());
        settle(); // a message would have come before
        send(peer, Rtu.create(TID, ID, rep.localId()));
        ByteBuffer message = next(peer);
        assertEquals(Opcode.SEND_ONLY, Bth.opcode(message, 0));
        assertEquals(QPN, Bth.qpn(message, 0));
        assertEquals(PSN, Bth.psn(message, 0), "a REQ names the PSN with which its receiver begins");
    }

    /**
     * Returns the UDP port that the first message of a new connection comes from: classes have sockets of their own.
     *
     * @param id of the connection, and number of the peer's QP
     */
    private int portOf(int id, ServiceClass asked, ServiceClass own) throws IOException {
        InetAddress host = ((InetSocketAddress) peer.getLocalAddress()).getAddress();
        send(peer, new ConnectRequest(TID + id, id, Req.serviceId(port), 5, id, PSN, 1, 1, 3, 7, 7, 14, false, 1,
                Gid.of(host.getAddress()), Gid.of(host.getAddress()), asked, new byte[] {0}).encode());
        ShmEnd made = new ShmEnd(device, 4, null, end.channel, attributes -> attributes.serviceClass(own));
        request(listener).accept(made.qp, NONE);
        ByteBuffer in = ByteBuffer.allocate(5000);
        from(1, in); // the only one of the kind: whatever else comes is of earlier connections
        ConnectReply rep = ConnectReply.decode(in.slice(MAD_AT, Mad.BYTES));
        send(peer, Rtu.create(TID + id, id, rep.localId()));
        assertEquals(1, made.qp.prepareSend(SendRequest.send(1, made.sge(0, 8)).signalled()).execute());
        return from(id, in);
    }

    /** Waits for a packet to a QP; returns the port that it came from. */
    private int from(int qpn, ByteBuffer in) {
        InetSocketAddress[] from = {null};
        Waits.until("a packet to QP " + qpn, () -> {
            try {
                from[0] = (InetSocketAddress) peer.receive(in.clear());
                return from[0] != null && Bth.qpn(in, 0) == qpn;
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        return from[0].getPort();
    }

    @Test
    void aQpThatAsksForNoClassOfServiceHasThatOfTheRequestItAccepts() throws IOException {
        ServiceClass five = ServiceClass.ofLevel(5);
        int none = portOf(0x5000, ServiceClass.DEFAULT, ServiceClass.DEFAULT);
        int own = portOf(0x5001, ServiceClass.DEFAULT, five);
        assertNotEquals(none, own);
        assertEquals(own, portOf(0x5002, five, ServiceClass.DEFAULT));
        assertEquals(own, portOf(0x5003, ServiceClass.ofLevel(3), five));
        assertEquals(none, portOf(0x5004, ServiceClass.DEFAULT, ServiceClass.DEFAULT));
    }

    @Test
    void thePeerIsProvenByItsConfirmationWhichWakesWhoeverListens() throws IOException {
        Connection connection = accept();
        ConnectReply rep = reply(peer);
        settle();
        assertFalse(connection.isEstablished());
        while (end.channel.await(0)) {
            assertNull(listener.poll(), "of before");
        }
        send(peer, Rtu.create(TID, ID, rep.localId()));
        Waits.until("the proof", connection::isEstablished);
        long startNs = System.nanoTime();
        end.channel.await(TIMEOUT_NS);
        assertTrue(System.nanoTime() - startNs < TIMEOUT_NS / 2);
        assertTrue(connection.isConnected());
    }

    @Test
    void aDamagedMessageIsDroppedWhicheverByteItIs() throws IOException {
        ByteBuffer mad = request(peer, ID, port);
        for (int at = 0; at < LENGTH + Icrc.BYTES; at++) {
            ByteBuffer packet = packet(peer, mad, Mad.QKEY);
            packet.put(at, (byte) ~packet.get(at)); // 0x55 at 93 would be hidden by an identification
            if (at != 4) { // routers may change it
                peer.send(packet, server);
            }
        }
        peer.send(packet(peer, mad, Mad.QKEY + 1), server);
        settle();
        assertNull(listener.poll());
    }

    @Test
    void aDisconnectFromAnotherAddressOrWithAnotherIdIsDropped() throws IOException {
        Connection connection = accept();
        ConnectReply rep = reply(peer);
        send(peer, Rtu.create(TID, ID, rep.localId()));
        try (DatagramChannel other = channel("127.0.0.2")) {
            send(other, Dreq.create(1, ID, rep.localId(), rep.qpn()));
            send(other, Rej.create(TID, ID, rep.localId(), Rej.OF_REP, RejectReason.CONSUMER, NONE));
        }
        send(peer, Dreq.create(1, ID + 1, rep.localId(), rep.qpn()));
        send(peer, Dreq.create(1, ID, rep.localId(), rep.qpn() ^ 1));
        send(peer, Rej.create(TID + 1, ID, rep.localId(), Rej.OF_REP, RejectReason.CONSUMER, NONE));
        settle();
        assertTrue(connection.isConnected());
        send(peer, Dreq.create(1, ID, rep.localId(), rep.qpn()));
        assertEquals(Mad.DREP, Mad.attribute(nextMad(peer)));
        Waits.until("the end", () -> !connection.isConnected());
    }

    @Test
    void aPeerThatGivesUpAfterTheReplyEndsTheConnection() throws IOException {
        Connection connection = accept();
        ConnectReply rep = reply(peer);
        send(peer, Rej.create(TID, ID, rep.localId(), Rej.OF_REP, RejectReason.CONSUMER, NONE));
        Waits.until("the end", () -> !connection.isConnected());
    }

    @Test
    void aFloodOfOneSourceLeavesRoomForOthers() throws IOException {
        try (DatagramChannel flood = channel("127.0.0.2")) {
            for (int i = 1; i <= 300; i++) {
                send(flood, request(flood, i, port));
                if (i % 100 == 0) {
                    settle();
                }
            }
            int requests = 0;
            Device client = open(address);
            ShmEnd clients = new ShmEnd(client, 4);
            CompletableFuture<Connection> connecting = connecting(client, address, clients);
            ConnectionRequest request = request(listener);
            while (request.peerHost().getHostAddress().equals("127.0.0.2")) {
                requests++;
                request = request(listener);
            }
            assertNotNull(request.accept(end.qp, NONE));
            assertTrue(connecting.join().isConnected());
            exercise(clients, end, 3);
            assertTrue(requests > 0 && requests <= 64, "requests=" + requests);
            ByteBuffer in = ByteBuffer.allocate(5000);
            assertNull(flood.receive(in), "nothing was answered yet");
        }
    }

    @Test
    void aConnectionThatIsClosedBeforeItIsConfirmedSaysSoAfterwards() throws IOException {
        Connection connection = accept();
        ConnectReply rep = reply(peer);
        connection.close();
        settle(); // a disconnect would have come before
        send(peer, Rtu.create(TID, ID, rep.localId()));
        assertEquals(Mad.DREQ, Mad.attribute(nextMad(peer)));
        assertFalse(connection.isConnected());
    }

    @Test
    void aDeviceThatClosesRejectsARequestThatNobodyAnswered() throws IOException {
        send(peer, request(peer, ID, port));
        request(listener);
        device.close();
        ByteBuffer mad = nextMad(peer);
        assertEquals(Mad.REJ, Mad.attribute(mad));
        assertEquals(RejectReason.CONSUMER, Rej.reason(mad));
    }

    /** It has 100 ms for that, which a machine with other work may take away now and then. */
    @Test
    void aDeviceThatClosesTellsAPeerThatConfirmsMeanwhile() throws IOException {
        int told = 0;
        for (int round = 0; round < 5 && told == 0; round++) {
            Connection connection = accept();
            ConnectReply rep = reply(peer);
            CompletableFuture<Void> closing = CompletableFuture.runAsync(device::close);
            Waits.until("the end", () -> !connection.isConnected());
            send(peer, Rtu.create(TID, ID, rep.localId()));
            closing.join();
            ByteBuffer in = ByteBuffer.allocate(5000);
            told += peer.receive(in) != null && Mad.attribute(in.flip().slice(MAD_AT, Mad.BYTES)) == Mad.DREQ ? 1 : 0;
            closePeer();
            listen();
        }
        assertEquals(1, told);
    }

    /** Sends a message of 8 bytes over a connection, in one packet. */
    private void message(int qpn, int psn, long value) throws IOException {
        int length = Bth.BYTES + Long.BYTES;
        ByteBuffer packet = ByteBuffer.allocate(length + Icrc.BYTES);
        Bth.write(packet, 0, Opcode.SEND_ONLY, 0, false, true, qpn, psn);
        packet.putLong(Bth.BYTES, Long.reverseBytes(value)); // memory is little-endian
        InetSocketAddress at = (InetSocketAddress) peer.getLocalAddress();
        Icrc.write(packet, length, new Icrc(at.getAddress().getAddress(), server.getAddress().getAddress())
                .compute(packet, 0, length, at.getPort(), port, Icrc.DONT_FRAGMENT));
        peer.send(packet, server);
    }

    /** Has a message be delivered, and acknowledged. */
    private void deliver(ShmEnd to, int qpn, int psn, long value) throws IOException {
        WorkCompletion wc = new WorkCompletion();
        message(qpn, psn, value);
        Waits.until("the message", () -> to.receiveCq.poll(wc));
        assertEquals(WcStatus.SUCCESS, wc.status());
        assertEquals(value, to.mr.buffer(64, 8).getLong(0));
        assertEquals(Opcode.ACKNOWLEDGE, Bth.opcode(next(peer), 0));
    }

    /** As when its process was killed and started again; random numbers make it seldom. */
    @Test
    void aPeerThatIsBackWithTheSameQueuePairNumberIsRefusedUntilTheOldConnectionHasEnded() throws IOException {
        Connection old = accept();
        ConnectReply first = reply(peer);
        send(peer, Rtu.create(TID, ID, first.localId()));
        assertEquals(1, end.qp.prepareReceive(ReceiveRequest.of(7, end.sge(64, 8))).execute());
        deliver(end, first.qpn(), first.startingPsn(), 1);

        send(peer, request(peer, ID + 1, port));
        ByteBuffer refusal = nextMad(peer);
        assertEquals(Mad.REJ, Mad.attribute(refusal));
        assertEquals(RejectReason.STALE_CONNECTION, Rej.reason(refusal));
        assertTrue(old.isConnected(), "a REQ does not prove who sent it");
        assertEquals(1, end.qp.prepareSend(SendRequest.send(1, end.sge(0, 8)).signalled()).execute());
        WorkCompletion wc = new WorkCompletion();
        Waits.until("the end of the old one", () -> end.sendCq.poll(wc));
        assertEquals(WcStatus.RETRY_EXC_ERR, wc.status(), "nobody is there who knows its numbers");
        assertEquals(QueuePairState.ERR, end.qp.state());

        ByteBuffer repeated = ByteBuffer.allocate(5000);
        while (peer.receive(repeated) != null) {
            repeated.clear();
        }
        old.close();
        ByteBuffer answer = nextMad(peer);
        assertEquals(Mad.DREQ, Mad.attribute(answer));
        send(peer, Drep.create(Mad.tid(answer), ID, first.localId()));
        send(peer, request(peer, ID + 2, port));
        ShmEnd again = new ShmEnd(device, 4);
        Connection fresh = request(listener).accept(again.qp, NONE);
        while (Mad.attribute(answer) == Mad.DREQ) { // repeated, on a machine with other work
            answer = nextMad(peer);
        }
        assertEquals(Mad.REP, Mad.attribute(answer));
        ConnectReply second = ConnectReply.decode(answer);
        send(peer, Rtu.create(TID, ID + 2, second.localId()));
        for (int i = 0; i < 2; i++) {
            assertEquals(1, again.qp.prepareReceive(ReceiveRequest.of(7, again.sge(64, 8))).execute());
        }
        deliver(again, second.qpn(), second.startingPsn(), 2);
        message(second.qpn(), first.startingPsn() + 1 & Psn.MASK, 3); // late, with numbers of the old one
        answer = next(peer);
        assertEquals(Opcode.ACKNOWLEDGE, Bth.opcode(answer, 0), "a duplicate or a gap");
        deliver(again, second.qpn(), second.startingPsn() + 1 & Psn.MASK, 4);
        assertTrue(fresh.isConnected());
    }
}
