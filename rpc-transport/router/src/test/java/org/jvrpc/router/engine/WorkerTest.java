package org.jvrpc.router.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.Cqe;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.router.Refusal;
import org.jvrpc.router.RefusedException;
import org.jvrpc.router.Spin;
import org.jvrpc.router.engine.memory.PrivateMemory;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.softrnic.queue.CqContext;
import org.jvrpc.softrnic.queue.QpContext;
import org.jvrpc.softrnic.router.wire.RegionNote;
import org.jvrpc.testing.Waits;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.WcStatus;

/** Two tenants, in memory that a test writes by hand, and the worker between them, round by round. */
final class WorkerTest {

    private static final int ROUNDS = 1000;

    private final EqualShares shares = new EqualShares();
    private long nowNs = Long.MAX_VALUE - 1_000_000; // it comes round
    private final Worker worker = new Worker(shares, Spin.ADAPTIVE, slab -> true, () -> nowNs);
    private final Party one = new Party(worker, "one", 1);
    private final Party other = new Party(worker, "other", 2);

    /** Goes on until nothing is to be done at this time. */
    private void rounds() {
        int count = 0;
        while (worker.round(nowNs)) {
            assertTrue(++count < ROUNDS, "the worker comes to no end");
        }
    }

    private void connect() {
        Party.connect(worker, one, other);
    }

    @Test
    void aSendOfOneTenantCompletesAtTheOther() {
        connect();
        one.fill(0, 100, 1);
        other.receive(200, 128);
        one.send(0, 100);
        one.ring();
        rounds();
        one.expectSent(WcStatus.SUCCESS);
        int cqe = other.expectReceived(WcStatus.SUCCESS);
        assertEquals(100, BigEndian.getInt(other.memory, cqe + Cqe.BYTE_COUNT));
        assertTrue(other.has(200, 100, 1));
    }

    @Test
    void aWorkersThreadDoesTheSame() throws InterruptedException {
        Worker alone = new Worker(new EqualShares(), Spin.ADAPTIVE, slab -> true, System::nanoTime);
        Thread thread = new Thread(alone, "worker");
        thread.start();
        try {
            Waits.until("the worker to run", alone::isRunning);
            Party first = new Party(alone, "first", 1);
            Party second = new Party(alone, "second", 2);
            Party.connect(alone, first, second);
            second.receive(0, 64);
            CqContext.arm(second.memory, Party.RECEIVE_CQ);
            first.send(0, 10);
            first.ring();
            Waits.until("the wake-up", () -> second.wakes.get() == 1);
            second.expectReceived(WcStatus.SUCCESS);
            first.device.end();
            second.device.end();
        } finally {
            alone.close();
            thread.join(10_000);
        }
        assertFalse(thread.isAlive());
    }

    /** As a virtual machine tells of memory that is gone: at any moment, also when a turn is in no list. */
    @Test
    void nothingIsForgottenByAnErrorBetweenTwoTurns() throws InterruptedException {
        AtomicInteger errors = new AtomicInteger();
        EqualShares failing = new EqualShares() {
            @Override
            public void took(int slot, long bytes, int wqes) {
                super.took(slot, bytes, wqes);
                if (errors.incrementAndGet() == 1) {
                    throw new InternalError("a fault of the test's");
                }
            }
        };
        Worker alone = new Worker(failing, Spin.ADAPTIVE, slab -> true, System::nanoTime);
        Thread thread = new Thread(alone, "worker");
        thread.start();
        try {
            Waits.until("the worker to run", alone::isRunning);
            Party first = new Party(alone, "first", 1);
            Party second = new Party(alone, "second", 2);
            Party.connect(alone, first, second);
            first.send(0, 10);
            first.ring();
            Waits.until("it to find no receive, and to fail", () -> errors.get() > 0);
            second.receive(0, 64);
            Waits.until("the send's completion", first::hasSent);
            first.expectSent(WcStatus.SUCCESS);
            first.device.end();
            second.device.end();
        } finally {
            alone.close();
            thread.join(10_000);
        }
    }

