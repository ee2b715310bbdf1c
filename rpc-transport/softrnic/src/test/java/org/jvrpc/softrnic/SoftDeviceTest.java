package org.jvrpc.softrnic;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.jvrpc.mlx5.Mlx5QueuePair;
import org.jvrpc.softrnic.datagram.DatagramEngine;
import org.jvrpc.softrnic.shm.folder.ShmDirectory;
import org.jvrpc.testing.SharedMemoryFolder;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.AddressHandle;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.DeviceInfo;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.Listener;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.SharedReceiveQueue;
import org.jvrpc.verbs.SharedReceiveQueueAttributes;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.contract.Background;
import org.jvrpc.verbs.contract.Deadline;

/** What a device makes, refuses and ends, and which memory it gives out again. */
class SoftDeviceTest {

    private static final int LARGE = 640 << 10;
    private static final int ALL = Access.LOCAL_WRITE | Access.REMOTE_READ | Access.REMOTE_WRITE | Access.REMOTE_ATOMIC;

    private final SoftDevice device = (SoftDevice) ShmUnderTest.open();
    private final ProtectionDomain pd = device.allocatePd();

    @AfterEach
    void close() {
        device.close();
    }

    private static void refused(String why, Executable what) {
        String message = assertThrows(VerbsException.class, what).getMessage();
        assertTrue(message.contains(why), message);
    }

    private static void wrong(String why, Executable what) {
        String message = assertThrows(IllegalArgumentException.class, what).getMessage();
        assertTrue(message.contains(why), message);
    }

    private CompletionQueue cq() {
        return device.createCq(CompletionQueueAttributes.ofDepth(16));
    }

    // ---- what there is

    @Test
    void aHostHasASoftwareRnicWhereItsFolderCanBeHad() throws Exception {
        ShmDeviceProvider provider = new ShmDeviceProvider();
        assertEquals("shm", provider.scheme());
        assertEquals(List.of(new DeviceInfo("software RNIC", "shm", DeviceInfo.READY)), provider.list());
        try (Device opened = provider.open()) {
            assertTrue(ShmDirectory.isDeviceName(opened.name()), opened.name());
            assertEquals(DatagramEngine.MAX_DATAGRAM, opened.maxDatagramBytes());
        }
        String folder = SharedMemoryFolder.path().toString();
        Path file = Files.createFile(SharedMemoryFolder.path().resolve("file"));
        System.setProperty("jvrpc.shm.dir", file.toString());
        try {
            DeviceInfo bad = provider.list().get(0);
            assertFalse(bad.isReady());
            assertTrue(bad.state().contains("must be a folder"), bad.state());
        } finally {
            System.setProperty("jvrpc.shm.dir", folder);
        }
    }

    // ---- memory

    @Test
    void aRegionIsAsAskedFor() {
        MemoryRegion mr = pd.allocate(100, ALL);
        assertEquals(100, mr.length());
        assertEquals(ALL, mr.access());
        assertEquals(mr.lkey(), mr.rkey());
        assertNotEquals(0, mr.lkey());
        assertEquals(1, pd.allocate(1, 0).length());
        wrong("length=0", () -> pd.allocate(0, 0));
        wrong("access", () -> pd.allocate(1, 16));
        ByteBuffer direct = ByteBuffer.allocateDirect(64);
        MemoryRegion own = pd.register(direct, Access.LOCAL_WRITE);
        own.buffer(63, 1).put(0, (byte) 3);
        assertEquals(3, direct.get(63));
        assertNotEquals(0, own.address());
        wrong("direct=false", () -> pd.register(ByteBuffer.allocate(64), 0));
        wrong("readOnly=true", () -> pd.register(direct.asReadOnlyBuffer(), 0));
        wrong("access=4", () -> pd.register(direct, Access.REMOTE_READ));
        refused("cannot be reached by other processes", own::export);
    }

    @Test
    void aPartIsSharedWithAnotherDomainWithRightsThatTheRegionHas() {
        MemoryRegion mr = pd.allocate(4096, Access.LOCAL_WRITE | Access.REMOTE_READ);
        ProtectionDomain other = device.allocatePd();
        MemoryRegion part = other.share(mr, 96, 4000, Access.REMOTE_READ);
        assertEquals(mr.address() + 96, part.address());
        assertEquals(4000, part.length());
        assertEquals(Access.REMOTE_READ, part.access());
        part.buffer(0, 1).put(0, (byte) 7);
        assertEquals(7, mr.buffer(96, 1).get(0));
        assertTrue(part.export().length > 0, "it lies in the arena");
        wrong("is more than the region has", () -> other.share(mr, 0, 8, Access.LOCAL_WRITE | Access.REMOTE_WRITE));
        assertThrows(IndexOutOfBoundsException.class, () -> other.share(mr, 97, 4000, 0));
        MemoryRegion direct = pd.register(ByteBuffer.allocateDirect(64), Access.LOCAL_WRITE);
        MemoryRegion piece = other.share(direct, 0, 8, Access.LOCAL_WRITE);
        refused("cannot be reached", piece::export);
        try (SoftDevice stranger = (SoftDevice) ShmUnderTest.open()) {
            ProtectionDomain its = stranger.allocatePd();
            refused("region is of another device", () -> its.share(mr, 0, 8, 0));
        }
    }

