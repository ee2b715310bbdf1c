package org.jvrpc.softrnic.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.softrnic.ShmEnd;
import org.jvrpc.softrnic.ShmUnderTest;
import org.jvrpc.softrnic.chain.GroupContext;
import org.jvrpc.softrnic.datagram.DatagramContext;
import org.jvrpc.softrnic.datagram.DatagramTable;
import org.jvrpc.softrnic.memory.AddressSpace;
import org.jvrpc.softrnic.memory.ArenaHeader;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.softrnic.queue.QpContext;
import org.jvrpc.softrnic.shm.folder.DeviceFolder;
import org.jvrpc.softrnic.shm.folder.RemoteArena;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.host.ProcessId;

/** A QP's port: how others find the QP and know it, who is woken, and what is left of it. */
class ShmPortTest {

    /** Of this namespace, where no process has such a number. */
    private static final long DEAD = ProcessId.of(0x3ffff0);
    private static final long ALIVE = ProcessId.of(1);

    private final RawPeers rig = new RawPeers();

    @AfterEach
    void close() {
        rig.close();
    }

    private static ShmPort port(Device device, byte[] endpoint) {
        return ShmNode.portOf(device.name(), ShmEndpoint.decode("test", endpoint).address());
    }

    private ShmPort port(QueuePair qp) {
        return port(rig.device, qp.endpoint());
    }

    /** Returns whom a QP takes messages from. */
    private static long initiator(ShmPort of) {
        return QpContext.claim(of.qp().sends().memory(), of.qp().context(), Long.MAX_VALUE);
    }

    private static CompletionQueue chainCq(Device device) {
        return device.createCq(CompletionQueueAttributes.ofChains(16));
    }

    private static QueuePair chained(ProtectionDomain pd, CompletionQueue cq) {
        QueuePair qp = pd.createQp(new QueuePairAttributes(cq, cq).crossChannel(true));
        qp.init();
        return qp;
    }

    // ---- how others find it and know it

    @Test
    void aQueuePairIsFoundUntilItIsClosed() {
        ShmEnd end = rig.end();
        byte[] endpoint = end.qp.endpoint();
        assertEquals(end.qp, port(rig.device, endpoint).qp().driver());
        end.qp.close();
        assertNull(port(rig.device, endpoint));
    }

    @Test
    void aPeerKnowsItsInitiatorByNumberAndDevice() {
        long[] known = new long[3];
        try (Device stranger = ShmUnderTest.open(); ShmEnd far = new ShmEnd(stranger, 4)) {
            QueuePair[] from = {rig.end().qp, rig.end().qp, far.qp};
            for (int i = 0; i < from.length; i++) {
                ShmEnd to = rig.end();
                from[i].connect(to.qp.endpoint());
                known[i] = initiator(port(to.qp));
                assertEquals(from[i].number(), known[i] & 0xffffff);
            }
        }
        assertEquals(known[0] >>> 24, known[1] >>> 24, "of one device");
        assertNotEquals(known[0] >>> 24, known[2] >>> 24, "of two devices");
    }

    @Test
    void aQueuePairIsFedByChainsWhenItsPeerBelongsToAGroup() {
        ShmEnd plain = rig.end();
        ShmEnd fed = rig.end();
        assertFalse(port(plain.qp).isFedByChains());
        QueuePair chained = chained(rig.device.allocatePd(), chainCq(rig.device));
        fed.qp.connect(chained.endpoint());
        plain.qp.connect(rig.end().qp.endpoint());
        assertTrue(port(fed.qp).isFedByChains());
        assertFalse(port(plain.qp).isFedByChains());
    }

    @Test
    void aDatagramQueuePairHasNoPeer() {
        ShmEnd datagrams = datagrams();
        ShmPort port = port(datagrams.qp);
        String why = assertThrows(VerbsException.class, () -> port.connect(rig.end().qp.endpoint())).getMessage();
        assertTrue(why.contains("a datagram QP has no peer"), why);
    }

    // ---- who is woken

    @Test
    void aPeerOfThisProcessIsWokenWithoutASocket() {
        ShmEnd from = rig.end();
        ShmEnd to = rig.end();
        from.qp.connect(to.qp.endpoint());
        to.qp.connect(from.qp.endpoint());
        assertEquals(1, to.qp.prepareReceive(ReceiveRequest.of(1, to.sge(0, 64))).execute());
        to.receiveCq.arm();
        assertFalse(rig.channel.await(0));
        assertEquals(1, from.qp.prepareSend(SendRequest.send(2, from.sge(0, 8))).execute());
        assertTrue(rig.channel.await(0));
    }

