package org.jvrpc.router.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.DoorbellRecord;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.router.Refusal;
import org.jvrpc.router.RefusedException;
import org.jvrpc.router.Spin;
import org.jvrpc.router.engine.memory.PrivateMemory;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.softrnic.queue.SrqContext;
import org.jvrpc.softrnic.router.wire.QpNote;
import org.jvrpc.softrnic.router.wire.SrqNote;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.WcStatus;

/** WQEs and objects that would take the worker's time or its memory from others, round by round. */
final class BoundedWorkTest {

    private static final int ROUNDS = 1000;
    private static final int LONG = 1 << 20;

    private long nowNs = Long.MAX_VALUE - 1_000_000;
    private final Worker worker = new Worker(new EqualShares(), Spin.ADAPTIVE, slab -> true, () -> nowNs);
    private final Party one = new Party(worker, "one", 1);
    private final Party other = new Party(worker, "other", 2);

    private int rounds() {
        int count = 0;
        while (worker.round(nowNs)) {
            assertTrue(++count < ROUNDS, "the worker comes to no end");
        }
        return count;
    }

    /** Has a WQE executed that moves so many bytes, and looks whether it takes a round for each piece. */
    private void expectPieces(IntConsumer write) {
        Party.connect(worker, one, other);
        write.accept(one.wqe());
        one.ring();
        worker.round(nowNs);
        assertFalse(one.hasSent(), "all of it goes in one round");
        assertTrue(rounds() >= LONG / TenantSend.PIECE_BYTES - 1);
        one.expectSent(WcStatus.SUCCESS);
    }

    @Test
    void aReadIsDividedWhateverItsOpmodSays() {
        other.fill(0, LONG, 3);
        expectPieces(wqe -> {
            one.remote(Wqe.RDMA_READ, 0, LONG, other.data(0), other.rkey);
            one.memory.put(wqe, (byte) Wqe.CALC_ADD);
        });
        assertTrue(one.has(0, LONG, 3));
    }

    /** The inline bytes stand in the WQE's next block. */
    @Test
    void aWriteIsDividedWhateverStandsBehindItsFirstPiece() {
        int first = LONG - 8;
        one.fill(0, first, 3);
        expectPieces(wqe -> {
            one.remote(Wqe.RDMA_WRITE, 0, first, other.data(0), other.rkey);
            one.control(wqe, Wqe.RDMA_WRITE, 4);
            BigEndian.putInt(one.memory, wqe + 48, Wqe.INLINE | 8);
            BigEndian.putLong(one.memory, wqe + 52, 0x0102030405060708L);
        });
        assertTrue(other.has(0, first, 3));
        assertEquals(0x0102030405060708L, BigEndian.getLong(other.memory, Party.DATA + first));
    }

    @Test
    void inlineBytesThatReachOutOfTheirWqeAreRefused() {
        Party.connect(worker, one, other);
        int wqe = one.wqe();
        one.remote(Wqe.RDMA_WRITE, 0, 70_000, other.data(0), other.rkey);
        one.control(wqe, Wqe.RDMA_WRITE, 4);
        BigEndian.putInt(one.memory, wqe + 48, Wqe.INLINE | 13);
        one.ring();
        rounds();
        one.expectSent(WcStatus.LOC_QP_OP_ERR);
        assertFalse(other.has(0, 8, 0) && other.has(0, 1, 1));
    }

    private static final int SRQ = 2;
    private static final int SRQ_AT = Party.DATA + (512 << 10);

    /** Gives a party an SRQ of 4 WQEs, of which 3 are posted, and a QP that takes its receives from there. */
    private void share(Party party, int qpn, int at) {
        party.device.create(new SrqNote(SRQ, Party.PD, party.slab.base() + SRQ_AT, 4, 64));
        for (int i = 0; i < 4; i++) {
            int wqe = SRQ_AT + SrqContext.ring(4) + i * 64;
            BigEndian.putLong(party.memory, wqe, (long) (i + 1 & 3) << 32);
            party.segment(wqe + 16, 256 << 10, Party.KEY, party.data(0));
            party.segment(wqe + 32, 0, Wqe.END_LKEY, 0);
        }
        BigEndian.putIntRelease(party.memory, SRQ_AT + SrqContext.RECORD + DoorbellRecord.RECEIVE, 3);
        party.device.create(new QpNote(qpn, Party.PD, party.slab.base() + at, Party.ENTRIES, Party.STRIDE,
                Party.ENTRIES, Party.SEND_RING, 1, 2, SRQ, 0, 0, 7, 1000, 0));
    }

    private static long owner(Party party, int index) {
        return SrqContext.owner(party.memory, SRQ_AT, index);
    }

    @Test
    void whoCutsItsMemoryInTheMiddleOfAMessageGivesUpTheReceiveThatItTook() {
        Party cut = new Party(worker, "cutter", 3);
        share(other, 55, SRQ_AT + 8192);
        worker.connect(cut.device, cut.qpn, other.device, 55);
        worker.connect(other.device, 55, cut.device, cut.qpn);
        cut.send(0, 200_000);
        cut.ring();
        worker.round(nowNs);
        assertEquals(55, SrqContext.qpn(owner(other, 0)), "it took the first receive");
        assertFalse(SrqContext.isGivenUp(owner(other, 0)));
        cut.device.close(false);
        assertTrue(SrqContext.isGivenUp(owner(other, 0)), "its neighbour has lost a receive for good");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 0xffff, 0x8000})
    void linksOfAnSrqThatLieTakeItsOwnReceivesAlone(int link) {
        share(other, 55, SRQ_AT + 8192);
        for (int i = 0; i < 4; i++) {
            BigEndian.putShort(other.memory, SRQ_AT + SrqContext.ring(4) + i * 64 + 2, link);
        }
        for (int i = 0; i < SrqContext.BYTES; i++) {
            if (i < SrqContext.RECORD || i >= SrqContext.RECORD + 8) {
                other.memory.put(SRQ_AT + i, (byte) 0xff);
            }
        }
        worker.connect(one.device, one.qpn, other.device, 55);
        worker.connect(other.device, 55, one.device, one.qpn);
        for (int i = 0; i < 3; i++) {
            one.send(0, 100);
        }
        one.ring();
        rounds();
        for (int i = 0; i < 3; i++) {
            one.expectSent(WcStatus.SUCCESS);
            other.expectReceived(WcStatus.SUCCESS);
        }
        assertEquals(QueuePairState.RTS, one.state());
    }

    /** They may lie over each other in their owner's memory, but not in the router's. */
    @Test
    void memoryThatTheRouterKeepsForADeviceHasABound() {
        Slab large = Slab.wrap(ByteBuffer.allocateDirect(2 << 20).alignedSlice(128), 9);
        one.device.add(large);
        RefusedException e = assertThrows(RefusedException.class, () -> {
            for (int i = 0; i < 4096; i++) {
                one.device.create(new SrqNote(100 + i, Party.PD, large.base(), 1 << 15, 32));
            }
        });
        assertEquals(Refusal.NO_MEMORY, e.refusal());
        assertTrue(e.getMessage().contains("limit=" + PrivateMemory.MOST_BYTES), e.getMessage());
        Party.connect(worker, one, other);
    }
}
