package org.jvrpc.router.lane;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.router.RemoteConnection;
import org.jvrpc.router.RemoteWork;
import org.jvrpc.router.peer.Peer;
import org.jvrpc.softrnic.queue.GatherList;
import org.jvrpc.testing.Waits;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.PostReceive;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.WorkCompletion;

/** What another router may send that it should not: messages are handed to one end of lanes whose other is silent. */
final class HostileLaneTest {

    private static final int OWN = 7;
    private static final int PEER = 70;
    private static final long EPOCH = 0x123456789abcdefL;
    private static final int MESSAGES = 20_000;

    private final Device device = Devices.open("roce://127.0.0.1:1");
    private final Device otherDevice = Devices.open("roce://127.0.0.2:1");
    private final EventChannel events = device.createChannel();
    private final ByteBuffer message = ByteBuffer.allocateDirect(Slots.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private final LaneSet.Strays table = new LaneSet.Strays() {
        @Override
        public RemoteQp find(int number, int peer, long epoch) {
            return number == OWN && peer == PEER && epoch == EPOCH ? qp : null;
        }

        @Override
        public void stray() {
            strays++;
        }

        @Override
        public boolean datagram(Pair from, ByteBuffer m, int at, int length) {
            return datagrams.take(from, m, at, length);
        }
    };
    private final Pair pair = new Pair(new Peer("west", 1, "", true), null);
    private final Datagrams datagrams = new Datagrams();
    private LaneSet lanes;
    private final ProtectionDomain pd = otherDevice.allocatePd();
    private final CompletionQueue cq = otherDevice.createCq(CompletionQueueAttributes.ofDepth(4096));
    private final MemoryRegion region = pd.allocate(Slots.BYTES, Access.LOCAL_WRITE);
    private final PostReceive[] receives = new PostReceive[LaneSet.LANES];
    private final WorkCompletion wc = new WorkCompletion();
    private Watched local;
    private RemoteQp qp;
    private int strays;

    @BeforeEach
    void connect() {
        lanes = new LaneSet(pair, device, events, table, null, new Adopted(device));
        for (int i = 0; i < LaneSet.LANES; i++) {
            QueuePair other = pd.createQp(new QueuePairAttributes(cq, cq).depth(16, 256));
            other.init();
            lanes.number(i).qp().connect(other.endpoint());
            other.connect(lanes.number(i).qp().endpoint());
            lanes.number(i).connected(null);
            receives[i] = other.prepareReceive(ReceiveRequest.of(i, Sge.of(region, 0, Slots.BYTES)));
            for (int k = 0; k < 256; k++) {
                receives[i].execute();
            }
        }
        pair.up(lanes);
        begin(new Random(1));
    }

    @AfterEach
    void end() {
        lanes.close();
        device.close();
        otherDevice.close();
    }

    private void begin(Random random) {
        local = new Watched(random);
        qp = new RemoteQp(new RemoteConnection("west", 1, OWN, PEER, EPOCH), pair, local, new Holder());
    }

    private String take(int bytes) {
        return lanes.take(lanes.number(0), message, 0, bytes, System.nanoTime());
    }

    private void header(int kind, int sequence) {
        LaneHeader.begin(message, 0, kind, OWN, PEER, EPOCH, sequence);
    }

    private void data(int opcode, int sequence, int bytes, int total, int skip) {
        header(LaneHeader.DATA, sequence);
        LaneHeader.opcode(message, 0, opcode);
        LaneHeader.length(message, 0, bytes);
        LaneHeader.part(message, 0, total, skip);
    }

    /** Has all that was said leave, but for what the next message tells of. */
    private void drain() {
        Waits.until("what was said to leave", () -> {
            turn();
            return lanes.slots().free() > Slots.COUNT - 2 * 8;
        });
    }

    private void turn() {
        assertTrue(lanes.poll(System.nanoTime()) >= 0, "the lane failed");
        while (cq.poll(wc)) {
            receives[(int) wc.wrId()].execute();
        }
    }

    /** A message of the tenant's that goes out, so that there is something to answer. */
    record Work(int opcode, GatherList data, long total) implements RemoteWork {

        @Override
        public boolean isSignalled() {
            return true;
        }

        @Override
        public int immediate() {
            return 0;
        }

        @Override
        public long remoteAddress() {
            return 0;
        }

        @Override
        public int rkey() {
            return 0;
        }

        @Override
        public long operand(int i) {
            return 0;
        }
    }

    private void random(Random random) {
        for (int i = 0; i < 64; i++) {
            message.putLong(8 * i, random.nextLong());
        }
        if (random.nextInt(20) > 0) {
            boolean direct = random.nextInt(4) == 0;
            header(direct ? LaneHeader.OFFER + random.nextInt(5) : 1 + random.nextInt(7), random.nextInt(50) - 10);
            LaneHeader.opcode(message, 0, random.nextInt(24));
            LaneHeader.length(message, 0, direct ? 16 * random.nextInt(2) : random.nextInt(3) * random.nextInt(400));
            LaneHeader.offer(message, 0, random.nextLong(), random.nextInt(), random.nextInt(100_000));
            LaneHeader.flags(message, 0, random.nextInt(4));
            LaneHeader.part(message, 0, random.nextInt(direct ? 200_000 : 500),
                    random.nextInt(3) == 0 ? random.nextInt() : 0);
            LaneHeader.came(message, 0, random.nextInt(4) - 1);
        }
        if (random.nextInt(4) == 0) {
            int at = 4 * random.nextInt(16);
            message.putInt(at, random.nextBoolean() ? random.nextInt() : Integer.MIN_VALUE >> random.nextInt(32));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void whateverComesNothingIsExecutedThatIsOutOfBoundsAndNoMemoryIsLost(long seed) {
        Random random = new Random(seed);
        int wrong = 0;
        for (int i = 0; i < MESSAGES; i++) {
            if (i % 50 == 0) {
                qp.end(); // as a fault ends it
                drain();
                begin(random);
            }
            if (random.nextInt(10) == 0) {
                int opcode = random.nextBoolean() ? Wqe.SEND : random.nextBoolean() ? Wqe.RDMA_READ : Wqe.ATOMIC_FA;
                qp.send(new Work(opcode, new GatherList(), opcode == Wqe.SEND ? 0 : 8), 0, opcode == Wqe.SEND ? 0 : 8);
            }
            random(random);
            int length = random.nextInt(5) == 0
                    ? random.nextInt(600)
                    : LaneHeader.BYTES + LaneHeader.length(message, 0);
            wrong += take(Math.max(0, Math.min(Slots.BYTES, length))) == null ? 0 : 1;
            turn();
        }
        qp.end();
        drain();
        assertTrue(wrong > MESSAGES / 10 && wrong < MESSAGES, "wrong=" + wrong + " seed=" + seed);
    }

    @Test
    void aMessageOfAnotherEpochIsDroppedAndCounted() {
        data(Wqe.SEND, 0, 10, 10, 0);
        message.putLong(16, EPOCH + 1);
        assertNull(take(LaneHeader.BYTES + 10));
        assertEquals(1, strays);
        assertEquals(0, local.arrived);
    }

    @Test
    void aMessageIsExecutedOnce() {
        local.always = WcStatus.SUCCESS;
        data(Wqe.SEND, 0, 10, 10, 0);
        assertNull(take(LaneHeader.BYTES + 10));
        assertNotNull(take(LaneHeader.BYTES + 10), "it came twice");
        assertEquals(1, local.arrived);
    }

    @Test
    void wordOfWhatWasNeverSentIsAFault() {
        header(LaneHeader.ACK, 0);
        LaneHeader.came(message, 0, 1);
        assertNotNull(take(LaneHeader.BYTES));
        assertEquals(0, local.completed);
    }

    @Test
    void aReadIsNotCompleteWithoutItsBytes() {
        assertTrue(qp.send(new Work(Wqe.RDMA_READ, new GatherList(), 8), 0, 8));
        header(LaneHeader.ACK, 0);
        LaneHeader.came(message, 0, 1);
        assertNotNull(take(LaneHeader.BYTES));
        header(LaneHeader.ANSWER, 0);
        LaneHeader.length(message, 0, 9);
        assertNotNull(take(LaneHeader.BYTES + 9));
        assertEquals(0, local.completed);
    }

    @Test
    void aPieceThatDoesNotFollowIsAFault() {
        local.always = WcStatus.SUCCESS;
        data(Wqe.SEND, 0, 10, 100, 0);
        assertNull(take(LaneHeader.BYTES + 10));
        data(Wqe.SEND, 1, 10, 100, 20);
        assertNotNull(take(LaneHeader.BYTES + 10));
        data(Wqe.SEND, 1, 10, 200, 10);
        assertNotNull(take(LaneHeader.BYTES + 10));
        data(Wqe.RDMA_WRITE, 1, 10, 100, 10);
        assertNotNull(take(LaneHeader.BYTES + 10));
        assertEquals(1, local.arrived);
    }

    @Test
    void aTenantHoldsNoMoreThanItsShareOfThePairsMemory() {
        Holder greedy = new Holder();
        List<RemoteQp> qps = new ArrayList<>();
        int sent = 0;
        for (int i = 0; i < 40; i++) { // by all lanes
            RemoteQp one = new RemoteQp(new RemoteConnection("west", 1, OWN, PEER, i), pair, local, greedy);
            qps.add(one);
            while (one.send(new Work(Wqe.SEND, new GatherList(), 0), 0, 0)) {
                sent++;
                turn();
            }
        }
        assertTrue(sent >= 2 * RemoteQp.WINDOW && sent <= Slots.COUNT / 2, "sent=" + sent);
        assertTrue(qp.send(new Work(Wqe.SEND, new GatherList(), 0), 0, 0), "another has no room");
        qps.forEach(RemoteQp::end);
        qp.end();
        drain();
    }

    @Test
    void aPeerThatDoesNotAnswerIsGivenUp() {
        assertTrue(qp.send(new Work(Wqe.SEND, new GatherList(), 0), 0, 0));
        long nowNs = System.nanoTime();
        assertFalse(qp.endSilent(nowNs + RemoteQp.SILENCE_NS / 2));
        assertTrue(lanes.nextNs(nowNs + RemoteQp.SILENCE_NS) < RemoteQp.SILENCE_NS, "nobody looks");
        assertTrue(qp.endSilent(nowNs + 2 * RemoteQp.SILENCE_NS), "it is waited for");
        assertEquals(1, local.completed);
    }

    @Test
    void aSealedMessageIsOpenedInItsPlaceOnly() {
        byte[] key = new byte[LaneProof.KEY_BYTES];
        Seal seals = new Seal(key, 1, true, true);
        ByteBuffer sealed = ByteBuffer.allocateDirect(Slots.BYTES);
        ByteBuffer opened = ByteBuffer.allocateDirect(Slots.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        data(Wqe.SEND, 0, 10, 10, 0);
        message.put(LaneHeader.BYTES, (byte) 77);
        int bytes = seals.seal(message, 0, LaneHeader.BYTES + 10, sealed, 0);
        assertFalse(sealed.get(LaneHeader.BYTES) == 77 && sealed.get(LaneHeader.BYTES + 1) == 0, "it can be read");
        assertFalse(new Seal(key, 2, true, false).open(sealed, 0, bytes, opened, 0), "of another lane");
        assertFalse(new Seal(key, 1, false, false).open(sealed, 0, bytes, opened, 0), "sent back");
        assertFalse(new Seal(key, 1, true, false).open(sealed, 0, bytes - 1, opened, 0), "cut");
        assertFalse(new Seal(key, 1, true, false).open(sealed, 0, 20, opened, 0), "cut short");
        Seal opens = new Seal(key, 1, true, false);
        assertTrue(opens.open(sealed, 0, bytes, opened, 0));
        assertEquals(77, opened.get(LaneHeader.BYTES));
        assertFalse(opens.open(sealed, 0, bytes, opened, 0), "again");
        for (int i = 0; i < bytes; i += 7) {
            sealed.put(i, (byte) (sealed.get(i) ^ 4));
            assertFalse(new Seal(key, 1, true, false).open(sealed, 0, bytes, opened, 0), "changed at " + i);
            sealed.put(i, (byte) (sealed.get(i) ^ 4));
        }
    }

    @Test
    void aLaneIsProvenByWhoHasTheKey() {
        byte[] key = new byte[LaneProof.KEY_BYTES];
        byte[] proof = LaneProof.of(key, 2, 0, true, "east", "west");
        assertEquals(2, LaneProof.lane(proof, key));
        assertTrue(LaneProof.equal(LaneProof.of(key, 2, 0, true, "east", "west"), proof));
        assertFalse(LaneProof.equal(LaneProof.of(key, 2, 0, false, "east", "west"), proof), "its own answer");
        assertFalse(LaneProof.equal(LaneProof.of(key, 2, 0, true, "east", "north"), proof), "to another host");
        assertFalse(LaneProof.equal(LaneProof.of(key, 2, 1, true, "east", "west"), proof), "of what is made anew");
        proof[1] = 3;
        assertFalse(LaneProof.equal(LaneProof.of(key, 3, 0, true, "east", "west"), proof), "of another lane");
        assertEquals(-1, LaneProof.lane(new byte[5], key));
        byte[] another = key.clone();
        another[31] = 1;
        assertEquals(-1, LaneProof.lane(LaneProof.of(another, 2, 0, true, "east", "west"), key));
        assertTrue(proof.length <= 55, "more than a connection request carries");
    }
}