    /** Returns true when the next regions of that size, of another domain, have the memory of one that was closed. */
    private boolean isUsedAgain(long address) {
        Set<Long> next = new HashSet<>();
        ProtectionDomain other = device.allocatePd();
        for (int i = 0; i < 4; i++) {
            next.add(other.allocate(LARGE, 0).address());
        }
        return next.contains(address);
    }

    @Test
    void memoryThatNobodyElseKnewIsUsedAgain() {
        MemoryRegion mr = pd.allocate(LARGE, ALL);
        long address = mr.address();
        mr.close();
        mr.close();
        assertTrue(isUsedAgain(address));
        refused("the region is closed", mr::export);
    }

    @Test
    void memoryThatWasExportedIsNeverUsedAgain() {
        MemoryRegion mr = pd.allocate(LARGE, ALL);
        long address = mr.address();
        byte[] exported = mr.export();
        assertArrayEquals(exported, mr.export());
        mr.close();
        assertFalse(isUsedAgain(address));
    }

    /** Makes a QP of a domain that a peer has claimed: its domain has a visitor. */
    private ShmEnd visited() {
        ShmEnd end = new ShmEnd(device, 4);
        ShmEnd peer = new ShmEnd(device, 4);
        byte[] endpoint = end.qp.endpoint();
        end.qp.connect(peer.qp.endpoint());
        peer.qp.connect(endpoint);
        return end;
    }

    @Test
    void memoryThatAPeerMayWriteToWaitsForThePeer() {
        for (int access : new int[] {Access.LOCAL_WRITE | Access.REMOTE_WRITE, Access.LOCAL_WRITE
                | Access.REMOTE_ATOMIC}) {
            ShmEnd end = visited();
            MemoryRegion mr = end.pd.allocate(LARGE, access);
            long address = mr.address();
            mr.close();
            assertFalse(isUsedAgain(address), "access=" + access);
        }
        MemoryRegion readable = visited().pd.allocate(LARGE, Access.LOCAL_WRITE | Access.REMOTE_READ);
        long address = readable.address();
        readable.close();
        assertTrue(isUsedAgain(address), "peers only read it");
    }

    @Test
    void memoryThatAReceiveNamesWaitsForThePeer() {
        ShmEnd end = visited();
        for (boolean named : new boolean[] {true, false}) {
            MemoryRegion mr = end.pd.allocate(LARGE, Access.LOCAL_WRITE);
            long address = mr.address();
            if (named) {
                end.qp.prepareReceive(ReceiveRequest.of(1, Sge.of(mr, 0, 8)))
                        .execute();
            }
            mr.close();
            assertEquals(!named, isUsedAgain(address), "named by a receive: " + named);
        }
    }

    @Test
    void memoryOfADomainWithASharedReceiveQueueWaitsForItsPeers() {
        ShmEnd end = visited();
        SharedReceiveQueue srq = end.pd.createSrq(new SharedReceiveQueueAttributes(4, 1));
        MemoryRegion mr = end.pd.allocate(LARGE, Access.LOCAL_WRITE);
        long address = mr.address();
        mr.close();
        assertFalse(isUsedAgain(address));
        srq.close();
        AddressHandle handle = end.pd.createAh(end.qp.endpoint());
        MemoryRegion next = end.pd.allocate(LARGE, Access.LOCAL_WRITE);
        address = next.address();
        next.close();
        assertTrue(isUsedAgain(address), "an address handle has no receives");
        handle.close();
    }

    @Test
    void memoryThatAnotherDomainSharesWaitsForThatDomainsPeersToo() {
        ShmEnd end = visited();
        MemoryRegion mr = pd.allocate(LARGE, Access.LOCAL_WRITE);
        long address = mr.address();
        end.pd.share(mr, 0, 64, 0).close();
        mr.close();
        assertFalse(isUsedAgain(address));
    }

    // ---- queues

    @Test
    void aRingThatIsLargerThanAWindowIsRefused() {
        refused("ring is too large: entries=8388608 cqeBytes=128",
                () -> device.createCq(new CompletionQueueAttributes(1 << 22, 128, false, true, null)));
    }

