package org.jvrpc.softrnic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.Mlx5QueuePair;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.softrnic.queue.SendEngine;
import org.jvrpc.softrnic.rc.Responder;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.WorkCompletion;

/** WQEs that a test writes itself, and the engine's clock. One thread. */
final class EngineTest {

    private final AtomicLong clock = new AtomicLong(7);
    private final WorkCompletion wc = new WorkCompletion();
    private SoftDevice device;
    private FuzzPair pair;

    @BeforeEach
    void makePair() {
        ShmUnderTest.open().close();
        device = SoftDevice.open(clock::get);
        pair = new FuzzPair(device, device, new SplittableRandom(1), FuzzPair.newFiles());
        assertEquals(1, pair.right.qp.prepareReceive(ReceiveRequest.of(7, pair.right.sge(0, 64))).execute());
    }

    @AfterEach
    void closeAll() {
        pair.close();
        device.close();
    }

    /** Posts one SEND of these data segments, {@code lengths[i]} bytes each, through the doorbell or the ring. */
    private void send(boolean fromDoorbell, boolean signalled, int... lengths) {
        long[] words = new long[8];
        int qpn = pair.left.qp.number();
        words[0] = (long) Wqe.opmodIndexOpcode(0, 0, Wqe.SEND) << 32 | (long) qpn << 8 | 1 + lengths.length;
        words[1] = (signalled ? (long) Wqe.CE_ALWAYS : 0) << 32;
        for (int i = 0; i < lengths.length; i++) {
            words[2 + 2 * i] = (long) lengths[i] << 32 | pair.left.mr.lkey();
            words[3 + 2 * i] = pair.left.mr.address();
        }
        for (int i = 0; i < words.length; i++) {
            BigEndian.putLong(pair.left.qpFile(), pair.left.sendRingAt() + 8 * i, words[i]);
        }
        SendEngine engine = ((SoftQueuePair) ((Mlx5QueuePair) pair.left.qp).control()).engine();
        if (!fromDoorbell || !engine.push(0, words)) {
            engine.ring(1);
        }
    }

