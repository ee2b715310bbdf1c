package org.jvrpc.softrnic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.mlx5.Mlx5QueuePair;
import org.jvrpc.roce.wire.Aeth;
import org.jvrpc.roce.wire.Bth;
import org.jvrpc.roce.wire.Icrc;
import org.jvrpc.roce.wire.Opcode;
import org.jvrpc.softrnic.queue.Port;
import org.jvrpc.softrnic.roce.RoceNode;
import org.jvrpc.softrnic.roce.RocePort;
import org.jvrpc.softrnic.roce.ring.QpTally;
import org.jvrpc.softrnic.roce.ring.RemoteKeys;
import org.jvrpc.testing.SharedMemoryFolder;
import org.jvrpc.testing.Waits;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.WorkCompletion;

/** A QP over UDP whose peer is a socket of the test's, which sends what it likes. */
class RocePortTest {

    private static final int PEER_QPN = 0x4711;
    private static final int PEER_PSN = 0xfffffe;
    private static final int LENGTH = Bth.BYTES + 8;

    private final WorkCompletion wc = new WorkCompletion();
    private RoceNode node;
    private SoftDevice device;
    private ShmEnd end;
    private DatagramChannel peer;
    private InetSocketAddress address;

    @BeforeEach
    void connect() throws IOException {
        SharedMemoryFolder.path(); // fails where it would be the user's own folder
        node = RoceNode.open(new InetSocketAddress("127.0.0.1", 0));
        device = SoftDevice.open(System::nanoTime, new PortFactory() {
            @Override
            public Port create(SoftQueuePair qp) {
                return new RocePort(() -> node, new QpTally(), qp, qp.device().arena(), RemoteKeys.plain(), null,
                        qp.device().name());
            }

            @Override
            public void quiesce() {
                node.quiesce();
            }

            @Override
            public void close() {
                node.close();
            }
        });
        end = new ShmEnd(device, 4);
        ByteBuffer own = ByteBuffer.wrap(end.qp.endpoint());
        address = new InetSocketAddress("127.0.0.1", own.getShort(2) & 0xffff);
        peer = DatagramChannel.open().bind(new InetSocketAddress("127.0.0.1", 0));
        assertEquals(1, end.qp.prepareReceive(ReceiveRequest.of(7, end.sge(64, 16))).execute());
        end.qp.connect(endpoint(own.capacity()));
    }

    /** The endpoint of the test's socket, in the layout of the device's own. */
    private byte[] endpoint(int bytes) throws IOException {
        ByteBuffer endpoint = ByteBuffer.allocate(bytes).put((byte) 1).put((byte) 4)
                .putShort((short) ((InetSocketAddress) peer.getLocalAddress()).getPort())
                .putInt(PEER_QPN).putInt(PEER_PSN).putShort((short) 1024);
        return endpoint.put(InetAddress.getByName("127.0.0.1").getAddress()).array();
    }

    @AfterEach
    void closeAll() throws IOException {
        end.close();
        device.close();
        peer.close();
    }

    /** A SEND of 8 bytes from one address to the device, with its ICRC. */
    private ByteBuffer message(String from, int port, int fragment) throws IOException {
        ByteBuffer packet = ByteBuffer.allocate(LENGTH + Icrc.BYTES);
        Bth.write(packet, 0, Opcode.SEND_ONLY, 0, false, true, end.qp.number(), PEER_PSN);
        packet.putLong(Bth.BYTES, 0x1122334455667788L);
        int icrc = new Icrc(InetAddress.getByName(from).getAddress(), address.getAddress().getAddress())
                .compute(packet, 0, LENGTH, port, address.getPort(), fragment);
        Icrc.write(packet, LENGTH, icrc);
        return packet;
    }

    private int port() throws IOException {
        return ((InetSocketAddress) peer.getLocalAddress()).getPort();
    }

    private void awaitDropped(int count) {
        Waits.until("dropped packets", () -> node.droppedPackets() >= count);
        assertFalse(end.receiveCq.poll(wc), "it is nobody's");
        assertEquals(QueuePairState.RTS, end.qp.state());
    }

    private void assertArrives() {
        Waits.until("the message", () -> end.receiveCq.poll(wc));
        assertEquals(WcStatus.SUCCESS, wc.status());
        assertEquals(7, wc.wrId());
        assertEquals(8, wc.byteLength());
    }