    @Test
    void whatIsWrittenToTheRingAfterItWasTakenChangesNothing() {
        connect();
        one.fill(0, 100, 1);
        one.fill(500, 100, 50);
        int wqe = one.wqe();
        one.send(0, 100);
        one.ring();
        rounds(); // there is no receive: it waits
        one.segment(wqe + 16, 100, Party.KEY, one.data(500));
        other.receive(0, 100);
        nowNs += 1_000_000;
        rounds();
        one.expectSent(WcStatus.SUCCESS);
        assertTrue(other.has(0, 100, 1), "the WQE was read again");
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, Integer.MIN_VALUE})
    void anOldProducerSaysNothing(int producer) {
        connect();
        other.receive(0, 64);
        one.send(0, 10);
        one.device.ring(one.qpn, producer);
        rounds();
        assertFalse(other.hasReceived());
        assertEquals(QueuePairState.RTS, one.state());
    }

    @ParameterizedTest
    @ValueSource(ints = {Party.ENTRIES + 1, Integer.MAX_VALUE})
    void aProducerBeyondTheRingEndsTheQp(int producer) {
        connect();
        one.device.ring(one.qpn, producer);
        rounds();
        assertEquals(QueuePairState.ERR, one.state());
        assertEquals(1, one.failures.get());
        assertFalse(other.hasReceived());
    }

    @Test
    void theTenantsOwnContextsCountForNothing() {
        connect();
        for (int at = 0; at < QpContext.RECORD; at++) {
            other.memory.put(Party.QP + at, (byte) 0xff);
            other.memory.put(Party.RECEIVE_CQ + at, (byte) 0xff);
        }
        for (int at = CqContext.RECORD + 8; at < CqContext.RING; at++) {
            other.memory.put(Party.RECEIVE_CQ + at, (byte) 0xff);
        }
        other.receive(0, 100);
        one.fill(0, 100, 1);
        one.send(0, 100);
        one.ring();
        rounds();
        one.expectSent(WcStatus.SUCCESS);
        assertTrue(other.has(0, 100, 1));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5, 0x7fffff, -1, Integer.MIN_VALUE})
    void aConsumerThatLiesLosesItsOwnCompletionsAndNoMore(int lie) {
        connect();
        other.consumer(Party.RECEIVE_CQ, lie);
        for (int i = 0; i < 3 * Party.ENTRIES && one.state() != QueuePairState.ERR; i++) {
            other.receive(0, 64);
            one.send(0, 50);
            one.ring();
            rounds();
            one.expectSent(one.state() == QueuePairState.ERR ? WcStatus.REM_OP_ERR : WcStatus.SUCCESS);
            one.free();
        }
        assertTrue(other.state() == QueuePairState.ERR || one.state() == QueuePairState.RTS);
    }

    @Test
    void aFullCqIsAnOverrunOfItsOwner() {
        connect();
        for (int i = 0; i <= Party.ENTRIES; i++) {
            other.receive(0, 64);
            one.send(0, 50);
            one.ring();
            rounds();
            one.expectSent(i == Party.ENTRIES ? WcStatus.REM_OP_ERR : WcStatus.SUCCESS);
            one.free();
        }
        assertEquals(CqContext.OVERRAN, CqContext.flags(other.memory, Party.RECEIVE_CQ) & CqContext.OVERRAN);
        assertEquals(QueuePairState.ERR, other.state());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, PrivateMemory.FIRST_SEGMENT, PrivateMemory.FIRST_SEGMENT + 1, Slab.MAX_SEGMENTS - 1, 2})
    void noRegionIsMadeOfTheRoutersMemory(int segment) {
        RegionNote note = new RegionNote(9 << 8, Party.PD, Access.LOCAL_WRITE, Slab.baseOf(segment), 64);
        RefusedException e = assertThrows(RefusedException.class, () -> one.device.register(note));
        assertEquals(Refusal.NOT_YOURS, e.refusal());
    }

    @Test
    void aKeyOpensNothingAtAnotherDevice() {
        connect();
        Party third = new Party(worker, "third", 3);
        one.remote(Wqe.RDMA_READ, 0, 64, third.data(0), third.rkey);
        one.ring();
        rounds();
        one.expectSent(WcStatus.REM_ACCESS_ERR);
        assertEquals(QueuePairState.ERR, other.state());
    }

    @Test
    void theNumberThatTheOwnerKnowsAKeyByOpensNothingForItsPeer() {
        connect();
        one.remote(Wqe.RDMA_WRITE, 0, 64, other.data(0), Party.KEY);
        one.ring();
        rounds();
        one.expectSent(WcStatus.REM_ACCESS_ERR);
    }

    @ParameterizedTest
    @ValueSource(ints = {64, 64 << 10, (64 << 10) + 1, 300_000})
    void writesAndReadsOfAnyLengthComeWhole(int length) {
        connect();
        one.fill(0, length, 3);
        one.remote(Wqe.RDMA_WRITE, 0, length, other.data(100), other.rkey);
        one.remote(Wqe.RDMA_READ, 400_000, length, other.data(100), other.rkey);
        one.ring();
        rounds();
        one.expectSent(WcStatus.SUCCESS);
        one.expectSent(WcStatus.SUCCESS);
        assertTrue(other.has(100, length, 3));
        assertTrue(one.has(400_000, length, 3));
    }

    @ParameterizedTest
    @ValueSource(ints = {Wqe.SEND, Wqe.SEND_IMM})
    void aLongSendFillsAllPiecesOfItsReceive(int opcode) {
        connect();
        one.fill(0, 300_000, 3);
        int at = Party.QP + QpContext.RINGS;
        other.segment(at, 70_001, Party.KEY, other.data(0));
        other.segment(at + 16, 200_000, Party.KEY, other.data(70_001));
        other.segment(at + 32, 100_000, Party.KEY, other.data(270_001));
        other.segment(at + 48, 0, Wqe.END_LKEY, 0);
        other.posted(1);
        int wqe = one.wqe();
        one.send(0, 300_000);
        one.control(wqe, opcode, 2);
        one.ring();
        rounds();
        one.expectSent(WcStatus.SUCCESS);
        int cqe = other.expectReceived(WcStatus.SUCCESS);
        assertEquals(300_000, BigEndian.getInt(other.memory, cqe + Cqe.BYTE_COUNT));
        assertTrue(other.has(0, 300_000, 3));
    }

    @Test
    void aLongCopyOfOneTenantLetsAnothersMessageThrough() {
        connect();
        Party sender = new Party(worker, "third", 3);
        Party receiver = new Party(worker, "fourth", 4);
        Party.connect(worker, sender, receiver);
        receiver.receive(0, 64);
        one.remote(Wqe.RDMA_WRITE, 0, Party.DATA_BYTES, other.data(0), other.rkey);
        one.ring();
        sender.send(0, 64);
        sender.ring();
        int count = 0;
        while (!receiver.hasReceived()) {
            assertTrue(worker.round(nowNs) && ++count <= 3, "the message waits for the copy");
        }
        assertFalse(one.hasSent());
        rounds();
        one.expectSent(WcStatus.SUCCESS);
    }

    @Test
    void aRegionThatGoesEndsALongCopy() {
        connect();
        one.remote(Wqe.RDMA_WRITE, 0, Party.DATA_BYTES, other.data(0), other.rkey);
        one.ring();
        worker.round(nowNs);
        assertFalse(one.hasSent());
        other.device.deregister(Party.KEY);
        rounds();
        one.expectSent(WcStatus.REM_ACCESS_ERR);
    }

    @Test
    void aQpThatGoesFailsWhatWaitsForIt() {
        connect();
        one.send(0, 10);
        one.ring();
        rounds();
        assertFalse(one.hasSent());
        other.device.destroyQp(other.qpn);
        nowNs += 1_000_000;
        rounds();
        one.expectSent(WcStatus.RETRY_EXC_ERR);
        assertEquals(QueuePairState.ERR, one.state());
    }

    @Test
    void aQpInErrFlushesWhatIsRung() {
        connect();
        one.device.fail(one.qpn);
        one.send(0, 10);
        one.send(0, 10);
        one.ring();
        rounds();
        one.expectSent(WcStatus.WR_FLUSH_ERR);
        one.expectSent(WcStatus.WR_FLUSH_ERR);
        assertFalse(other.hasReceived());
    }

    @Test
    void aTenantWithoutTokensRests() {
        connect();
        other.receive(0, 64);
        shares.restUntilNs = nowNs + 500;
        one.send(0, 10);
        one.ring();
        rounds();
        assertFalse(one.hasSent());
        nowNs += 500;
        rounds();
        one.expectSent(WcStatus.SUCCESS);
        assertEquals(1, shares.wqes[0]);
    }

    @Test
    void aSlabIsDroppedOnceNothingLiesInIt() {
        assertEquals(Refusal.BUSY, assertThrows(RefusedException.class,
                () -> one.device.drop(Party.SEGMENT)).refusal());
        one.device.destroyQp(one.qpn);
        assertEquals(Refusal.BUSY, assertThrows(RefusedException.class,
                () -> one.device.drop(Party.SEGMENT)).refusal());
        one.device.destroyCq(1);
        one.device.destroyCq(2);
        one.device.deregister(Party.KEY);
        one.device.drop(Party.SEGMENT);
        assertNull(one.device.space().find(one.data(0), 1));
    }

    @Test
    void aDeviceThatEndsLeavesNothingBehind() {
        connect();
        one.send(0, 10);
        one.ring();
        one.device.end();
        one.device.end();
        other.send(0, 10);
        other.ring();
        rounds();
        other.expectSent(WcStatus.RETRY_EXC_ERR);
        assertFalse(one.hasSent());
        assertThrows(RefusedException.class, () -> one.device.destroyQp(one.qpn));
    }

    @Test
    void aPeerHasOneSender() {
        connect();
        Party third = new Party(worker, "third", 3);
        RefusedException e = assertThrows(RefusedException.class,
                () -> worker.connect(third.device, third.qpn, other.device, other.qpn));
        assertEquals(Refusal.BUSY, e.refusal());
        assertEquals(QueuePairState.RESET, third.state());
    }
}