    @Test
    void queuesOfAnotherDeviceAndClosedOnesServeNoQp() {
        CompletionQueue cq = cq();
        CompletionQueue gone = cq();
        gone.close();
        refused("completion queue is closed or of another device, number=" + gone.number(),
                () -> pd.createQp(new QueuePairAttributes(cq, gone)));
        SharedReceiveQueue srq = pd.createSrq(new SharedReceiveQueueAttributes(4, 1));
        srq.close();
        refused("shared receive queue is closed or of another device, number=" + srq.number(),
                () -> pd.createQp(new QueuePairAttributes(cq, cq).sharedReceive(srq)));
        assertTrue(cq.number() != gone.number() && srq.number() != cq.number(), "numbers are given once");
        cq.close();
        pd.close();
    }

    @Test
    void aRefusedQpLeavesNothingBehind() {
        CompletionQueue plain = cq();
        CompletionQueue chained = device.createCq(CompletionQueueAttributes.ofChains(16));
        CompletionQueue exclusive = device.createCq(new CompletionQueueAttributes(16, 64, true, false, null));
        int before = slabs();
        for (int i = 0; i < 3; i++) {
            refused("cross-channel QPs have cross-channel CQs",
                    () -> pd.createQp(new QueuePairAttributes(plain, chained).depth(1 << 13, 1 << 13)));
            refused("cross-channel QPs have cross-channel CQs",
                    () -> pd.createQp(new QueuePairAttributes(chained, plain).depth(1 << 13, 1 << 13)));
            refused("an exclusive CQ has one producer",
                    () -> pd.createQp(new QueuePairAttributes(plain, exclusive).depth(1 << 12, 1 << 13).datagram(1)));
        }
        assertTrue(slabs() <= before + 1, "slabs: " + before + " became " + slabs());
        plain.close();
        chained.close();
        exclusive.close();
        pd.close();
    }

    private int slabs() {
        return device.folder().toFile().list().length;
    }

    @Test
    void whatDoesNotGoTogetherIsRefused() {
        CompletionQueue chained = device.createCq(CompletionQueueAttributes.ofChains(16));
        CompletionQueue cq = cq();
        SharedReceiveQueue srq = pd.createSrq(new SharedReceiveQueueAttributes(4, 1));
        refused("is an RC QP with receives of its own", () -> pd.createQp(
                new QueuePairAttributes(chained, chained).crossChannel(true).sharedReceive(srq)));
        refused("a datagram QP of this device has receives of its own: srq number=" + srq.number(),
                () -> pd.createQp(new QueuePairAttributes(cq, cq).datagram(1).sharedReceive(srq)));
    }

    @Test
    void aQpIsWhatItWasMadeWith() {
        CompletionQueue cq = cq();
        QueuePairAttributes attributes = new QueuePairAttributes(cq, cq).depth(4, 4);
        QueuePair qp = pd.createQp(attributes);
        SoftQueuePair soft = (SoftQueuePair) ((Mlx5QueuePair) qp).control();
        assertEquals(qp.number(), soft.number());
        assertSame(attributes, soft.attributes());
        assertSame(qp, soft.driver());
        assertFalse(soft.prefetches() || soft.isDatagram() || soft.isPeerDead());
        soft.peerDied();
        assertTrue(soft.isPeerDead());
        assertEquals(QueuePairState.ERR, qp.state());
        refused("protection domain is of another device", () -> {
            try (SoftDevice stranger = (SoftDevice) ShmUnderTest.open()) {
                soft.registerSendRing(stranger.allocatePd(), 0);
            }
        });
    }

    @Test
    void whoWaitsForAnyQueueOfADeviceIsWokenByThoseThatHaveNoSocket() {
        EventChannel channel = device.createChannel();
        device.createCq(CompletionQueueAttributes.ofDepth(16).withChannel(channel));
        cq(); // of no channel
        assertFalse(channel.await(0));
        device.wakeAll();
        assertTrue(channel.await(0));
    }

    @Test
    void aPeerIsTakenForDeadOnlyWhenItsSocketEndsWithoutAWord() {
        for (boolean says : new boolean[] {true, false}) {
            SoftDevice client = (SoftDevice) ShmUnderTest.open();
            ShmEnd active = new ShmEnd(client, 4);
            ShmEnd passive = new ShmEnd(device, 4);
            Listener listener = device.listen(SharedMemoryFolder.freshAddress(), passive.channel);
            Background<Connection> connector = Background.start("connector", () -> client.connect(
                    listener.address(), active.qp, new byte[0], active.channel, Deadline.BOUND_NS));
            assertTrue(passive.channel.await(Deadline.BOUND_NS), "nobody asked");
            Connection accepted = listener.poll().accept(passive.qp, new byte[0]);
            Connection connected = connector.join(60);
            if (says) {
                connected.close();
            }
            client.close(); // its threads may be at work: it says nothing of its QPs
            Deadline.until("the end", () -> {
                passive.channel.await(0);
                return !accepted.isConnected();
            });
            assertEquals(!says, ((SoftQueuePair) ((Mlx5QueuePair) passive.qp).control()).isPeerDead());
        }
    }