    @ParameterizedTest
    @ValueSource(ints = {0x4000, 0x12344000, 0xffff4000})
    void aMessageArrivesWhateverItsHiddenIdentification(int fragment) throws IOException {
        peer.send(message("127.0.0.1", port(), fragment), address);
        assertArrives();
    }

    @Test
    void aDamagedPacketIsDroppedWhicheverByteItIs() throws IOException {
        int dropped = 0;
        for (int at = 0; at < LENGTH + Icrc.BYTES; at++) {
            ByteBuffer packet = message("127.0.0.1", port(), Icrc.DONT_FRAGMENT);
            packet.put(at, (byte) (packet.get(at) ^ 0x55));
            if (at != 4) { // routers may change it
                peer.send(packet, address);
                dropped++;
            }
        }
        awaitDropped(dropped);
        peer.send(message("127.0.0.1", port(), Icrc.DONT_FRAGMENT), address);
        assertArrives();
    }

    @Test
    void aPacketFromAnotherAddressIsDroppedAndFromAnotherPortIsNot() throws IOException {
        try (DatagramChannel other = DatagramChannel.open().bind(new InetSocketAddress("127.0.0.2", 0));
                DatagramChannel flow = DatagramChannel.open().bind(new InetSocketAddress("127.0.0.1", 0))) {
            int from = ((InetSocketAddress) other.getLocalAddress()).getPort();
            other.send(message("127.0.0.2", from, Icrc.DONT_FRAGMENT), address);
            awaitDropped(1);
            from = ((InetSocketAddress) flow.getLocalAddress()).getPort();
            flow.send(message("127.0.0.1", from, Icrc.DONT_FRAGMENT), address);
            assertArrives();
        }
    }

    /** The node's thread waits for the lock of another QP meanwhile. */
    @Test
    void pollsOfTheReceivesTakePacketsThemselves() throws IOException {
        try (ShmEnd other = new ShmEnd(device, 4)) {
            other.qp.connect(endpoint(other.qp.endpoint().length));
            Thread thread = Thread.getAllStackTraces().keySet().stream()
                    .filter(t -> t.getName().equals("jvrpc-roce-" + address.getPort())).findAny().orElseThrow();
            synchronized (((SoftQueuePair) ((Mlx5QueuePair) other.qp).control()).engine()) {
                other.qp.prepareSend(SendRequest.send(1, other.sge(0, 8))).execute(); // nobody acknowledges it
                Waits.until("the node's thread", () -> thread.getState() == Thread.State.BLOCKED);
                peer.send(message("127.0.0.1", port(), Icrc.DONT_FRAGMENT), address);
                assertArrives();
                assertEquals(Thread.State.BLOCKED, thread.getState());
            }
        }
    }

    /** The node's thread may be about to copy there, by a key that it looked up just before. */
    @Test
    void memoryIsNotUsedAgainWhileAQueuePairIsAtWork() throws Exception {
        MemoryRegion region = end.pd.allocate(4096, Access.LOCAL_WRITE);
        Thread closer = new Thread(region::close);
        synchronized (((SoftQueuePair) ((Mlx5QueuePair) end.qp).control()).engine()) {
            closer.start();
            Waits.until("the close to wait", () -> closer.getState() == Thread.State.BLOCKED);
        }
        closer.join();
    }

    /** As of an interface that is down. Broadcasts are not permitted to a socket that did not ask for them. */
    @Test
    void aSocketThatTakesNoPacketsIsCountedAndTheQueuePairFails() throws IOException {
        try (ShmEnd other = new ShmEnd(device, 4)) {
            byte[] endpoint = endpoint(other.qp.endpoint().length);
            Arrays.fill(endpoint, endpoint.length - 4, endpoint.length, (byte) 255);
            other.qp.connect(endpoint);
            other.qp.prepareSend(SendRequest.send(1, other.sge(0, 8)).signalled()).execute();
            Waits.until("the end of its retries", () -> other.sendCq.poll(wc));
            assertEquals(WcStatus.RETRY_EXC_ERR, wc.status());
            assertEquals(8, node.lostPackets(), "seven retries");
        }
    }

