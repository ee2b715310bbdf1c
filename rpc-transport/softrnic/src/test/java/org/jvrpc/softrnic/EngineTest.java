package org.jvrpc.softrnic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.Mlx5QueuePair;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.softrnic.queue.SendEngine;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
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

    private static void send(FuzzPair.End end) {
        assertEquals(1, end.qp.prepareSend(SendRequest.send(1, end.sge(0, 8)).signalled()).execute());
    }
}
