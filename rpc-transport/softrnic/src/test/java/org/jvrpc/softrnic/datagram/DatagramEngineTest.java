package org.jvrpc.softrnic.datagram;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.Cqe;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.softrnic.queue.CqContext;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.WcStatus;

/** What is sent from the ring of a UD QP, and what is refused. */
final class DatagramEngineTest extends DatagramMemory {

    private void expectFailure(WcStatus status) {
        expectSent(status);
        assertEquals(QueuePairState.ERR, state(SENDER_QP));
        assertEquals(1, own.failures, "the owner is told");
        assertEquals(QueuePairState.RTS, state(RECEIVER_QP));
        expectNothingMore();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 8, 100, 1500, 4096})
    void aDatagramArrivesBehindTheRoomForItsHeader(int length) {
        DatagramEngine engine = make();
        receive(0, HEADER + 4096);
        load(0, length);
        engine.ring(2);
        int at = expectReceived(WcStatus.SUCCESS);
        assertEquals(Cqe.RESP_SEND, opcode(at));
        assertEquals(HEADER + length, byteCount(at));
        assertEquals(SENDER, BigEndian.getInt(memory, at + Cqe.FLAGS_RQPN) & 0xffffff, "who sent it");
        for (int i = 0; i < length; i++) {
            assertEquals(memory.get(SENT + i), memory.get(RECEIVED + HEADER + i), "byte " + i);
        }
        assertEquals(0, memory.get(RECEIVED + HEADER - 1), "the header's room is left alone");
        assertEquals(0, memory.get(RECEIVED + HEADER + length), "behind the message");
        at = expectSent(WcStatus.SUCCESS);
        assertEquals(length, byteCount(at));
        assertEquals(Wqe.SEND, Cqe.sendOpcode(BigEndian.getLong(memory, at + Cqe.TAIL)));
        expectNothingMore();
        assertEquals(QueuePairState.RTS, state(SENDER_QP));
    }

    @Test
    void immediateDataTravelsWithADatagramThatIsNotSignalled() {
        DatagramEngine engine = make();
        receive(0, HEADER + 8);
        load(0, Wqe.SEND_IMM, 0x0a0b0c0d, route, RECEIVER, QKEY, 8);
        engine.ring(2);
        int at = expectReceived(WcStatus.SUCCESS);
        assertEquals(Cqe.RESP_SEND_IMM, opcode(at));
        assertEquals(0x0a0b0c0d, BigEndian.getInt(memory, at + Cqe.IMMEDIATE));
        expectNothingMore();
    }

    @Test
    void aDatagramIsGatheredFromItsPiecesAndMayHaveNone() {
        DatagramEngine engine = make();
        receive(0, HEADER + 64);
        receive(1, HEADER);
        load(0, 10, 20, 7);
        load(2); // one block
        engine.ring(3);
        assertEquals(HEADER + 37, byteCount(expectReceived(WcStatus.SUCCESS)));
        for (int i = 0; i < 37; i++) {
            assertEquals(memory.get(SENT + i), memory.get(RECEIVED + HEADER + i), "byte " + i);
        }
        assertEquals(HEADER, byteCount(expectReceived(WcStatus.SUCCESS)));
        expectSent(WcStatus.SUCCESS);
        expectSent(WcStatus.SUCCESS);
        expectNothingMore();
    }

    @Test
    void theRingsGoRound() {
        DatagramEngine engine = make();
        for (int i = 0; i < 20; i++) {
            receive(i, HEADER + 64);
            int place = 512 * (i % RECEIVES);
            segment(receiveWqe(i), HEADER + 64, to.key(), to.address() + place);
            load(3 * i, 1, 2, 3, 4, 5); // three blocks
            memory.put(SENT, (byte) i);
            engine.ring(3 * i + 3);
            assertEquals(HEADER + 15, byteCount(expectReceived(WcStatus.SUCCESS)), "message " + i);
            assertEquals((byte) i, memory.get(RECEIVED + place + HEADER), "message " + i);
            expectSent(WcStatus.SUCCESS);
            consume();
        }
        expectNothingMore();
    }

    @Test
    void whatIsLongerThanADatagramFailsTheSenderAndIsNotSent() {
        DatagramEngine engine = make();
        receive(0, BYTES);
        load(0, 4000, 97);
        engine.ring(2);
        expectFailure(WcStatus.LOC_LEN_ERR);
        assertEquals(0, consumed());
    }

    @ParameterizedTest
    @CsvSource({Wqe.NOP + "", Wqe.RDMA_WRITE + "", Wqe.RDMA_READ + "", Wqe.ATOMIC_FA + "", "127"})
    void aVerbThatIsNoSendFailsTheSender(int opcode) {
        DatagramEngine engine = make();
        receive(0, HEADER + 64);
        load(0, opcode, 0, route, RECEIVER, QKEY, 8);
        engine.ring(2);
        expectFailure(WcStatus.LOC_QP_OP_ERR);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3})
    void aWqeWithoutItsAddressFailsTheSender(int segments) {
        DatagramEngine engine = make();
        receive(0, HEADER + 64);
        load(0, 8);
        put(0, 0, (long) Wqe.SEND << 32 | segments);
        engine.ring(1);
        expectFailure(WcStatus.LOC_QP_OP_ERR);
    }

    @Test
    void aWqeThatIsLongerThanTheDoorbellSaysFailsTheSenderAlsoBehindOthers() {
        DatagramEngine engine = make();
        receive(0, HEADER + 64);
        receive(1, HEADER + 64);
        load(0, 8);
        load(2, 8); // of two blocks the doorbell says one
        engine.ring(3);
        expectReceived(WcStatus.SUCCESS);
        expectSent(WcStatus.SUCCESS);
        expectFailure(WcStatus.LOC_QP_OP_ERR);
        load(3, 8);
        engine.ring(5);
        expectSent(WcStatus.WR_FLUSH_ERR);
        expectNothingMore();
    }

    @Test
    void aHandleOfAnotherDomainOrOneThatIsClosedFailsTheSender() {
        DatagramRoute another = routes.open(PD + 1, "d-1-a", space, () -> null);
        DatagramRoute closed = routes.open(PD, "d-1-a", space, () -> null);
        routes.remove(closed);
        for (DatagramRoute bad : new DatagramRoute[] {another, closed}) {
            DatagramEngineTest fresh = new DatagramEngineTest();
            DatagramRoute same = bad == another ? fresh.routes.open(PD + 1, "d-1-a", fresh.space, () -> null) : bad;
            DatagramEngine engine = fresh.make();
            fresh.receive(0, HEADER + 64);
            fresh.load(0, Wqe.SEND, 0, same, RECEIVER, QKEY, 8);
            engine.ring(2);
            fresh.expectFailure(WcStatus.LOC_QP_OP_ERR);
        }
    }

    @Test
    void memoryThatIsNotTheSendersFailsIt() {
        DatagramEngine engine = make();
        receive(0, HEADER + 64);
        load(0, 8);
        put(1, 0, 8L << 32 | others.key());
        engine.ring(2);
        expectFailure(WcStatus.LOC_PROT_ERR);
    }

    @Test
    void whatIsSentToNobodyIsCompleteAndCounted() {
        DatagramEngine engine = make();
        load(0, Wqe.SEND, signalled(), route, RECEIVER + 1, QKEY, 8);
        engine.ring(2);
        assertEquals(8, byteCount(expectSent(WcStatus.SUCCESS)));
        assertEquals(1, routes.undeliverable());
        state(RECEIVER_QP, QueuePairState.ERR);
        load(2, 8);
        engine.ring(4);
        expectSent(WcStatus.SUCCESS);
        assertEquals(2, routes.undeliverable(), "one in error is nobody");
        expectNothingMore();
    }

    @Test
    void aQpThatFailedFlushesEachWqeOnceAndSendsNothing() {
        DatagramEngine engine = make();
        receive(0, HEADER + 64);
        state(SENDER_QP, QueuePairState.ERR);
        load(0, 8);
        load(2);
        engine.ring(3);
        expectSent(WcStatus.WR_FLUSH_ERR);
        expectSent(WcStatus.WR_FLUSH_ERR);
        expectNothingMore();
    }

    @Test
    void aSendWhoseCqIsFullEndsTheQp() {
        DatagramEngine engine = make();
        for (int i = 0; i < CQES; i++) {
            load(i);
            engine.ring(i + 1);
        }
        assertEquals(QueuePairState.RTS, state(SENDER_QP));
        assertEquals(0, own.failures);
        load(CQES);
        engine.ring(CQES + 1);
        assertEquals(QueuePairState.ERR, state(SENDER_QP));
        assertEquals(1, own.failures, "the owner is told");
    }

    @Test
    void aReceiverOfThisProcessThatSleepsIsWokenAndOneOfAnotherLooksItself() {
        DatagramEngine engine = make();
        receive(0, HEADER + 64);
        receive(1, HEADER + 64);
        CqContext.arm(memory, RECEIVE_CQ);
        load(0, 8);
        engine.ring(2);
        assertEquals(1, woken);
        CqContext.arm(memory, RECEIVE_CQ);
        load(2, Wqe.SEND, 0, routes.open(PD, "d-1-b", space, () -> null), RECEIVER, QKEY, 8);
        engine.ring(4);
        expectReceived(WcStatus.SUCCESS);
        expectReceived(WcStatus.SUCCESS);
        assertEquals(1, woken);
    }

    @Test
    void nothingEverWaits() {
        DatagramEngine engine = make();
        load(0, 8);
        engine.ring(2);
        assertEquals(1, dropped(DatagramContext.Drop.NO_RECEIVE));
        assertFalse(engine.isStalled());
        engine.progress();
        engine.wakePeer();
        assertTrue(own.stalls == 0 && woken == 0);
    }
}