    /** The memory may be somebody else's by then. */
    @Test
    void anAnswerToAReadFindsNoMemoryWhoseKeyIsGone() throws IOException {
        MemoryRegion region = end.pd.allocate(64, Access.LOCAL_WRITE);
        ByteBuffer bytes = region.buffer(0, 64);
        int psn = ByteBuffer.wrap(end.qp.endpoint()).getInt(8);
        end.qp.prepareSend(SendRequest.read(1, 4096, 5, Sge.of(region, 0, 8)).signalled()).execute();
        region.close();
        peer.send(answer(psn), address);
        Waits.until("the end of the READ", () -> end.sendCq.poll(wc));
        assertEquals(WcStatus.LOC_PROT_ERR, wc.status());
        assertEquals(0, bytes.getLong(0));
    }

    /** What a READ of 8 bytes finds. */
    private ByteBuffer answer(int psn) throws IOException {
        int length = Bth.BYTES + Aeth.BYTES + 8;
        ByteBuffer packet = ByteBuffer.allocate(length + Icrc.BYTES);
        Bth.write(packet, 0, Opcode.READ_RESPONSE_ONLY, 0, false, false, end.qp.number(), psn);
        Aeth.write(packet, Bth.BYTES, Aeth.ACK, 1);
        packet.putLong(Bth.BYTES + Aeth.BYTES, 0x1122334455667788L);
        Icrc.write(packet, length, new Icrc(peerHost(), address.getAddress().getAddress())
                .compute(packet, 0, length, port(), address.getPort(), Icrc.DONT_FRAGMENT));
        return packet;
    }

    private static byte[] peerHost() throws IOException {
        return InetAddress.getByName("127.0.0.1").getAddress();
    }

    @Test
    void whatIsNoPacketIsDropped() throws IOException {
        for (int length = 0; length < LENGTH + Icrc.BYTES; length++) {
            peer.send(message("127.0.0.1", port(), Icrc.DONT_FRAGMENT).limit(length), address);
        }
        peer.send(ByteBuffer.allocate(60_000), address);
        awaitDropped(LENGTH + Icrc.BYTES + 1);
    }

    @Test
    void whoSleepsForReceivesIsWokenWhenThePeerIsGivenUp() {
        end.receiveCq.arm();
        assertEquals(1, end.qp.prepareSend(SendRequest.send(1, end.sge(0, 8)).signalled()).execute());
        assertTrue(end.channel.await(60_000_000_000L), "the QP is in ERR, and its receive flushed");
        Waits.until("the flushed receive", () -> end.receiveCq.poll(wc));
        assertEquals(WcStatus.WR_FLUSH_ERR, wc.status());
        Waits.until("the failed send", () -> end.sendCq.poll(wc));
        assertEquals(WcStatus.RETRY_EXC_ERR, wc.status());
    }

    @Test
    void aQueuePairThatIsConnectedIsNotConnectedAgain() throws IOException {
        byte[] endpoint = endpoint(end.qp.endpoint().length);
        assertThrows(VerbsException.class, () -> end.qp.connect(endpoint));
        assertEquals(QueuePairState.RTS, end.qp.state());
    }

    @Test
    void anAddressThatIsNotThisMachinesOrIsTakenIsRefused() {
        assertThrows(VerbsException.class, () -> RoceNode.open(address));
        assertThrows(VerbsException.class, () -> RoceNode.open(new InetSocketAddress("192.0.2.1", 0)));
    }

    @Test
    void memoryThatAPeerMayWriteToIsNotUsedAgain() {
        MemoryRegion mr = end.pd.allocate(4096, Access.LOCAL_WRITE | Access.REMOTE_WRITE);
        mr.close();
        assertFalse(isUsedAgain(mr));
        end.qp.close();
        assertTrue(isUsedAgain(mr), "nobody takes its packets any more");
    }

    private boolean isUsedAgain(MemoryRegion closed) {
        List<MemoryRegion> others = new ArrayList<>();
        boolean found = false;
        for (int i = 0; i < 16; i++) {
            others.add(end.pd.allocate(closed.length(), Access.LOCAL_WRITE));
            found |= Math.abs(closed.address() - others.get(i).address()) < closed.length();
        }
        others.forEach(MemoryRegion::close);
        return found;
    }
}
