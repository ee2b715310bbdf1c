package org.jvrpc.softrnic;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.DatagramChannel;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.mlx5.Mlx5QueuePair;
import org.jvrpc.roce.ud.UdRequester;
import org.jvrpc.roce.wire.Bth;
import org.jvrpc.roce.wire.Deth;
import org.jvrpc.roce.wire.Icrc;
import org.jvrpc.roce.wire.Opcode;
import org.jvrpc.roce.wire.Packet;
import org.jvrpc.roce.wire.Psn;
import org.jvrpc.softrnic.datagram.DatagramContext;
import org.jvrpc.softrnic.roce.RoceNode;
import org.jvrpc.testing.SharedMemoryFolder;
import org.jvrpc.testing.Waits;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.AddressHandle;
import org.jvrpc.verbs.Destination;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.WorkCompletion;

/** A UD QP over UDP whose peers are sockets of the test's, which send what they like. */
class RoceDatagramTest {

    private static final String HOST = "127.0.0.1";
    private static final int HEADER = QueuePair.DATAGRAM_HEADER_BYTES;
    private static final int PEER_QPN = 0x4711;
    private static final int HEADERS = UdRequester.headerBytes(false);
    private static final long DATA = 0x1122334455667788L;
    private static final int LENGTH = HEADERS + 8;
    private static final int UDP_BYTES = 8;

    private final WorkCompletion wc = new WorkCompletion();
    private final UdRequester peers = new UdRequester(PEER_QPN, 0);
    private RoceNode node;
    private SoftDevice device;
    private ShmEnd end;
    private InetSocketAddress address;

    private void open(String host) throws IOException {
        SharedMemoryFolder.path(); // fails where it would be the user's own folder
        InetAddress own = InetAddress.getByName(host);
        assumeTrue(NetworkInterface.getByInetAddress(own) != null, "the host has no address " + host);
        node = RoceNode.open(new InetSocketAddress(own, 0));
        device = SoftDevice.open(System::nanoTime, new NodePorts(node));
        end = datagrams();
        address = new InetSocketAddress(own, ByteBuffer.wrap(end.qp.endpoint()).getShort(2) & 0xffff);
    }

    private ShmEnd datagrams() {
        ShmEnd made = new ShmEnd(device, 4, null, device.createChannel(), with -> with.datagram(ShmEnd.QKEY));
        made.qp.ready();
        return made;
    }

    @AfterEach
    void closeAll() {
        if (device != null) {
            device.close();
        }
    }

    private void receive(ShmEnd at, long wrId, int length) {
        assertEquals(1, at.qp.prepareReceive(ReceiveRequest.of(wrId, at.sge(64, length))).execute());
    }

    private static DatagramChannel socket(String host) throws IOException {
        return DatagramChannel.open().bind(new InetSocketAddress(host, 0));
    }

    private static InetSocketAddress addressOf(DatagramChannel socket) throws IOException {
        return (InetSocketAddress) socket.getLocalAddress();
    }

    /** A datagram of 8 bytes, with its ICRC; an opcode of another service changes the first byte alone. */
    private ByteBuffer message(DatagramChannel from, int opcode, int qpn, int qkey, int fragment) throws IOException {
        ByteBuffer packet = ByteBuffer.allocate(LENGTH + Icrc.BYTES);
        packet.putLong(HEADERS, DATA);
        assertEquals(LENGTH, peers.write(packet, 0, 8, false, 0, false, qpn, qkey));
        packet.put(0, (byte) opcode);
        InetSocketAddress peer = addressOf(from);
        Icrc icrc = new Icrc(peer.getAddress().getAddress(), address.getAddress().getAddress());
        Icrc.write(packet, LENGTH, icrc.compute(packet, 0, LENGTH, peer.getPort(), address.getPort(), fragment));
        return packet;
    }

    private ByteBuffer message(DatagramChannel from) throws IOException {
        return message(from, Opcode.UD_SEND_ONLY, end.qp.number(), ShmEnd.QKEY, Icrc.DONT_FRAGMENT);
    }

    private void expect(ShmEnd at, long wrId) {
        Waits.until("the datagram", () -> at.receiveCq.poll(wc));
        assertTrue(wc.succeeded() && wc.wrId() == wrId && wc.byteLength() == HEADER + 8
                && wc.sourceQp() == PEER_QPN, wc::toString);
        assertEquals(DATA, at.mr.buffer(64 + HEADER, 8).order(ByteOrder.BIG_ENDIAN).getLong(0));
    }