    private void expect(CompletionQueue cq, WcStatus status) {
        assertTrue(cq.poll(wc), "no completion");
        assertEquals(status, wc.status());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aSendWithoutDataSegmentsIsAMessageOfNoBytes(boolean fromDoorbell) {
        assertTrue(pair.connect());
        send(fromDoorbell, true);
        expect(pair.left.sendCq, WcStatus.SUCCESS);
        expect(pair.right.receiveCq, WcStatus.SUCCESS);
        assertEquals(0, wc.byteLength());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aSendOfOneSegmentIsDelivered(boolean fromDoorbell) {
        assertTrue(pair.connect());
        pair.left.mr.buffer(0, 8).putLong(0, 0x0102030405060708L);
        send(fromDoorbell, false, 8);
        expect(pair.right.receiveCq, WcStatus.SUCCESS);
        assertEquals(8, wc.byteLength());
        assertFalse(pair.left.sendCq.poll(wc), "it is not signalled");
    }

    @Test
    void aDataSegmentOfLengthZeroIsOneOfTwoGib() {
        for (int[] lengths : new int[][] {{0}, {8, 0}, {0, 8}, {0, 0}, {8, 8, 0}}) {
            closeAll();
            makePair();
            assertTrue(pair.connect());
            send(false, false, lengths);
            expect(pair.left.sendCq, WcStatus.LOC_PROT_ERR);
            assertFalse(pair.right.receiveCq.poll(wc), "nothing came");
            assertEquals(QueuePairState.RTS, pair.right.qp.state());
        }
    }

    @Test
    void aPushedDataSegmentOfLengthZeroHasNoBytes() {
        for (int[] lengths : new int[][] {{0}, {8, 0}, {0, 8}, {0, 0}}) {
            closeAll();
            makePair();
            assertTrue(pair.connect());
            send(true, false, lengths);
            expect(pair.right.receiveCq, WcStatus.SUCCESS);
            assertEquals(Arrays.stream(lengths).sum(), wc.byteLength());
        }
    }

    @Test
    void aQueueOfNoChainFetchesWqesWhenItExecutesThem() {
        assertFalse(((Mlx5QueuePair) pair.left.qp).prefetches());
    }

    @Test
    void aPeerInInitIsWaitedForFiveSeconds() {
        pair.left.qp.connect(pair.right.qp.endpoint());
        send(pair.left);
        for (int i = 0; i < 4999; i++) {
            clock.addAndGet(1_000_000);
            assertFalse(pair.left.sendCq.poll(wc), () -> "after 5 s at the earliest: " + wc);
        }
        clock.addAndGet(1_000_000);
        expect(pair.left.sendCq, WcStatus.RETRY_EXC_ERR);
    }

    @Test
    void aPeerThatLeavesInitInTimeGetsWhatWasSent() {
        pair.left.qp.connect(pair.right.qp.endpoint());
        send(pair.left);
        clock.addAndGet(4_000_000_000L);
        assertFalse(pair.left.sendCq.poll(wc));
        pair.right.qp.connect(pair.left.qp.endpoint());
        clock.addAndGet(4_000_000_000L);
        expect(pair.left.sendCq, WcStatus.SUCCESS);
        expect(pair.right.receiveCq, WcStatus.SUCCESS);
    }

    @Test
    void aSendOnAQpThatWasNeverConnectedIsFlushed() {
        pair.left.qp.error();
        send(pair.left);
        expect(pair.left.sendCq, WcStatus.WR_FLUSH_ERR);
        assertEquals(1, pair.left.qp.prepareSend(SendRequest.send(2, pair.left.sge(0, 8))).execute());
        expect(pair.left.sendCq, WcStatus.WR_FLUSH_ERR);
        assertEquals(2, wc.wrId());
    }

    @Test
    void anAtomicWhoseResultLiesInTwoPiecesWritesNeither() {
        assertTrue(pair.connect());
        long[] words = new long[8];
        words[0] = (long) Wqe.opmodIndexOpcode(0, 0, Wqe.ATOMIC_FA) << 32 | (long) pair.left.qp.number() << 8 | 5;
        words[1] = (long) Wqe.CE_ALWAYS << 32;
        words[2] = pair.right.mr.address();
        words[3] = (long) pair.right.mr.rkey() << 32;
        words[6] = 4L << 32 | pair.left.mr.lkey();
        words[7] = pair.left.mr.address() + FuzzPair.MEMORY - 4;
        for (int i = 0; i < words.length; i++) {
            BigEndian.putLong(pair.left.qpFile(), pair.left.sendRingAt() + 8 * i, words[i]);
        }
        BigEndian.putLong(pair.left.qpFile(), pair.left.sendRingAt() + 64, words[6]);
        BigEndian.putLong(pair.left.qpFile(), pair.left.sendRingAt() + 72, pair.left.mr.address());
        pair.right.mr.buffer(0, 8).putLong(0, -1L);
        ((SoftQueuePair) ((Mlx5QueuePair) pair.left.qp).control()).engine().ring(2);
        expect(pair.left.sendCq, WcStatus.LOC_QP_OP_ERR);
        assertTrue(pair.left.canariesLive(), "the result was written beyond its piece");
    }

    /** Writes these words to the left end's ring, from a block on. */
    private void load(int block, long... words) {
        for (int i = 0; i < words.length; i++) {
            BigEndian.putLong(pair.left.qpFile(), pair.left.sendRingAt() + block * Wqe.BLOCK + 8 * i, words[i]);
        }
    }

    private long control(int opcode, int segments) {
        return (long) Wqe.opmodIndexOpcode(0, 0, opcode) << 32 | (long) pair.left.qp.number() << 8 | segments;
    }

    private SendEngine engine() {
        return ((SoftQueuePair) ((Mlx5QueuePair) pair.left.qp).control()).engine();
    }

    @ParameterizedTest
    @CsvSource({
        Wqe.SEND + ",0", // no segment
        Wqe.SEND + ",5", // two blocks, of which the doorbell says one
        Wqe.RDMA_READ + ",5",
        Wqe.WAIT + ",2", // cross-channel only
        "127,1",
    })
    void aWqeThatIsNoneFailsTheQueueAndNothingIsSent(int opcode, int segments) {
        assertTrue(pair.connect());
        load(0, control(opcode, segments), 0);
        engine().ring(1);
        expect(pair.left.sendCq, WcStatus.LOC_QP_OP_ERR);
        assertEquals(QueuePairState.ERR, pair.left.qp.state());
        assertEquals(QueuePairState.RTS, pair.right.qp.state());
        assertFalse(pair.right.receiveCq.poll(wc), "nothing came");
        assertFalse(pair.left.sendCq.poll(wc), "it is one WQE");
    }

    @Test
    void aNopOfNoBytesCompletesWhenSignalled() {
        assertTrue(pair.connect());
        load(0, control(Wqe.NOP, 1), 0);
        load(1, control(Wqe.NOP, 1), (long) Wqe.CE_ALWAYS << 32);
        engine().ring(2);
        expect(pair.left.sendCq, WcStatus.SUCCESS);
        assertEquals(0, wc.byteLength());
        assertFalse(pair.left.sendCq.poll(wc), "the first is not signalled");
        assertFalse(engine().isStalled());
    }

    @Test
    void aQueueThatFailsFlushesWhatIsBehindInOneCompletionPerWqe() {
        assertTrue(pair.connect());
        load(0, control(127, 1), 0);
        load(1, control(Wqe.SEND, 5), 0); // two blocks
        load(3, control(Wqe.SEND, 0), 0);
        engine().ring(4);
        expect(pair.left.sendCq, WcStatus.LOC_QP_OP_ERR);
        expect(pair.left.sendCq, WcStatus.WR_FLUSH_ERR);
        expect(pair.left.sendCq, WcStatus.WR_FLUSH_ERR);
        assertFalse(pair.left.sendCq.poll(wc));
    }

    @Test
    void aSendThatFoundNoReceiveIsTriedAgainByTheTimerAndNotBefore() {
        ShmEnd sender = timed(device, 2, 1000);
        ShmEnd receiver = timed(device, 2, 1000);
        byte[] endpoint = sender.qp.endpoint();
        sender.qp.connect(receiver.qp.endpoint());
        receiver.qp.connect(endpoint);
        assertEquals(1, sender.qp.prepareSend(SendRequest.send(1, sender.sge(0, 8)).signalled()).execute());
        SendEngine engine = ((SoftQueuePair) ((Mlx5QueuePair) sender.qp).control()).engine();
        assertTrue(engine.isStalled());
        assertEquals(1, receiver.qp.prepareReceive(ReceiveRequest.of(7, receiver.sge(0, 64))).execute());
        clock.addAndGet(999);
        engine.progress();
        assertFalse(receiver.receiveCq.poll(wc), "before the timer");
        assertTrue(engine.isStalled());
        clock.addAndGet(1);
        engine.progress();
        expect(receiver.receiveCq, WcStatus.SUCCESS);
        expect(sender.sendCq, WcStatus.SUCCESS);
        assertFalse(engine.isStalled());
        sender.close();
        receiver.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 6})
    void aSendIsTriedAsOftenAsAskedAndOnceMore(int retries) {
        ShmEnd sender = timed(device, retries, 1000);
        ShmEnd receiver = timed(device, 2, 1000);
        byte[] endpoint = sender.qp.endpoint();
        sender.qp.connect(receiver.qp.endpoint());
        receiver.qp.connect(endpoint);
        assertEquals(1, sender.qp.prepareSend(SendRequest.send(1, sender.sge(0, 8))).execute());
        for (int i = 0; i < retries; i++) {
            assertFalse(sender.sendCq.poll(wc), "retries=" + i);
            clock.addAndGet(1000);
            ((SoftQueuePair) ((Mlx5QueuePair) sender.qp).control()).engine().progress();
        }
        expect(sender.sendCq, WcStatus.RNR_RETRY_EXC_ERR);
        sender.close();
        receiver.close();
    }

    private static ShmEnd timed(SoftDevice device, int retries, long timerNs) {
        return new ShmEnd(device, 4, null, device.createChannel(), attributes -> attributes.rnr(retries, timerNs));
    }

    @Test
    void aDoorbellIsRefusedForWhatTheShortWayCannotDo() {
        assertTrue(pair.connect());
        long address = pair.left.mr.address();
        long sge = 8L << 32 | pair.left.mr.lkey();
        long[][] refused = {
            {control(Wqe.SEND, 1), 0, 0, 0, 0, 0}, // no segment
            {control(Wqe.SEND, 4), 0, sge, address, sge, address, sge, address}, // three
            {control(Wqe.SEND_IMM, 2), 0, sge, address, 0, 0},
            {control(Wqe.SEND, 2), (long) Wqe.CE_ALWAYS << 32, sge, address, 0, 0},
            {control(Wqe.SEND, 2), 0, (long) Wqe.INLINE << 32 | sge, address, 0, 0},
            {control(Wqe.SEND, 3), 0, sge, address, -1L << 32 | sge, address},
            {control(Wqe.SEND, 3), 0, 0x7fffffffL << 32 | sge, address, sge, address}, // more than 31 bits
            {control(Wqe.SEND, 2), 0, sge + 1, address, 0, 0}, // no such key
            {control(Wqe.SEND, 3), 0, sge, address, sge + 1, address},
            {control(Wqe.SEND, 2), 0, 65L << 32 | pair.left.mr.lkey(), address, 0, 0}, // longer than the receive
        };
        for (int i = 0; i < refused.length; i++) {
            assertFalse(engine().push(0, refused[i]), "words " + i);
            assertFalse(pair.right.receiveCq.poll(wc), "words " + i + ": nothing came");
            assertEquals(QueuePairState.RTS, pair.left.qp.state());
            assertEquals(QueuePairState.RTS, pair.right.qp.state());
        }
        long[] good = {control(Wqe.SEND, 3), 0, 40L << 32 | pair.left.mr.lkey(), address,
            24L << 32 | pair.left.mr.lkey(), address + 40};
        assertFalse(engine().push(1, good), "WQEs before it are in the ring");
        for (int i = 0; i < 64; i++) {
            pair.left.mr.buffer(i, 1).put(0, (byte) (i + 1));
        }
        assertTrue(engine().push(0, good), "as long as the receive");
        expect(pair.right.receiveCq, WcStatus.SUCCESS);
        assertEquals(64, wc.byteLength());
        for (int i = 0; i < 64; i++) {
            byte found = wc.inlineBuffer() != null ? wc.inlineBuffer().get(wc.inlineOffset() + i)
                    : pair.right.mr.buffer(i, 1).get(0);
            assertEquals(i + 1, found, "byte " + i);
        }
        assertFalse(engine().push(1, good), "there is no receive any more");
        assertFalse(engine().isStalled());
    }

    @Test
    void aPeerThatIsAnothersRefusesAndIsFreeAgainWhenAClaimCameToNothing() {
        long address = pair.right.context;
        Responder peer = Responder.of(device.arena(), address, () -> { }, false);
        peer.claim(77);
        peer.claim(77);
        String message = assertThrows(VerbsException.class, () -> peer.claim(78)).getMessage();
        assertTrue(message.contains("initiator=0x4d"), message);
        peer.unclaim(78);
        assertThrows(VerbsException.class, () -> peer.claim(78), "it is not 78's");
        peer.unclaim(77);
        peer.claim(78);
        peer.unclaim(78);
        assertTrue(pair.connect());
    }

    @Test
    void whatIsNoQueuePairIsNoPeer() {
        int at = pair.right.qpAt();
        ByteBuffer memory = pair.right.qpFile().order(ByteOrder.LITTLE_ENDIAN);
        int[][] damages = {{0, 1}, {16, 0}, {16, 6}, {16, 1 << 30}, {16, -8}, {20, 8}, {20, 48}, {20, 512}, {20, 0}};
        for (int[] damage : damages) {
            int before = memory.getInt(at + damage[0]);
            memory.putInt(at + damage[0], damage[1]);
            assertThrows(VerbsException.class,
                    () -> Responder.of(device.arena(), pair.right.context, () -> { }, false),
                    damage[0] + ": " + damage[1]);
            memory.putInt(at + damage[0], before);
        }
        assertThrows(VerbsException.class,
                () -> Responder.of(device.arena(), pair.right.context + 64, () -> { }, false));
        Responder peer = Responder.of(device.arena(), pair.right.context, () -> { }, false);
        assertEquals(0, peer.consumed());
        peer.resume(5);
        assertEquals(5, peer.consumed());
        assertEquals(0, peer.group());
    }

    private static void send(FuzzPair.End end) {
        assertEquals(1, end.qp.prepareSend(SendRequest.send(1, end.sge(0, 8)).signalled()).execute());
    }
}
