package org.jvrpc.softrnic.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.softrnic.ShmEnd;
import org.jvrpc.softrnic.queue.PortQueuePair;
import org.jvrpc.softrnic.queue.QpContext;
import org.jvrpc.softrnic.shm.folder.DeviceFolder;
import org.jvrpc.testing.Waits;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.WorkCompletion;

/**
 * How a connection ends, and what becomes of memory then. The peer is a bare socket, its device a folder with a copy of
 * what another device of this process had: so it is of no device that is known here.
 */
class ShmConnectionTest {

    private static final String PEER = "d-4194305-c0";

    private final RawPeers rig = new RawPeers();
    private final WorkCompletion wc = new WorkCompletion();
    private SocketChannel socket;
    private Path folder;
    private ShmEnd end;
    private ShmConnection connection;

    @BeforeEach
    void connect() throws IOException {
        ShmEnd original = rig.end();
        ShmEnd other = rig.end();
        original.qp.connect(other.qp.endpoint()); // so that it takes messages
        original.qp.prepareReceive(ReceiveRequest.of(1, original.sge(0, 64))).execute();
        original.receiveCq.arm();
        folder = rig.elsewhere(PEER, original.qp.endpoint());
        socket = rig.peer();
        end = rig.large();
        connection = (ShmConnection) rig.keep(rig.ask(socket, RawPeers.endpoint(PEER, original.qp.endpoint()))
                .accept(end.qp, RawPeers.WORD));
        assertEquals(CmFrame.ACCEPT, RawPeers.heard(socket).type());
        long address = ShmEndpoint.decode("test", end.qp.endpoint()).address();
        PortQueuePair qp = ShmNode.portOf(rig.device.name(), address).qp();
        assertEquals(99, QpContext.claim(qp.sends().memory(), qp.context(), 99), "as the peer does that connects");
    }

    @AfterEach
    void close() {
        rig.close();
    }

    private void says(byte... bytes) throws IOException {
        socket.write(ByteBuffer.wrap(bytes));
    }

    /** Returns what the peer hears now; -1 at the end. */
    private int heard() throws IOException {
        ByteBuffer one = ByteBuffer.allocate(1);
        int count = socket.read(one);
        return count == 1 ? one.get(0) : count;
    }

    private void failed() {
        assertFalse(connection.isConnected());
        assertEquals(QueuePairState.ERR, end.qp.state());
    }

    @Test
    void aPeerThatSleepsIsWokenThroughTheSocket() throws IOException {
        assertEquals(0, heard());
        assertEquals(1, end.qp.prepareSend(SendRequest.send(7, end.sge(0, 8)).signalled()).execute());
        assertTrue(end.sendCq.poll(wc) && wc.status() == WcStatus.SUCCESS, wc::toString);
        assertEquals(CmFrame.WAKE, heard());
        assertEquals(0, heard());
        rig.channel.await(0);
        says(CmFrame.WAKE, CmFrame.WAKE);
        assertTrue(rig.channel.await(0), "the peer wakes whoever waits here");
        assertTrue(connection.isConnected());
    }

    @Test
    void aPeerThatSaysThatItsQpIsClosedHearsTheSameAndTheMemoryIsUsedAgain() throws IOException {
        says(CmFrame.WAKE, CmFrame.BYE);
        assertTrue(rig.channel.await(0));
        failed();
        assertEquals(0, heard());
        byte[] endpoint = end.qp.endpoint();
        connection.close();
        assertEquals(CmFrame.BYE, heard());
        assertEquals(-1, heard());
        assertTrue(rig.isUsedAgain(endpoint));
    }

    @Test
    void whoClosesFirstKeepsSocketAndMemoryUntilThePeerIsClosedToo() throws IOException {
        byte[] endpoint = end.qp.endpoint();
        connection.close();
        assertFalse(connection.isConnected());
        assertEquals(CmFrame.BYE, heard());
        assertEquals(0, heard());
        assertFalse(rig.isUsedAgain(endpoint));
        says(CmFrame.BYE);
        rig.channel.await(0);
        assertEquals(-1, heard());
        assertTrue(rig.isUsedAgain(endpoint));
    }

    @Test
    void otherMemoryOfTheDomainWaitsForAPeerThatMayNotKnowOfTheEndToo() throws IOException {
        MemoryRegion mr = end.pd.allocate(5 << 18, Access.LOCAL_WRITE); // a receive may have named it
        long near = mr.address();
        connection.close();
        mr.close();
        assertFalse(rig.isUsedAgain(near));
        says(CmFrame.BYE);
        rig.channel.await(0);
        assertTrue(rig.isUsedAgain(near));
    }

    @Test
    void aSocketThatIsReadyWithoutBytesEndsNothing() {
        connection.ready();
        assertTrue(connection.isConnected());
    }

    @Test
    void aPeerThatEndsBeforeItHasHeardAllHasEnded() throws IOException {
        assertEquals(1, end.qp.prepareSend(SendRequest.send(7, end.sge(0, 8)).signalled()).execute());
        socket.close(); // the wake-up is not read: the socket is reset
        assertTrue(rig.channel.await(0));
        failed();
    }

