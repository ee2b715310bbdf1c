package org.jvrpc.router.lane;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.router.RemoteConnection;
import org.jvrpc.router.peer.Peer;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.softrnic.queue.GatherList;
import org.jvrpc.testing.Waits;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.PostReceive;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.WorkCompletion;

/** What another router can do with a key of a tenant's memory, and what it offers that is none of its own. */
final class DirectLaneTest {

    private static final int OWN = 7;
    private static final int PEER = 70;
    private static final long EPOCH = 4; // lane 0
    private static final int FROM = 4096;
    private static final int BYTES = 64 << 10;

    private final Device device = Devices.open("roce://127.0.0.1:1");
    private final Device otherDevice = Devices.open("roce://127.0.0.2:1");
    private final ByteBuffer message = ByteBuffer.allocateDirect(Slots.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private final Slab slab = Slab.wrap(ByteBuffer.allocateDirect(2 * FROM + BYTES), 9);
    private final GatherList list = new GatherList();
    private final LaneSet.Strays table = new LaneSet.Strays() {
        @Override
        public RemoteQp find(int number, int peer, long epoch) {
            return number == OWN && epoch == EPOCH ? qp : null;
        }

        @Override
        public void stray() {
        }
    };
    private final Pair pair = new Pair(new Peer("west", 1, "", true), null);
    private final ProtectionDomain pd = otherDevice.allocatePd();
    private final CompletionQueue cq = otherDevice.createCq(CompletionQueueAttributes.ofDepth(1024));
    private final MemoryRegion region = pd.allocate(2 * BYTES, Access.LOCAL_WRITE);
    private final QueuePair[] peers = new QueuePair[Bulk.QPS];
    private final WorkCompletion wc = new WorkCompletion();
    private final Adopted adopted = new Adopted(device);
    private final Holder holder = new Holder();
    private LaneSet lanes;
    private PostReceive receive;
    private Watched local;
    private RemoteQp qp;

    @BeforeEach
    void connect() {
        lanes = new LaneSet(pair, device, device.createChannel(), table, null, adopted);
        for (int i = 0; i < lanes.qps(); i++) {
            QueuePair other = pd.createQp(new QueuePairAttributes(cq, cq).depth(16, 64));
            other.init();
            lanes.qp(i).connect(other.endpoint());
            other.connect(lanes.qp(i).endpoint());
            lanes.connected(i, null);
            if (i == 0) {
                receive = other.prepareReceive(ReceiveRequest.of(1, Sge.of(region, BYTES, Slots.BYTES)));
                receive.execute();
            } else if (i >= LaneSet.LANES) {
                peers[i - LaneSet.LANES] = other;
            }
        }
        pair.up(lanes);
        local = new Watched(new Random(1));
        local.always = WcStatus.SUCCESS;
        qp = new RemoteQp(new RemoteConnection("west", 1, OWN, PEER, EPOCH), pair, local, holder);
        list.add(slab, slab.base() + FROM, BYTES);
        for (int i = 0; i < BYTES; i++) {
            slab.window(slab.base()).put(FROM + i, (byte) (i * 7));
        }
    }

    @AfterEach
    void end() {
        lanes.close();
        device.close();
        otherDevice.close();
    }

    private void offer() {
        LaneRig.Work work = new LaneRig.Work(Wqe.SEND, list, BYTES);
        assertEquals(BYTES, qp.mostDirect(work, 0));
        assertTrue(qp.send(work, 0, BYTES));
        awaitMessage(LaneHeader.OFFER);
    }

    /** Has the next message at hand that this end says. */
    private void awaitMessage(int kind) {
        awaitOther();
        assertTrue(wc.succeeded());
        message.put(0, region.buffer(BYTES, Slots.BYTES), 0, Slots.BYTES);
        assertEquals(kind, LaneHeader.kind(message, 0));
        receive.execute();
    }

    private void awaitOther() {
        Waits.until("the other end", () -> {
            assertTrue(lanes.poll(System.nanoTime()) >= 0, "the lanes failed");
            return cq.poll(wc);
        });
    }

    private WcStatus read(int by, long from, int bytes, int key) {
        peers[by].prepareSend(SendRequest.read(2, from, key, Sge.of(region, 0, bytes)).signalled()).execute();
        awaitOther();
        return wc.status();
    }

    private String say(int kind, int sequence, int came) {
        LaneHeader.begin(message, 0, kind, OWN, PEER, EPOCH, sequence);
        LaneHeader.came(message, 0, came);
        return lanes.take(lanes.number(0), message, 0, LaneHeader.BYTES, System.nanoTime());
    }

    @Test
    void whatIsOfferedCanBeReadUntilItIsAcknowledgedAndNotAgain() {
        offer();
        long from = LaneHeader.offeredAddress(message, 0);
        int key = LaneHeader.offeredKey(message, 0);
        assertEquals(WcStatus.SUCCESS, read(0, from, BYTES, key));
        for (int i = 0; i < BYTES; i++) {
            assertEquals((byte) (i * 7), region.buffer(i, 1).get(0), "at " + i);
        }
        assertNull(say(LaneHeader.ACK, 0, 1));
        assertEquals(1, local.completed);
        assertEquals(WcStatus.REM_ACCESS_ERR, read(0, from, BYTES, key));
    }

    @ParameterizedTest
    @CsvSource({"-1,65536,0", "1,65536,0", "65536,1,0", "0,65536,1", "0,65536,256", "0,1,-256"})
    void whatIsNotOfferedCannotBeRead(int offset, int bytes, int otherKey) {
        offer();
        assertEquals(WcStatus.REM_ACCESS_ERR, read(0, LaneHeader.offeredAddress(message, 0) + offset, bytes,
                LaneHeader.offeredKey(message, 0) + otherKey));
    }

    @Test
    void nobodyWritesToWhatIsOffered() {
        offer();
        peers[0].prepareSend(SendRequest.write(2, LaneHeader.offeredAddress(message, 0),
                LaneHeader.offeredKey(message, 0), Sge.of(region, 0, 8)).signalled()).execute();
        awaitOther();
        assertEquals(WcStatus.REM_ACCESS_ERR, wc.status());
        assertEquals((byte) 7, slab.window(slab.base()).get(FROM + 1));
    }

    @Test
    void whatItsOwnerTookBackCannotBeRead() {
        offer();
        lanes.bulk().revoke(slab, slab.base() + FROM + BYTES - 1, 10);
        assertEquals(WcStatus.REM_ACCESS_ERR,
                read(0, LaneHeader.offeredAddress(message, 0), BYTES, LaneHeader.offeredKey(message, 0)));
        assertEquals(0, qp.mostDirect(new LaneRig.Work(Wqe.SEND, list, BYTES), 0), "it costs others the way");
        long from = LaneHeader.offeredAddress(message, 0);
        assertNull(say(LaneHeader.REDO, 0, 0));
        assertEquals(1, local.went);
        assertEquals(0, local.completed);
        assertEquals(WcStatus.REM_ACCESS_ERR, read(1, from, BYTES, LaneHeader.offeredKey(message, 0)));
    }

    @Test
    void aPeerThatNeverSaysThatItReadIsGivenUpWithItsKey() {
        offer();
        assertTrue(qp.endSilent(System.nanoTime() + 2 * RemoteQp.SILENCE_NS));
        assertEquals(1, local.completed);
        assertEquals(WcStatus.REM_ACCESS_ERR,
                read(0, LaneHeader.offeredAddress(message, 0), BYTES, LaneHeader.offeredKey(message, 0)));
    }

    @Test
    void wordOfWhatWasNotOfferedIsAFault() {
        assertNotNull(say(LaneHeader.GRANT, 0, 0));
        assertNotNull(say(LaneHeader.REDO, 0, 0));
        assertNotNull(say(LaneHeader.DONE, 0, 0));
        offer();
        assertNotNull(say(LaneHeader.GRANT, 0, 0), "of what was not asked for");
        assertNotNull(say(LaneHeader.REDO, 2, 0), "of what was not sent");
        assertEquals(0, local.completed + local.went);
    }

    private String takeOffer(int sequence, int key, int bytes) {
        LaneHeader.begin(message, 0, LaneHeader.OFFER, OWN, PEER, EPOCH, sequence);
        LaneHeader.opcode(message, 0, Wqe.RDMA_WRITE);
        LaneHeader.part(message, 0, bytes, 0);
        LaneHeader.length(message, 0, LaneHeader.OFFER_BYTES);
        LaneHeader.offer(message, 0, region.address(), key, bytes);
        return lanes.take(lanes.number(0), message, 0, LaneHeader.BYTES + LaneHeader.OFFER_BYTES, System.nanoTime());
    }

    @Test
    void anOfferOfWhatCannotBeReadComesAgainByCopiesAndTheNextOneGoesByAnotherQp() {
        local.target = slab;
        assertNull(takeOffer(0, 0x12345, BYTES));
        assertNotNull(takeOffer(0, 0x12345, BYTES), "another while it is under way");
        awaitMessage(LaneHeader.REDO);
        MemoryRegion good = pd.allocate(BYTES, Access.LOCAL_WRITE | Access.REMOTE_READ);
        good.buffer(0, BYTES).put(0, (byte) 99);
        LaneHeader.begin(message, 0, LaneHeader.OFFER, OWN, PEER, EPOCH, 0);
        LaneHeader.opcode(message, 0, Wqe.RDMA_WRITE);
        LaneHeader.part(message, 0, BYTES, 0);
        LaneHeader.length(message, 0, LaneHeader.OFFER_BYTES);
        LaneHeader.offer(message, 0, good.address(), good.rkey(), BYTES);
        assertNull(lanes.take(lanes.number(0), message, 0, LaneHeader.BYTES + LaneHeader.OFFER_BYTES,
                System.nanoTime()));
        awaitMessage(LaneHeader.ACK);
        assertEquals(99, slab.window(slab.base()).get(0));
        assertEquals(BYTES, adopted.moved());
    }

    @Test
    void anOfferThatIsNotReadInTimeComesAgainByCopies() {
        local.target = slab;
        assertNull(takeOffer(0, 0x12345, BYTES));
        assertEquals(1, lanes.bulk().endLate(System.nanoTime() + 60_000_000_000L));
        awaitMessage(LaneHeader.REDO);
    }

    @ParameterizedTest
    @CsvSource({"100", "1048577", "-5"})
    void anOfferOfALengthThatNoneHasIsAFault(int bytes) {
        assertNotNull(takeOffer(0, 0x12345, bytes));
    }

    @Test
    void aConnectionThatEndsTakesNothingOfWhatIsUnderWay() {
        local.target = slab;
        MemoryRegion good = pd.allocate(BYTES, Access.LOCAL_WRITE | Access.REMOTE_READ);
        for (int i = 0; i < BYTES; i++) {
            good.buffer(i, 1).put(0, (byte) 1);
        }
        assertNull(takeOffer(0, good.rkey(), BYTES));
        qp.halt();
        byte[] then = new byte[BYTES];
        slab.window(slab.base()).get(0, then);
        for (int i = 0; i < 1000; i++) {
            assertTrue(lanes.poll(System.nanoTime()) >= 0);
            assertFalse(cq.poll(wc));
        }
        byte[] later = new byte[BYTES];
        slab.window(slab.base()).get(0, later);
        assertArrayEquals(then, later);
        assertEquals(0, adopted.moved());
    }
}
