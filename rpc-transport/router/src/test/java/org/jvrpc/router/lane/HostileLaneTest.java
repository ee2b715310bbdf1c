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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.router.RemoteConnection;
import org.jvrpc.softrnic.queue.GatherList;
import org.jvrpc.verbs.WcStatus;

/** What another router may send that it should not: messages are handed to one end of lanes whose other is silent. */
final class HostileLaneTest {

    private static final int MESSAGES = 20_000;

    private final LaneRig rig = new LaneRig();
    private final ByteBuffer message = rig.message;
    private final LaneSet lanes = rig.lanes;

    @AfterEach
    void end() {
        rig.close();
    }

    private void random(Random random) {
        for (int i = 0; i < 64; i++) {
            message.putLong(8 * i, random.nextLong());
        }
        if (random.nextInt(20) > 0) {
            boolean direct = random.nextInt(4) == 0;
            rig.header(direct ? LaneHeader.OFFER + random.nextInt(5) : 1 + random.nextInt(7), random.nextInt(50) - 10);
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
                rig.qp.end(); // as a fault ends it
                rig.drain();
                rig.begin(random);
            }
            if (random.nextInt(10) == 0) {
                int opcode = random.nextBoolean() ? Wqe.SEND : random.nextBoolean() ? Wqe.RDMA_READ : Wqe.ATOMIC_FA;
                rig.send(opcode, opcode == Wqe.SEND ? 0 : 8);
            }
            random(random);
            int length = random.nextInt(5) == 0
                    ? random.nextInt(600)
                    : LaneHeader.BYTES + LaneHeader.length(message, 0);
            wrong += rig.take(Math.max(0, Math.min(Slots.BYTES, length))) == null ? 0 : 1;
            rig.turn();
        }
        rig.qp.end();
        rig.drain();
        assertTrue(wrong > MESSAGES / 10 && wrong < MESSAGES, "wrong=" + wrong + " seed=" + seed);
    }

    @Test
    void aMessageOfAnotherEpochIsDroppedAndCounted() {
        rig.data(Wqe.SEND, 0, 10, 10, 0);
        message.putLong(16, LaneRig.EPOCH + 1);
        assertNull(rig.take(LaneHeader.BYTES + 10));
        assertEquals(1, rig.strays);
        assertEquals(0, rig.local.arrived);
    }

    @Test
    void aMessageIsExecutedOnce() {
        rig.local.always = WcStatus.SUCCESS;
        rig.data(Wqe.SEND, 0, 10, 10, 0);
        assertNull(rig.take(LaneHeader.BYTES + 10));
        assertNotNull(rig.take(LaneHeader.BYTES + 10), "it came twice");
        assertEquals(1, rig.local.arrived);
    }

    @Test
    void wordOfWhatWasNeverSentIsAFault() {
        rig.header(LaneHeader.ACK, 0);
        LaneHeader.came(message, 0, 1);
        assertNotNull(rig.take(LaneHeader.BYTES));
        assertEquals(0, rig.local.completed);
    }

    @Test
    void aReadIsNotCompleteWithoutItsBytes() {
        assertTrue(rig.qp.send(new LaneRig.Work(Wqe.RDMA_READ, new GatherList(), 8), 0, 8));
        rig.header(LaneHeader.ACK, 0);
        LaneHeader.came(message, 0, 1);
        assertNotNull(rig.take(LaneHeader.BYTES));
        rig.header(LaneHeader.ANSWER, 0);
        LaneHeader.length(message, 0, 9);
        assertNotNull(rig.take(LaneHeader.BYTES + 9));
        assertEquals(0, rig.local.completed);
    }

    @Test
    void aPieceThatDoesNotFollowIsAFault() {
        rig.local.always = WcStatus.SUCCESS;
        rig.data(Wqe.SEND, 0, 10, 100, 0);
        assertNull(rig.take(LaneHeader.BYTES + 10));
        rig.data(Wqe.SEND, 1, 10, 100, 20);
        assertNotNull(rig.take(LaneHeader.BYTES + 10));
        rig.data(Wqe.SEND, 1, 10, 200, 10);
        assertNotNull(rig.take(LaneHeader.BYTES + 10));
        rig.data(Wqe.RDMA_WRITE, 1, 10, 100, 10);
        assertNotNull(rig.take(LaneHeader.BYTES + 10));
        assertEquals(1, rig.local.arrived);
    }

    @Test
    void aTenantHoldsNoMoreThanItsShareOfThePairsMemory() {
        Holder greedy = new Holder();
        List<RemoteQp> qps = new ArrayList<>();
        int sent = 0;
        for (int i = 0; i < 40; i++) { // by all lanes
            RemoteQp one = new RemoteQp(new RemoteConnection("west", 1, LaneRig.OWN, LaneRig.PEER, i), rig.pair,
                    rig.local, greedy);
            qps.add(one);
            while (one.send(new LaneRig.Work(Wqe.SEND, new GatherList(), 0), 0, 0)) {
                sent++;
                rig.turn();
            }
        }
        assertTrue(sent >= 2 * RemoteQp.WINDOW && sent <= Slots.COUNT / 2, "sent=" + sent);
        assertTrue(rig.qp.send(new LaneRig.Work(Wqe.SEND, new GatherList(), 0), 0, 0), "another has no room");
        qps.forEach(RemoteQp::end);
        rig.qp.end();
        rig.drain();
    }

    @Test
    void aPeerThatDoesNotAnswerIsGivenUp() {
        assertTrue(rig.qp.send(new LaneRig.Work(Wqe.SEND, new GatherList(), 0), 0, 0));
        long nowNs = System.nanoTime();
        assertFalse(rig.qp.endSilent(nowNs + RemoteQp.SILENCE_NS / 2));
        assertTrue(lanes.nextNs(nowNs + RemoteQp.SILENCE_NS) < RemoteQp.SILENCE_NS, "nobody looks");
        assertTrue(rig.qp.endSilent(nowNs + 2 * RemoteQp.SILENCE_NS), "it is waited for");
        assertEquals(1, rig.local.completed);
    }

    @Test
    void aSealedMessageIsOpenedInItsPlaceOnly() {
        byte[] key = new byte[LaneProof.KEY_BYTES];
        Seal seals = new Seal(key, 1, true, true);
        ByteBuffer sealed = ByteBuffer.allocateDirect(Slots.BYTES);
        ByteBuffer opened = ByteBuffer.allocateDirect(Slots.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        rig.data(Wqe.SEND, 0, 10, 10, 0);
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