    // ---- address handles

    @Test
    void anEndpointThatIsNoDevicesHasNoAddressHandle() {
        refused("endpoint is too short", () -> pd.createAh(new byte[8]));
        byte[] bad = new byte[12];
        bad[9] = 'x';
        refused("endpoint names no device", () -> pd.createAh(bad));
        pd.close();
    }

    @Test
    void anAddressHandleIsOfItsDomainUntilItIsClosed() {
        QueuePair qp = pd.createQp(new QueuePairAttributes(cq(), cq()).datagram(1));
        qp.init();
        byte[] endpoint = qp.endpoint();
        qp.close();
        AddressHandle handle = pd.createAh(endpoint);
        refused("srqs and address handles=1", pd::close);
        handle.close();
        handle.close();
        pd.close();
        refused("protection domain is closed", () -> pd.createAh(endpoint));
    }

    // ---- the end

    @Test
    void aDomainInUseDoesNotEndAndOneThatEndedMakesNothing() {
        CompletionQueue cq = cq();
        MemoryRegion mr = pd.allocate(64, 0);
        refused("regions=1 qps=0 srqs and address handles=0", pd::close);
        SharedReceiveQueue srq = pd.createSrq(new SharedReceiveQueueAttributes(4, 1));
        mr.close();
        refused("regions=0 qps=0 srqs and address handles=1", pd::close);
        QueuePair qp = pd.createQp(new QueuePairAttributes(cq, cq).sharedReceive(srq));
        qp.close();
        QueuePair plain = pd.createQp(new QueuePairAttributes(cq, cq));
        srq.close();
        refused("regions=0 qps=1 srqs and address handles=0", pd::close);
        plain.close();
        assertEquals(1, device.domains());
        pd.close();
        pd.close();
        assertEquals(0, device.domains());
        List<Executable> makes = List.of(() -> pd.allocate(64, 0), () -> pd.chains(),
                () -> pd.register(ByteBuffer.allocateDirect(8), 0), () -> pd.createQp(new QueuePairAttributes(cq, cq)),
                () -> pd.createSrq(new SharedReceiveQueueAttributes(4, 1)));
        makes.forEach(make -> refused("protection domain is closed", make));
    }

    @Test
    void aClosedDeviceHasEndedAllThatItMadeAndMakesNothing() {
        EventChannel channel = device.createChannel();
        Listener listener = device.listen(SharedMemoryFolder.freshAddress(), channel);
        ShmEnd end = new ShmEnd(device, 4);
        SharedReceiveQueue srq = end.pd.createSrq(new SharedReceiveQueueAttributes(4, 1));
        QueuePair fed = pd.createQp(new QueuePairAttributes(end.sendCq, end.sendCq).sharedReceive(srq));
        AddressHandle handle = pd.createAh(end.qp.endpoint());
        byte[] exported = end.mr.export();
        pd.chains();
        device.close();
        device.close();
        assertEquals(QueuePairState.ERR, end.qp.state());
        assertEquals(QueuePairState.ERR, fed.state());
        refused("the region is closed", end.mr::export);
        refused("completion queue is closed", () -> device.own(end.sendCq));
        assertThrows(IllegalStateException.class, () -> srq.prepareReceive(ReceiveRequest.of(1)).execute());
        assertFalse(Files.exists(device.folder()), "left: " + device.folder());
        assertEquals(0, device.node().groups());
        assertThrows(IllegalStateException.class, () -> channel.await(0));
        List<Executable> makes = List.of(device::allocatePd, () -> device.attach(exported), device::createChannel,
                () -> device.createCq(CompletionQueueAttributes.ofDepth(4)),
                () -> device.listen(listener.address(), channel),
                () -> device.connect(listener.address(), end.qp, new byte[0], channel, 1));
        makes.forEach(make -> refused("device is closed, name=" + device.name(), make));
        for (AutoCloseable closed : List.of(end, srq, fed, handle, listener)) {
            assertTrue(closed != null);
        }
    }

    @Test
    void aChainIsLimitedToARateThatIsOne() {
        SoftChains chains = (SoftChains) pd.chains();
        assertSame(chains, pd.chains());
        chains.limitRate(1, 1);
        wrong("wqesPerSecond=0 burst=1", () -> chains.limitRate(0, 1));
        wrong("wqesPerSecond=1 burst=0", () -> chains.limitRate(1, 0));
        assertEquals(0, chains.executed());
        assertFalse(chains.prefetches() || chains.isCutOff());
        chains.cutOff();
        assertTrue(chains.isCutOff());
        assertEquals(1, device.node().groups());
        pd.close();
        assertEquals(0, device.node().groups());
    }
}