    private int dropped(DatagramContext.Drop why) {
        return ((SoftQueuePair) ((Mlx5QueuePair) end.qp).control()).dropped(why);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 0x1234, 0xffff})
    void theHeaderOfIpv4LiesInTheLastBytesOfItsRoom(int identification) throws IOException {
        open(HOST);
        try (DatagramChannel peer = socket(HOST)) {
            receive(end, 1, HEADER + 8);
            end.mr.buffer(64, HEADER).putLong(0, -1).putLong(8, -1).putInt(16, -1);
            peer.send(message(peer, Opcode.UD_SEND_ONLY, end.qp.number(), ShmEnd.QKEY,
                    identification << 16 | Icrc.DONT_FRAGMENT), address);
            expect(end, 1);
        }
        byte[] room = new byte[HEADER];
        end.mr.buffer(64, HEADER).get(room);
        assertArrayEquals(new byte[20], Arrays.copyOf(room, 20));
        ByteBuffer ip = ByteBuffer.wrap(room, 20, 20).slice();
        assertEquals(0x45 << 24 | 20 + UDP_BYTES + LENGTH + Icrc.BYTES, ip.getInt(0));
        assertEquals(identification << 16 | Icrc.DONT_FRAGMENT, ip.getInt(4));
        assertEquals(0x4011, ip.getShort(8), "hops, and UDP");
        assertEquals(0x7f000001, ip.getInt(12));
        assertEquals(0x7f000001, ip.getInt(16));
        int sum = 0;
        for (int i = 0; i < 20; i += 2) {
            sum += ip.getShort(i) & 0xffff;
        }
        assertEquals(0xffff, (sum & 0xffff) + (sum >>> 16), "the checksum");
    }

    @Test
    void theHeaderOfIpv6FillsItsRoom() throws IOException {
        open("::1");
        try (DatagramChannel peer = socket("::1")) {
            receive(end, 1, HEADER + 8);
            peer.send(message(peer), address);
            expect(end, 1);
        }
        byte[] loopback = address.getAddress().getAddress();
        byte[] room = new byte[HEADER];
        end.mr.buffer(64, HEADER).get(room);
        assertEquals((6L << 60) + ((UDP_BYTES + LENGTH + Icrc.BYTES) << 16) + 0x1140, ByteBuffer.wrap(room).getLong());
        assertArrayEquals(loopback, Arrays.copyOfRange(room, 8, 24));
        assertArrayEquals(loopback, Arrays.copyOfRange(room, 24, 40));
    }

    @Test
    void aDamagedPacketIsDroppedWhicheverByteItIs() throws IOException {
        open(HOST);
        receive(end, 1, HEADER + 8);
        try (DatagramChannel peer = socket(HOST)) {
            int damaged = 0;
            for (int at = 0; at < LENGTH + Icrc.BYTES; at++) {
                ByteBuffer packet = message(peer);
                packet.put(at, (byte) (packet.get(at) ^ 0x55));
                if (at != 4) { // routers may change it
                    peer.send(packet, address);
                    damaged++;
                }
            }
            int sent = damaged;
            Waits.until("dropped packets", () -> node.droppedPackets() >= sent);
            assertFalse(end.receiveCq.poll(wc), "it is nobody's");
            peer.send(message(peer), address);
            expect(end, 1);
        }
    }

    @Test
    void dropsAreCountedByReasonAndNoOtherDatagramSuffers() throws IOException {
        open(HOST);
        try (DatagramChannel peer = socket(HOST)) {
            peer.send(message(peer), address); // no receive
            Waits.until("a drop", () -> dropped(DatagramContext.Drop.NO_RECEIVE) == 1);
            receive(end, 1, HEADER + 7);
            peer.send(message(peer), address); // too long
            Waits.until("a drop", () -> dropped(DatagramContext.Drop.TOO_LONG) == 1);
            peer.send(message(peer, Opcode.UD_SEND_ONLY, end.qp.number(), ShmEnd.QKEY + 1, 0x4000), address);
            Waits.until("a drop", () -> dropped(DatagramContext.Drop.QKEY) == 1);
            peer.send(message(peer, Opcode.SEND_ONLY, end.qp.number(), ShmEnd.QKEY, 0x4000), address); // RC
            peer.send(message(peer, Opcode.UD_SEND_ONLY, end.qp.number() + 1, ShmEnd.QKEY, 0x4000), address); // nobody
            Waits.until("two drops", () -> node.droppedPackets() == 2);
            ShmEnd other = datagrams();
            receive(other, 2, HEADER + 8);
            peer.send(message(peer, Opcode.UD_SEND_ONLY, other.qp.number(), ShmEnd.QKEY, 0x4000), address);
            expect(other, 2);
        }
        assertEquals(List.of(1, 1, 1, 0, 0),
                Arrays.stream(DatagramContext.Drop.values()).map(this::dropped).toList());
        assertFalse(end.receiveCq.poll(wc));
        assertEquals(QueuePairState.RTS, end.qp.state());
    }

    @Test
    void aReceiveWithABadKeyFailsItsQpAlone() throws IOException {
        open(HOST);
        ShmEnd bad = datagrams();
        assertEquals(1, bad.qp.prepareReceive(ReceiveRequest.of(
                7, new Sge(bad.mr.address(), 100, bad.mr.lkey() ^ 0x3300))).execute());
        receive(bad, 8, 100);
        receive(end, 1, HEADER + 8);
        try (DatagramChannel peer = socket(HOST)) {
            peer.send(message(peer, Opcode.UD_SEND_ONLY, bad.qp.number(), ShmEnd.QKEY, 0x4000), address);
            Waits.until("failure", () -> bad.receiveCq.poll(wc));
            assertTrue(wc.wrId() == 7 && wc.status() == WcStatus.LOC_PROT_ERR, wc::toString);
            Waits.until("the flushed one", () -> bad.receiveCq.poll(wc));
            assertTrue(wc.wrId() == 8 && wc.status() == WcStatus.WR_FLUSH_ERR, wc::toString);
            assertEquals(QueuePairState.ERR, bad.qp.state());
            long before = node.droppedPackets();
            peer.send(message(peer, Opcode.UD_SEND_ONLY, bad.qp.number(), ShmEnd.QKEY, 0x4000), address);
            Waits.until("a drop", () -> node.droppedPackets() == before + 1);
            peer.send(message(peer), address);
            expect(end, 1);
        }
    }

    @Test
    void memoryThatAPacketMayBeWrittenToIsNotUsedAgain() throws IOException {
        open(HOST);
        MemoryRegion mr = end.pd.allocate(4096, Access.LOCAL_WRITE);
        assertEquals(1, end.qp.prepareReceive(ReceiveRequest.of(1, Sge.of(mr, 0, 100))).execute());
        mr.close();
        assertFalse(isUsedAgain(mr));
        end.qp.close();
        assertTrue(isUsedAgain(mr), "nobody takes its packets any more");
    }

    private boolean isUsedAgain(MemoryRegion closed) {
        boolean found = false;
        for (int i = 0; i < 16; i++) {
            long offset = closed.address() - end.pd.allocate(closed.length(), Access.LOCAL_WRITE).address();
            found |= Math.abs(offset) < closed.length();
        }
        return found;
    }

    @Test
    void aQpThatIsClosedTakesNothing() throws IOException {
        open(HOST);
        ShmEnd gone = datagrams();
        receive(end, 1, HEADER + 8);
        try (DatagramChannel peer = socket(HOST)) {
            ByteBuffer late = message(peer, Opcode.UD_SEND_ONLY, gone.qp.number(), ShmEnd.QKEY, 0x4000);
            gone.close();
            peer.send(late, address);
            Waits.until("a drop", () -> node.droppedPackets() == 1);
            peer.send(message(peer), address);
            expect(end, 1);
        }
    }

    @Test
    void datagramsOfMorePeersThanAreRememberedArrive() throws IOException {
        open(HOST);
        for (int round = 0; round < 2; round++) {
            for (int i = 1; i <= 40; i++) {
                try (DatagramChannel peer = socket("127.0.0." + i)) {
                    receive(end, i, HEADER + 8);
                    peer.send(message(peer), address);
                    expect(end, i);
                    assertEquals(0x7f000000 | i, end.mr.buffer(64, HEADER).order(ByteOrder.BIG_ENDIAN)
                            .getInt(32), "its address");
                }
            }
        }
    }

    /** An endpoint of a socket, in the layout of the device's own. */
    private byte[] endpoint(DatagramChannel socket, int mtu) throws IOException {
        InetSocketAddress peer = addressOf(socket);
        byte[] host = peer.getAddress().getAddress();
        return ByteBuffer.allocate(14 + host.length).put((byte) 1).put((byte) host.length)
                .putShort((short) peer.getPort()).putInt(PEER_QPN).putInt(0).putShort((short) mtu).put(host).array();
    }

    private void send(SendRequest request, WcStatus expected) {
        assertEquals(1, end.qp.prepareSend(request.signalled()).execute());
        Waits.until("completion", () -> end.sendCq.poll(wc));
        assertEquals(expected, wc.status(), wc::toString);
    }

    @ParameterizedTest
    @CsvSource({HOST + ",127.0.0.2,0", HOST + ",127.0.0.2,5", "::1,::1,8"})
    void whatIsSentIsAPacketWithItsIcrcAndTheNextPsn(String host, String there, int length) throws IOException {
        open(host);
        try (DatagramChannel peer = socket(there)) {
            Destination to = new Destination(end.pd.createAh(endpoint(peer, 1024)), 0x123456, 0x89abcdef);
            end.mr.buffer(0, 8).order(ByteOrder.BIG_ENDIAN).putLong(0, DATA);
            send(SendRequest.datagramWithImmediate(1, 0x0badcafe, to, end.sge(0, length)), WcStatus.SUCCESS);
            send(SendRequest.datagram(2, to, end.sge(0, length)).solicited(), WcStatus.SUCCESS);
            int first = ByteBuffer.wrap(end.qp.endpoint()).getInt(8);
            assertPacket(peer, Opcode.UD_SEND_ONLY_IMM, length, first, false);
            assertPacket(peer, Opcode.UD_SEND_ONLY, length, Psn.plus(first, 1), true);
        }
    }

    private void assertPacket(DatagramChannel peer, int opcode, int length, int psn, boolean solicited)
            throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(2048);
        assertEquals(address, peer.receive(bytes));
        int count = bytes.position() - Icrc.BYTES;
        Packet packet = new Packet();
        assertEquals(Packet.Verdict.OK, packet.parse(bytes, 0, count));
        assertEquals(opcode, packet.opcode());
        assertEquals(length, packet.length());
        assertEquals(psn, packet.psn());
        assertEquals(0x123456, packet.qpn());
        assertEquals(solicited, packet.isSolicited());
        assertEquals(0x89abcdef, Deth.qkey(bytes, Bth.BYTES));
        assertEquals(end.qp.number(), Deth.sourceQpn(bytes, Bth.BYTES));
        for (int i = 0; i < length; i++) {
            assertEquals((byte) (DATA >>> 56 - 8 * i), bytes.get(packet.payload() + i), "byte " + i);
        }
        if (opcode == Opcode.UD_SEND_ONLY_IMM) {
            assertEquals(0x0badcafe, packet.word());
        }
        Icrc icrc = new Icrc(address.getAddress().getAddress(), addressOf(peer).getAddress().getAddress());
        assertEquals(icrc.compute(bytes, 0, count, address.getPort(), addressOf(peer).getPort(), Icrc.DONT_FRAGMENT),
                Icrc.read(bytes, count));
    }

    @Test
    void whatIsLongerThanThePeersMtuFailsAndIsNotSent() throws IOException {
        open(HOST);
        assertEquals(4096, device.maxDatagramBytes(), "of loopback");
        try (DatagramChannel peer = socket(HOST)) {
            peer.configureBlocking(false);
            Destination to = new Destination(end.pd.createAh(endpoint(peer, 1024)), 0x123456, 1);
            send(SendRequest.datagram(1, to, end.sge(0, 1024)), WcStatus.SUCCESS);
            ByteBuffer bytes = ByteBuffer.allocate(2048);
            Waits.until("the packet", () -> received(peer, bytes));
            assertEquals(HEADERS + 1024 + Icrc.BYTES, bytes.position());
            send(SendRequest.datagram(2, to, end.sge(0, 1025)), WcStatus.LOC_LEN_ERR);
            assertEquals(QueuePairState.ERR, end.qp.state());
            assertFalse(received(peer, bytes));
        }
    }

    private static boolean received(DatagramChannel peer, ByteBuffer bytes) {
        try {
            return peer.receive(bytes.clear()) != null;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aHandleOfAnotherDomainOrOneThatIsClosedFailsTheSend() throws IOException {
        open(HOST);
        try (DatagramChannel peer = socket(HOST)) {
            AddressHandle closed = end.pd.createAh(endpoint(peer, 1024));
            AddressHandle others = device.allocatePd().createAh(endpoint(peer, 1024));
            closed.close();
            end.pd.createAh(endpoint(peer, 1024));
            send(SendRequest.datagram(1, new Destination(closed, 2, 1), end.sge(0, 8)), WcStatus.LOC_QP_OP_ERR);
            end = datagrams();
            send(SendRequest.datagram(1, new Destination(others, 2, 1), end.sge(0, 8)), WcStatus.LOC_QP_OP_ERR);
        }
    }

    @Test
    void whatIsNoEndpointOfARoceDeviceIsRefused() throws IOException {
        open(HOST);
        try (DatagramChannel other = socket(HOST);
                SoftDevice shm = SoftDevice.open(System::nanoTime)) {
            byte[] good = endpoint(other, 1024);
            byte[] ipv6 = Arrays.copyOf(good, 30);
            ipv6[1] = 16;
            ipv6[29] = 1;
            ShmEnd mapped = new ShmEnd(shm, 1);
            for (byte[] bad : List.of(new byte[0], Arrays.copyOf(good, 17), ipv6, mapped.qp.endpoint())) {
                VerbsException e = assertThrows(VerbsException.class, () -> end.pd.createAh(bad));
                assertTrue(e.getMessage().contains("create_ah"), e.getMessage());
            }
            VerbsException e = assertThrows(VerbsException.class, () -> mapped.pd.createAh(good));
            assertTrue(e.getMessage().contains("create_ah"), e.getMessage());
        }
    }
}