    // ---- what is left of it

    @Test
    void whatAQueuePairCouldNotBeginWithItsPeerIsFree() {
        ShmEnd target = rig.end();
        ShmEnd failed = rig.end();
        failed.qp.error();
        ShmPort port = port(failed.qp);
        String why = assertThrows(VerbsException.class, () -> port.connect(target.qp.endpoint())).getMessage();
        assertTrue(why.contains("qp number=" + failed.qp.number() + " state=ERR"), why);
        rig.end().qp.connect(target.qp.endpoint());
    }

    @Test
    void memoryIsUsedAgainWhenThePeerOfThisProcessIsClosedToo() {
        ShmEnd one = rig.large();
        ShmEnd two = rig.large();
        byte[] endpoint = one.qp.endpoint();
        one.qp.connect(two.qp.endpoint());
        two.qp.connect(endpoint);
        one.qp.close();
        assertFalse(rig.isUsedAgain(endpoint), "its peer may write to it");
        two.qp.close();
        assertTrue(rig.isUsedAgain(endpoint));
    }

    private ShmEnd datagrams() {
        ShmEnd end = rig.keep(new ShmEnd(rig.device, 1 << 14, null, rig.channel,
                with -> with.datagram(ShmEnd.QKEY).sges(1, 4)));
        end.qp.ready();
        return end;
    }

    @Test
    void memoryOfADatagramQueuePairIsNeverUsedAgain() {
        ShmEnd end = datagrams();
        byte[] endpoint = end.qp.endpoint();
        end.qp.close();
        assertFalse(rig.isUsedAgain(endpoint), "anybody may have sent to it");
    }

    /** Returns true when the device's table has a QP's number, where senders look it up. */
    private boolean isListed(int qpn) {
        AddressSpace space = new RemoteArena(DeviceFolder.use("test", rig.socket.resolveSibling(rig.device.name())));
        long table = ArenaHeader.datagrams(space.require(Slab.baseOf(0), 1, "header").window(Slab.baseOf(0)));
        ByteBuffer memory = space.require(table, DatagramTable.BYTES, "table").window(table);
        space.close();
        return IntStream.range(0, (int) DatagramTable.BYTES / 16)
                .anyMatch(entry -> memory.getInt(Slab.index(table) + entry * 16) == qpn);
    }

    @Test
    void aDatagramQueuePairIsListedUntilItIsClosed() {
        ShmEnd end = datagrams();
        int number = end.qp.number();
        assertTrue(isListed(number));
        end.qp.close();
        assertFalse(isListed(number), "its place is another's");
    }

    @Test
    void aDatagramQueuePairIsFreedFromADeadSenderByTheSecondLookAndByItsEnd() {
        ShmEnd end = datagrams();
        ShmPort port = port(end.qp);
        ByteBuffer memory = port.qp().sends().memory();
        int context = port.qp().context();
        assertTrue(DatagramContext.claim(memory, context, 0, DEAD));
        port.recover();
        assertEquals(DEAD, DatagramContext.claimant(memory, context));
        port.recover();
        assertEquals(0, DatagramContext.claimant(memory, context));
        assertTrue(DatagramContext.claim(memory, context, 0, DEAD));
        end.qp.close();
        assertEquals(0, DatagramContext.claimant(memory, context));
    }

    @Test
    void aQueuePairWhoseChainALivingProcessLostIsNotQuietNorIsOneOfADeviceThatCloses() {
        AtomicLong clock = new AtomicLong();
        Device device = ShmUnderTest.open(() -> clock.addAndGet(1_000_000)); // who waits for the claim gives up soon
        ProtectionDomain pd = device.allocatePd();
        CompletionQueue cq = chainCq(device);
        ShmPort port = port(device, chained(pd, cq).endpoint());
        ShmEnd plain = new ShmEnd(device, 4);
        ShmPort other = port(device, plain.qp.endpoint());
        assertTrue(port.isQuiet() && other.isQuiet());
        long group = QpContext.group(port.qp().sends().memory(), port.qp().context());
        AddressSpace space = new RemoteArena(DeviceFolder.use("test", rig.socket.resolveSibling(device.name())));
        ByteBuffer shared = space.require(group, GroupContext.BYTES, "group").window(group);
        assertEquals(0, GroupContext.claim(shared, Slab.index(group), ALIVE));
        chained(pd, cq);
        assertFalse(port.isQuiet());
        assertTrue(other.isQuiet());
        space.close();
        device.close();
        assertFalse(other.isQuiet());
        assertEquals(QueuePairState.ERR, plain.qp.state());
    }
}
