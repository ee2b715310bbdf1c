package org.jvrpc.offload.lookup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.offload.Prefetching;
import org.jvrpc.offload.table.Bucket;
import org.jvrpc.testing.Holdings;
import org.jvrpc.testing.SharedMemoryFolder;
import org.jvrpc.testing.Waits;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.ConnectionException;
import org.jvrpc.verbs.ConnectionRequest;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.Listener;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.VerbsException;

/** How clients of a host come, are told what is wrong, and go. */
final class OffloadClientTest {

    private static final long LIMIT_NS = Waits.limitNs();
    private static final long KEY = 7;
    private static final int BYTES = 4096;
    private static final int VALUE = 1024;

    private final String address = SharedMemoryFolder.freshAddress();
    private final Device hostDevice = Devices.open("shm://any");
    private final Device clientDevice = Devices.open("shm://any");
    private final EventChannel channel = clientDevice.createChannel();
    private final MemoryRegion data =
            hostDevice.allocatePd().allocate(BYTES, Access.LOCAL_WRITE | Access.REMOTE_READ);
    private final ByteBuffer table = data.buffer(0, BYTES);
    private final OffloadHost host = new OffloadHost(hostDevice, address);

    OffloadClientTest() {
        table.putLong(VALUE, 1).putLong(VALUE + 8, 77);
        Bucket.clear(table, 0);
        Bucket.publish(table, Bucket.BYTES, KEY, data.address() + VALUE, 16);
    }

    @AfterEach
    void close() {
        host.close();
        clientDevice.close();
        hostDevice.close();
    }

    private void offer(String name, Offer.Rearm rearm, long wqesPerSecond, int burst) {
        host.offer(new Offer(name, LookupKind.HASH_GET, data, 64, rearm, wqesPerSecond, burst));
    }

    private void offer(String name) {
        offer(name, Offer.Rearm.RECYCLED, Long.MAX_VALUE, Integer.MAX_VALUE);
    }

    private OffloadClient connect(String name) {
        return OffloadClient.connect(clientDevice, address, name, 64, channel, LIMIT_NS);
    }

    private Outcome get(OffloadClient client, long timeoutNs) {
        return client.hashGet(Bucket.image(KEY), data.address(), data.address() + Bucket.BYTES, timeoutNs);
    }

    private void awaitClients(int count) {
        Waits.until("the host to have so many clients: " + count, () -> host.clients().size() == count, host::clients);
    }

    private void awaitBroken(OffloadClient client) {
        Waits.until("the client to notice", () -> {
            channel.await(0);
            return client.isBroken();
        }, client::describe);
    }

    private static String refusal(ConnectionException e) {
        assertEquals(ConnectionException.Reason.REJECTED, e.reason());
        return new String(e.privateData(), StandardCharsets.UTF_8);
    }

    private QueuePair queuePair(Device device) {
        CompletionQueue cq = device.createCq(CompletionQueueAttributes.ofDepth(4));
        QueuePair qp = device.allocatePd().createQp(new QueuePairAttributes(cq, cq).depth(4, 1));
        qp.init();
        return qp;
    }

    @Test
    void aClientKnowsWhatTheHostOffers() {
        offer("a");
        OffloadClient client = connect("a");
        awaitClients(1);
        assertEquals(LookupKind.HASH_GET, client.kind());
        assertEquals(data.address() + 64, client.header());
        assertNotEquals(0, client.rkey());
        assertEquals("a", host.clients().get(0).offer().name());
        assertEquals("qp=RTS connected=true failure=SUCCESS", client.describe());
        assertFalse(client.isBroken());
    }

    @Test
    void aLookupThatIsNotOfferedIsRefusedWithThoseThatAre() {
        offer("a");
        ConnectionException e = assertThrows(ConnectionException.class, () -> connect("b"));
        assertEquals("no lookup name=b here; lookups=[a]", refusal(e));
    }

