package org.jvrpc.softrnic.rc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.Cqe;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.softrnic.memory.Atomics;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.WcStatus;

/** What single WQEs do to the peer, and when they are refused or wait. */
final class ExecutorTest extends RcFixture {

    private static final int THERE = DATA + DATA_BYTES;

    private long rkey() {
        return (long) to.key() << 32;
    }

    /** Rings for the WQE in block 0, and expects one completion. */
    private int run(Engine engine, WcStatus status) {
        engine.ring(1);
        expectSent(status);
        expectNothingMore();
        return cqe(SEND_CQ, 0);
    }

    /** A verb of 8 bytes, signalled, in block 0. */
    private void loadVerb(int opcode) {
        if (opcode == Wqe.SEND || opcode == Wqe.SEND_IMM) {
            load(0, control(0, opcode, 2), signalled(), sge(8), from.address());
        } else if (opcode == Wqe.ATOMIC_FA || opcode == Wqe.ATOMIC_CS) {
            load(0, control(0, opcode, 4), signalled(), to.address(), rkey(), 1, 0, sge(8), from.address());
        } else {
            load(0, control(0, opcode, 3), signalled(), to.address(), rkey(), sge(8), from.address());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {Wqe.SEND, Wqe.SEND_IMM, Wqe.RDMA_WRITE, Wqe.RDMA_WRITE_IMM, Wqe.RDMA_READ, Wqe.ATOMIC_FA,
        Wqe.ATOMIC_CS})
    void aPeerInErrorAnswersNoVerb(int opcode) {
        Engine engine = make();
        memory.putLong(DATA, 1).putLong(THERE, 2);
        posted(1);
        state(PEER_QP, QueuePairState.ERR);
        loadVerb(opcode);
        run(engine, WcStatus.RETRY_EXC_ERR);
        assertEquals(1, memory.getLong(DATA));
        assertEquals(2, memory.getLong(THERE));
    }

    @ParameterizedTest
    @ValueSource(ints = {Wqe.SEND, Wqe.RDMA_WRITE, Wqe.RDMA_WRITE_IMM, Wqe.RDMA_READ, Wqe.ATOMIC_FA})
    void aPeerInInitIsWaitedForByEachVerbForFiveSecondsOfAClockThatComesRound(int opcode) {
        Engine engine = make(false, QueuePairAttributes.RNR_RETRY_FOREVER, 1);
        engine.connect(peer());
        pieces(receiveWqe(0), to, 64);
        posted(1);
        state(PEER_QP, QueuePairState.INIT);
        loadVerb(opcode);
        engine.ring(1);
        nowNs += 4_999_999_999L;
        engine.progress();
        expectNothingMore();
        assertTrue(engine.isStalled());
        nowNs++;
        engine.progress();
        expectSent(WcStatus.RETRY_EXC_ERR);
    }

    @Test
    void aPeerThatBecomesReadyInTheLastMomentIs() {
        Engine engine = make();
        state(PEER_QP, QueuePairState.INIT);
        loadVerb(Wqe.RDMA_WRITE);
        engine.ring(1);
        nowNs += 5_000_000_000L;
        // The first look is for the timer of the stall, the second for how long the peer may take.
        int[] looks = {0};
        whenTheTimeIsAsked = () -> {
            if (++looks[0] == 2) {
                state(PEER_QP, QueuePairState.RTR);
            }
        };
        engine.progress();
        assertEquals(2, looks[0]);
        expectSent(WcStatus.SUCCESS);
    }

    @Test
    void aNopMovesNoBytesThoughTheWqeBeforeItDid() {
        Engine engine = make();
        load(0, control(0, Wqe.RDMA_WRITE, 3), 0, to.address(), rkey(), sge(8), from.address());
        load(1, control(0, Wqe.NOP, 1), signalled());
        engine.ring(2);
        expectSent(WcStatus.SUCCESS);
        assertEquals(0, BigEndian.getInt(memory, cqe(SEND_CQ, 0) + Cqe.BYTE_COUNT));
    }

    @ParameterizedTest
    @CsvSource({"8,SUCCESS", "16,SUCCESS", "128,SUCCESS", "0,LOC_PROT_ERR", "4,LOC_QP_OP_ERR", "12,LOC_QP_OP_ERR",
        "136,LOC_QP_OP_ERR"})
    void aCalculationIsOverOneToSixteenWords(int bytes, WcStatus status) {
        Engine engine = make();
        for (int at = 0; at < 256; at += 8) {
            BigEndian.putLong(memory, DATA + at, 3);
        }
        load(0, control(Wqe.CALC_ADD, Wqe.RDMA_WRITE, 3), signalled(), to.address(), rkey(), sge(bytes),
                from.address());
        run(engine, status);
        assertEquals(status == WcStatus.SUCCESS ? 3 * bytes / 8 : 0, BigEndian.getLong(memory, THERE));
        assertEquals(0, memory.getLong(THERE + 8), "one word travels");
    }

    @Test
    void aMaskedCompareAndSwapComparesAndChangesTheBitsOfItsMasks() {
        Engine engine = make();
        Atomics.put(memory, THERE + 8, 0x1122334455667788L);
        load(0, control(Wqe.MASKED_8, Wqe.ATOMIC_MASKED_CS, 5), signalled(), to.address() + 8, rkey(),
                0x00000000aabbccddL, 0x1100000000000001L, // swap, compare
                0x00000000ffff0000L, 0xff00000000000000L); // their masks
        load(1, sge(8), from.address());
        engine.ring(2);
        expectSent(WcStatus.SUCCESS);
        assertEquals(0x11223344aabb7788L, memory.getLong(THERE + 8));
        assertEquals(0x1122334455667788L, memory.getLong(DATA), "what was there");
    }

    @Test
    void aMaskedFetchAndAddGivesNoCarryFromFieldToField() {
        Engine engine = make();
        Atomics.put(memory, THERE, 0x00000001ffffffffL);
        load(0, control(Wqe.MASKED_8, Wqe.ATOMIC_MASKED_FA, 4), signalled(), to.address(), rkey(),
                0x0000000100000001L, 0x0000000080000000L, sge(8), from.address());
        run(engine, WcStatus.SUCCESS);
        assertEquals(0x0000000200000000L, memory.getLong(THERE));
        assertEquals(0x00000001ffffffffL, memory.getLong(DATA), "what was there");
    }

    @Test
    void aMessageOfMoreThanACqeHoldsGoesFromTheDoorbellToTheReceivesMemory() {
        Engine engine = make();
        pieces(receiveWqe(0), to, 64);
        posted(1);
        for (int i = 0; i < 64; i++) {
            memory.put(DATA + i, (byte) (i + 1));
        }
        assertTrue(engine.push(0, send(64, 0)));
        int at = expectReceived(WcStatus.SUCCESS);
        assertEquals(64, BigEndian.getInt(memory, at + Cqe.BYTE_COUNT));
        for (int i = 0; i < 64; i++) {
            assertEquals(i + 1, memory.get(THERE + i), "byte " + i);
        }
        assertEquals(0, memory.get(THERE + 64));
    }

    /** A receiver that changes a receive which is just being filled gets an error, and no bytes beyond its pieces. */
    @Test
    void aReceiveThatIsShortenedWhileItIsFilledFailsBothEnds() {
        Engine engine = make();
        pieces(receiveWqe(0), to, 10, 10, 10, 50);
        pieces(receiveWqe(1), to, 10, 10, 10, 50);
        posted(2);
        int[] looks = {0};
        space.whenLookedAt = () -> {
            if (++looks[0] == 1) {
                pieces(receiveWqe(0), to, 10, 10, 10, 20);
            }
        };
        load(0, send(80, 0));
        engine.ring(1);
        assertEquals(4, looks[0], "the pieces of one receive");
        expectReceived(WcStatus.LOC_PROT_ERR);
        expectSent(WcStatus.REM_OP_ERR);
        expectNothingMore();
    }

    @Test
    void aWriteReachesItsAddressFromEachBlockOfTheRing() {
        Engine engine = make();
        for (int i = 0; i < 20; i++) {
            memory.putLong(DATA, i + 1);
            load(i % 8, control(0, Wqe.RDMA_WRITE, 3), 0, to.address() + 8 * i, rkey(), sge(8), from.address());
            engine.ring(i + 1);
            assertEquals(i + 1, memory.getLong(THERE + 8 * i), "write " + i);
        }
        expectNothingMore();
    }
}