    @Test
    void theDeviceClosesASocketThatIsKeptForThePeer() throws IOException {
        connection.close();
        assertEquals(CmFrame.BYE, heard());
        rig.device.close();
        assertEquals(-1, heard());
    }

    @Test
    void aSocketThatEndsWithoutAWordOfADeadProcessFreesAllThatWasThePeers() throws IOException {
        byte[] endpoint = end.qp.endpoint();
        socket.close();
        assertTrue(rig.channel.await(0));
        failed();
        assertTrue(Files.exists(folder), "it is in use");
        connection.close();
        assertFalse(Files.exists(folder), "nobody is left who uses it");
        assertTrue(rig.isUsedAgain(endpoint));
    }

    @Test
    void aProcessThatIsNotDeadYetWhenItsSocketEndsIsLookedForForThreeSeconds() throws IOException {
        byte[] endpoint = end.qp.endpoint();
        try (FileChannel owner = FileChannel.open(folder.resolve("lock"), StandardOpenOption.WRITE);
                FileLock lock = owner.lock(0, 1, false)) {
            assertTrue(lock.isValid());
            socket.close();
            assertTrue(rig.channel.await(0));
            failed();
            for (int i = 0; i < 58; i++) {
                rig.nowNs += 50_000_000;
                rig.channel.await(0);
            }
        }
        connection.close();
        assertFalse(rig.isUsedAgain(endpoint), "it may be at work");
        rig.nowNs += 50_000_000;
        rig.channel.await(0);
        assertTrue(rig.isUsedAgain(endpoint));
    }

    @Test
    void whoIsClosedBeforeItsPeersProcessIsDeadWaitsForThatStill() throws IOException {
        byte[] endpoint = end.qp.endpoint();
        DeviceFolder other = DeviceFolder.use("test", folder); // the connection is not the last that leaves it
        try (FileChannel owner = FileChannel.open(folder.resolve("lock"), StandardOpenOption.WRITE);
                FileLock lock = owner.lock(0, 1, false)) {
            assertTrue(lock.isValid());
            socket.close();
            assertTrue(rig.channel.await(0));
            connection.close();
            rig.nowNs += 50_000_000;
            rig.channel.await(0);
            assertFalse(rig.isUsedAgain(endpoint), "it may be at work");
        }
        rig.nowNs += 50_000_000;
        rig.channel.await(0);
        assertTrue(rig.isUsedAgain(endpoint));
        other.release();
    }

    @Test
    void whatAProcessHadWhoseSocketEndedAndThatDoesNotDieIsNeverUsedAgain() throws IOException {
        byte[] endpoint = end.qp.endpoint();
        try (FileChannel owner = FileChannel.open(folder.resolve("lock"), StandardOpenOption.WRITE);
                FileLock lock = owner.lock(0, 1, false)) {
            assertTrue(lock.isValid());
            socket.close();
            for (int i = 0; i < 61; i++) {
                rig.nowNs += 50_000_000;
                rig.channel.await(0);
            }
        }
        connection.close();
        rig.nowNs += 50_000_000;
        rig.channel.await(0);
        assertFalse(rig.isUsedAgain(endpoint));
    }

    /** Makes one that is closed here, then there. */
    private ShmConnection ended() throws IOException {
        SocketChannel peer = rig.peer();
        try (ShmEnd passive = new ShmEnd(rig.device, 4, null, rig.channel)) {
            ShmConnection ended = (ShmConnection) rig.ask(peer, rig.end().qp.endpoint())
                    .accept(passive.qp, RawPeers.WORD);
            ended.close();
            peer.write(ByteBuffer.wrap(new byte[] {CmFrame.BYE}));
            rig.channel.await(0);
            rig.channel.await(0);
            return ended;
        }
    }

    @Test
    void aConnectionThatIsClosedOnBothSidesIsForgotten() throws IOException {
        WeakReference<ShmConnection> ended = new WeakReference<>(ended());
        Waits.until("the collector to take it", () -> {
            System.gc();
            return ended.get() == null;
        });
    }

    @Test
    void aConnectionIsSuspectedOnlyWhereItsPeersMemoryGotShorter() throws IOException {
        connection.suspect();
        assertTrue(connection.isConnected());
        try (var slabs = Files.newDirectoryStream(folder, "[0-9]*")) {
            for (Path slab : slabs) {
                try (FileChannel file = FileChannel.open(slab, StandardOpenOption.WRITE)) {
                    file.truncate(file.size() - 1); // no page of it goes
                }
            }
        }
        connection.suspect();
        failed();
        assertEquals(-1, heard());
    }

    @Test
    void aPeerOfThisProcessIsNeverSuspected() throws IOException {
        ShmEnd active = rig.end();
        ShmEnd passive = rig.end();
        SocketChannel peer = rig.peer();
        ShmConnection local = (ShmConnection) rig.keep(rig.ask(peer, active.qp.endpoint())
                .accept(passive.qp, RawPeers.WORD));
        local.suspect();
        assertTrue(local.isConnected());
        local.privateData()[0]++;
        assertEquals(RawPeers.WORD[0], local.privateData()[0]);
        assertEquals(passive.qp, local.qp());
    }
}