    @Test
    void whoIsNoClientOfLookupsIsRefused() {
        ConnectionException e = assertThrows(ConnectionException.class, () -> clientDevice.connect(
                address, queuePair(clientDevice), new byte[] {1, 2, 3}, channel, LIMIT_NS));
        assertEquals("not a client of lookups, or of another version", refusal(e));
    }

    @Test
    void whatIsNoHostOfLookupsIsNotTakenForOne() throws InterruptedException {
        String other = SharedMemoryFolder.freshAddress();
        EventChannel arrivals = hostDevice.createChannel();
        Listener listener = hostDevice.listen(other, arrivals);
        Thread server = new Thread(() -> {
            ConnectionRequest request = listener.poll();
            while (request == null) {
                arrivals.await(LIMIT_NS);
                request = listener.poll();
            }
            request.accept(queuePair(hostDevice), new byte[] {1, 2, 3});
        });
        server.start();
        ConnectionException e = assertThrows(ConnectionException.class, () ->
                OffloadClient.connect(clientDevice, other, "a", 64, channel, LIMIT_NS));
        server.join();
        listener.close();
        assertEquals(ConnectionException.Reason.VERSION, e.reason());
    }

    @Test
    void aRefusalIsNoLongerThanPrivateDataMayBe() {
        for (int i = 0; i < 10; i++) {
            offer("x".repeat(200) + i);
        }
        ConnectionException e = assertThrows(ConnectionException.class, () -> connect("b"));
        assertEquals(Device.MAX_PRIVATE_BYTES, e.privateData().length);
        assertTrue(refusal(e).startsWith("no lookup name=b here"), refusal(e));
    }

    @Test
    void theThreadOfAHostKeepsNoProcessAlive() throws InterruptedException {
        String other = SharedMemoryFolder.freshAddress();
        OffloadHost[] made = new OffloadHost[1];
        Thread maker = new Thread(() -> made[0] = new OffloadHost(hostDevice, other));
        maker.setDaemon(false); // as that of a program, and not as a runner of tests may have them
        maker.start();
        maker.join();
        String name = "jvrpc-offload-" + other.substring("shm://".length());
        List<Boolean> daemons = Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(name)).map(Thread::isDaemon).toList();
        made[0].close();
        assertEquals(List.of(true), daemons);
    }

    @Test
    void aClientWhoseMemoryHasNoRoomForAWordIsRefused() {
        offer("a");
        byte[] hello = new LookupHello.Request(64, LookupHello.ANSWER + 7, 1, "a").encode();
        ConnectionException e = assertThrows(ConnectionException.class, () -> clientDevice.connect(
                address, queuePair(clientDevice), hello, channel, LIMIT_NS));
        assertTrue(refusal(e).startsWith("the host cannot serve another client"), refusal(e));
    }

    /** Leaves a device room for so many memory regions more. */
    static void fill(Device device, int room) {
        ProtectionDomain pd = device.allocatePd();
        Deque<MemoryRegion> regions = new ArrayDeque<>();
        assertThrows(VerbsException.class, () -> {
            while (true) {
                regions.add(pd.allocate(64, Access.LOCAL_WRITE));
            }
        });
        for (int i = 0; i < room; i++) {
            regions.remove().close();
        }
    }

    @Test
    void whoWasRefusedKeepsNothing() {
        fill(clientDevice, 2);
        for (int i = 0; i < 3; i++) {
            assertThrows(ConnectionException.class, () -> connect("a"), "attempt " + i);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aHostGetsEverythingBack(Offer.Rearm rearm) {
        offer("a", rearm, Long.MAX_VALUE, Integer.MAX_VALUE);
        fill(hostDevice, 20);
        for (int i = 0; i < 20; i++) {
            connect("a").close();
            awaitClients(0);
        }
    }

    @Test
    void aHostKeepsNothingForWhomItCannotServe() {
        host.offer(new Offer("a", LookupKind.ARRAY_SEARCH, data, 0));
        fill(hostDevice, 20);
        Prefetching.begin();
        try {
            for (int i = 0; i < 20; i++) {
                String why = refusal(assertThrows(ConnectionException.class, () -> connect("a")));
                assertTrue(why.contains("prefetches"), why);
            }
        } finally {
            Prefetching.end();
        }
    }

    @Test
    void aHostWithoutRoomRefusesUntilThereIsSome() {
        offer("a");
        MemoryRegion room = hostDevice.allocatePd().allocate(64, Access.LOCAL_WRITE);
        fill(hostDevice, 3);
        for (int i = 0; i < 3; i++) {
            String why = refusal(assertThrows(ConnectionException.class, () -> connect("a")));
            assertTrue(why.startsWith("the host cannot serve another client: reg_mr:"), why);
        }
        room.close();
        assertEquals(Outcome.FOUND, get(connect("a"), LIMIT_NS));
    }

    @Test
    void anAnswerHasAtLeastEightBytes() {
        offer("a");
        assertThrows(IllegalArgumentException.class,
                () -> OffloadClient.connect(clientDevice, address, "a", 7, channel, LIMIT_NS));
        assertEquals(8, OffloadClient.connect(clientDevice, address, "a", 8, channel, LIMIT_NS).answer().capacity());
    }

    @Test
    void anAddressThatIsTakenIsNoHostsTwice() {
        assertEquals(address, host.address());
        assertThrows(VerbsException.class, () -> new OffloadHost(hostDevice, address));
        host.close();
        new OffloadHost(hostDevice, address).close();
    }

    @Test
    void aHostThatEndsOrCannotBeginKeepsNoDescriptors() {
        int before = Holdings.now().descriptors();
        assertThrows(VerbsException.class, () -> new OffloadHost(hostDevice, address)); // tries about 100 times
        for (int i = 0; i < 50; i++) {
            assertThrows(IllegalArgumentException.class, () -> new OffloadHost(hostDevice, "shm://no address"));
        }
        int refused = Holdings.now().descriptors();
        assertTrue(refused - before < 50, () -> "of those that could not begin are left: " + (refused - before));
        String other = SharedMemoryFolder.freshAddress();
        for (int i = 0; i < 50; i++) {
            new OffloadHost(hostDevice, other).close();
        }
        int ended = Holdings.now().descriptors();
        assertTrue(ended - refused < 50, () -> "of those that ended are left: " + (ended - refused));
    }

    @ParameterizedTest
    @EnumSource
    void whoUsesWhatIsWithdrawnIsCutOffAndNobodyElse(Offer.Rearm rearm) {
        offer("a", rearm, Long.MAX_VALUE, Integer.MAX_VALUE);
        offer("b", rearm, Long.MAX_VALUE, Integer.MAX_VALUE);
        OffloadClient gone = connect("a");
        OffloadClient stays = connect("b");
        host.withdraw("a");
        awaitClients(1);
        awaitBroken(gone);
        assertEquals(Outcome.BROKEN, get(gone, LIMIT_NS));
        assertEquals(Outcome.FOUND, get(stays, LIMIT_NS));
        assertThrows(ConnectionException.class, () -> connect("a"));
    }

    @Test
    void anOfferThatIsReplacedStaysForThoseWhoHaveIt() {
        offer("a");
        OffloadClient before = connect("a");
        host.offer(new Offer("a", LookupKind.HASH_GET_PARALLEL, data, 0));
        assertEquals(LookupKind.HASH_GET_PARALLEL, connect("a").kind());
        assertEquals(Outcome.FOUND, get(before, LIMIT_NS));
    }

    @ParameterizedTest
    @EnumSource
    void aClientThatGoesIsTakenAway(Offer.Rearm rearm) {
        offer("a", rearm, Long.MAX_VALUE, Integer.MAX_VALUE);
        OffloadClient client = connect("a");
        assertEquals(Outcome.FOUND, get(client, LIMIT_NS));
        awaitClients(1);
        client.close();
        client.close();
        awaitClients(0);
    }

    @Test
    void aHostThatClosesLeavesItsClientsBroken() {
        offer("a");
        OffloadClient client = connect("a");
        host.close();
        awaitBroken(client);
        assertEquals(Outcome.BROKEN, get(client, LIMIT_NS));
        assertEquals(List.of(), host.clients());
    }

    /** A lap takes a third of a second: it begins at once, and is not through in a nanosecond. */
    @ParameterizedTest
    @EnumSource
    void aLookupThatDoesNotEndInTimeIsUnfinishedUntilItHas(Offer.Rearm rearm) {
        offer("a", rearm, 50, 1);
        OffloadClient client = connect("a");
        assertEquals(Outcome.UNFINISHED, get(client, 1));
        assertEquals(Outcome.UNFINISHED, get(client, LIMIT_NS), "it may still write");
        Waits.until("the lookup to end", () -> get(client, LIMIT_NS) == Outcome.FOUND, client::describe);
        assertEquals(77, client.answer().getLong(8));
        assertEquals(Bucket.image(KEY), client.request().getLong(client.requestOffset()));
        assertTrue(host.clients().get(0).executed() > 10, host.clients()::toString);
    }

    @Test
    void aReadBringsTheHostsData() {
        offer("a");
        OffloadClient client = connect("a");
        int at = client.read(data.address() + VALUE + 8, 8);
        assertEquals(77, client.request().getLong(at));
    }

    @Test
    void aReadOutsideTheHostsDataEndsTheConnection() {
        offer("a");
        OffloadClient client = connect("a");
        assertEquals(-1, client.read(data.address() + BYTES - 4, 8));
        assertEquals(Outcome.BROKEN, get(client, LIMIT_NS));
        assertEquals(-1, client.read(data.address(), 8));
        assertTrue(client.describe().endsWith(" failure=REM_ACCESS_ERR"), client.describe());
    }

    @Test
    void aChainOfReadsBringsEachPieceToItsPlace() {
        offer("a");
        ReadChain reads = connect("a").reads(3, 16);
        assertEquals(3, reads.most());
        reads.begin(2);
        reads.piece(0, data.address() + VALUE + 8, 8);
        reads.piece(1, data.address() + VALUE, 16);
        assertTrue(reads.run());
        assertEquals(77, reads.bytes().getLong(reads.at(0)));
        assertEquals(1, reads.bytes().getLong(reads.at(1)));
        assertEquals(77, reads.bytes().getLong(reads.at(1) + 8));
        assertEquals(48, reads.bytes().capacity());
    }

    @Test
    void aChainWithAPieceOutsideTheHostsDataIsNotThere() {
        offer("a");
        ReadChain reads = connect("a").reads(2, 8);
        reads.begin(2);
        reads.piece(0, data.address() + BYTES, 8);
        reads.piece(1, data.address(), 8);
        assertFalse(reads.run());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 65})
    void aChainOfNoOrMoreThan64ReadsIsRefused(int most) {
        offer("a");
        OffloadClient client = connect("a");
        assertThrows(IllegalArgumentException.class, () -> client.reads(most, 8));
    }

    @Test
    void aPieceHasOneByteToWhatTheChainWasMadeFor() {
        offer("a");
        ReadChain reads = connect("a").reads(64, 8);
        reads.begin(1);
        reads.piece(0, data.address() + VALUE + 8, 1);
        assertTrue(reads.run());
        assertEquals(77, reads.bytes().get(0));
        assertThrows(IllegalArgumentException.class, () -> reads.piece(0, data.address(), 0));
        assertThrows(IllegalArgumentException.class, () -> reads.piece(0, data.address(), 9));
    }
}
