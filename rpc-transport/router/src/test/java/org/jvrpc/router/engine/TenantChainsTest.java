package org.jvrpc.router.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.router.Quota;
import org.jvrpc.router.Refusal;
import org.jvrpc.router.RefusedException;
import org.jvrpc.router.Spin;
import org.jvrpc.router.share.Chunks;
import org.jvrpc.softrnic.router.wire.ChainsNote;
import org.jvrpc.softrnic.router.wire.CqNote;
import org.jvrpc.softrnic.router.wire.QpNote;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.WcStatus;

/** Chains of tenants, in memory that a test writes by hand, round by round. */
final class TenantChainsTest {

    private static final int ROUNDS = 1000;
    private static final int MANAGED = QpNote.MANAGED_SEND;

    private final EqualShares shares = new EqualShares();
    private long nowNs = Long.MAX_VALUE - 1_000_000; // it comes round
    private final Worker worker = new Worker(shares, Spin.ADAPTIVE, slab -> true, () -> nowNs);
    private final ChainParty one = new ChainParty(worker, "one", 1);

    private void rounds() {
        int count = 0;
        while (worker.round(nowNs)) {
            assertTrue(++count < ROUNDS, "the worker comes to no end");
        }
    }

    /** Makes a queue that is connected to itself. */
    private ChainParty.Queue loopback(int place, int qpn, int flags) {
        ChainParty.Queue queue = one.new Queue(place, qpn, flags);
        worker.connect(one.device, qpn, one.device, qpn);
        return queue;
    }

    /** Makes a queue that enables itself for ever, and sets it going. */
    private ChainParty.Queue endless() {
        ChainParty.Queue kick = loopback(0, 100, 0);
        ChainParty.Queue loop = loopback(1, 101, MANAGED);
        for (int i = 1; i <= ChainParty.BLOCKS; i++) {
            loop.order(Wqe.SEND_ENABLE, 101, (i & 3) << 14);
        }
        kick.order(Wqe.SEND_ENABLE, 101, 1 << 14);
        kick.ring();
        return loop;
    }

    @Test
    void aManagedQueueRunsAsFarAsItIsEnabled() {
        ChainParty.Queue kick = loopback(0, 100, 0);
        ChainParty.Queue worked = loopback(1, 101, MANAGED);
        one.put(0, 7);
        worked.write(0, 8, one.data(64), one.rkey);
        worked.write(0, 8, one.data(128), one.rkey);
        worked.ring();
        rounds();
        assertEquals(0, one.get(64), "ran without an ENABLE");
        kick.order(Wqe.SEND_ENABLE, 101, 1);
        kick.ring();
        rounds();
        assertEquals(7, one.get(64));
        assertEquals(0, one.get(128), "ran past its limit");
        assertEquals(WcStatus.SUCCESS, worked.poll());
        assertEquals(1, worked.produced());
        assertEquals(2, one.state().executed());
        kick.order(Wqe.SEND_ENABLE, 101, 2);
        kick.ring();
        rounds();
        assertEquals(7, one.get(128)); // the short way, as the peer is known now
        assertEquals(2, worked.produced());
    }

    @Test
    void aMessageOfAnotherTenantRunsTheChainInItsOwnersTurnAndAtItsOwnersCost() {
        Party sender = new Party(worker, "sender", 2);
        ChainParty.Queue trigger = one.new Queue(0, 100, 0);
        ChainParty.Queue worked = loopback(1, 101, 0);
        worker.connect(sender.device, sender.qpn, one.device, 100);
        worker.connect(one.device, 100, sender.device, sender.qpn);
        trigger.receive(0, 8);
        worked.order(Wqe.WAIT, trigger.cq(), 0);
        worked.write(0, 8, one.data(64), one.rkey);
        worked.ring();
        rounds();
        assertEquals(0, one.get(64), "it did not wait");
        int charged = shares.wqes[0];
        sender.memory.putLong(Party.DATA, 99);
        sender.send(0, 8);
        sender.ring();
        rounds();
        assertEquals(99, one.get(64));
        sender.expectSent(WcStatus.SUCCESS);
        assertEquals(charged + 2, shares.wqes[0]);
    }

    @Test
    void anEndlessChainHasTurnsOfAFewWqesAndItsNeighboursHaveTheirs() {
        endless();
        Party sender = new Party(worker, "sender", 2);
        Party receiver = new Party(worker, "receiver", 3);
        Party.connect(worker, sender, receiver);
        for (int i = 0; i < 3; i++) {
            long before = one.state().executed();
            receiver.receive(0, 64);
            sender.send(0, 8);
            sender.ring();
            int count = 0;
            while (!receiver.hasReceived()) {
                assertTrue(worker.round(nowNs) && ++count <= 4, "the message waits for the chain");
            }
            receiver.expectReceived(WcStatus.SUCCESS);
            long executed = one.state().executed() - before;
            assertTrue(executed <= 4L * TenantChains.RUN_WQES, "executed=" + executed);
        }
        assertTrue(worker.round(nowNs), "it has an end");
    }

    @Test
    void aChainThatIsCutOffStopsAndItsQpsAreInErr() {
        ChainParty.Queue loop = endless();
        worker.round(nowNs);
        one.device.chains(ChainsNote.of(ChainsNote.CUT_OFF, ChainParty.PD));
        rounds();
        long executed = one.state().executed();
        assertTrue(one.state().cutOff());
        assertEquals(QueuePairState.ERR, loop.state());
        assertEquals(2, one.failures);
        loop.ring();
        rounds();
        assertEquals(executed, one.state().executed());
    }

    @Test
    void aTenantsChainsHaveNoMoreThanItsBudgetWhateverTheirNumber() {
        Quota quota = new Quota(64, 64, 64, 64, 1 << 20, 64, 64, 0, 0, 100_000, 10);
        Worker bounded = new Worker(new Chunks(id -> quota), Spin.ADAPTIVE, slab -> true, () -> nowNs);
        ChainParty[] parties = {new ChainParty(bounded, "one", 1), new ChainParty(bounded, "one", 2)};
        for (ChainParty party : parties) {
            for (int qpn = 100; qpn <= 101; qpn++) {
                ChainParty.Queue queue = party.new Queue(qpn - 100, qpn, qpn == 101 ? MANAGED : 0);
                bounded.connect(party.device, qpn, party.device, qpn);
                for (int i = 1; qpn == 101 && i <= ChainParty.BLOCKS; i++) {
                    queue.order(Wqe.SEND_ENABLE, 101, (i & 3) << 14);
                }
                if (qpn == 100) {
                    queue.order(Wqe.SEND_ENABLE, 101, 1 << 14);
                    queue.ring();
                }
            }
        }
        long begun = 0;
        for (int ms = 0; ms <= 1100; ms++, nowNs += 1_000_000) {
            for (int i = 0; i < 50 && bounded.round(nowNs); i++) {
                continue;
            }
            if (ms == 100) {
                begun = parties[0].state().executed() + parties[1].state().executed();
            }
        }
        long executed = parties[0].state().executed() + parties[1].state().executed() - begun;
        assertTrue(Math.abs(executed - 100_000) <= 3_000, "WQEs in a second=" + executed);
    }

    @Test
    void aLimitOfTheOwnersOwnIsKept() {
        endless();
        one.device.chains(new ChainsNote(ChainsNote.LIMIT, ChainParty.PD, 1000, 10));
        rounds();
        long before = one.state().executed();
        for (int i = 0; i < 100; i++) {
            nowNs += 1_000_000;
            rounds();
        }
        long executed = one.state().executed() - before;
        assertTrue(executed >= 90 && executed <= 101, "executed=" + executed);
    }

    @Test
    void aKeyOfAnotherDeviceOpensNothing() {
        ChainParty other = new ChainParty(worker, "other", 2);
        ChainParty.Queue queue = loopback(0, 100, 0);
        queue.write(0, 8, other.data(0), other.rkey);
        queue.ring();
        rounds();
        assertEquals(WcStatus.REM_ACCESS_ERR, queue.poll());
        assertEquals(QueuePairState.ERR, queue.state());
    }

    @Test
    void theNumberThatTheOwnerKnowsAKeyByOpensNothing() {
        ChainParty.Queue queue = loopback(0, 100, 0);
        queue.write(0, 8, one.data(64), ChainParty.KEY);
        queue.ring();
        rounds();
        assertEquals(WcStatus.REM_ACCESS_ERR, queue.poll());
    }

    @Test
    void aTransferThatWouldHoldOthersUpIsRefused() {
        ChainParty.Queue queue = loopback(0, 100, 0);
        queue.write(0, TenantChains.MOST_BYTES, one.data(TenantChains.MOST_BYTES), one.rkey);
        queue.write(0, TenantChains.MOST_BYTES + 1, one.data(TenantChains.MOST_BYTES), one.rkey);
        queue.ring();
        rounds();
        assertEquals(WcStatus.SUCCESS, queue.poll());
        assertEquals(WcStatus.LOC_LEN_ERR, queue.poll());
    }

    @Test
    void aTurnEndsWhenItHasMovedMuch() {
        ChainParty.Queue kick = loopback(0, 100, 0);
        ChainParty.Queue queue = loopback(1, 101, MANAGED);
        for (int i = 0; i < 8; i++) {
            queue.write(0, TenantChains.MOST_BYTES, one.data(TenantChains.MOST_BYTES), one.rkey);
        }
        kick.order(Wqe.SEND_ENABLE, 101, 8);
        kick.ring();
        worker.round(nowNs);
        assertTrue(one.state().executed() <= 3, "executed=" + one.state().executed());
        rounds();
        assertEquals(9, one.state().executed());
    }

    @Test
    void aRingIsNotReadBeyondWhatItsOwnerFilled() {
        ChainParty.Queue queue = loopback(0, 100, 0);
        queue.nop();
        queue.ring(ChainParty.BLOCKS + 1);
        rounds();
        assertEquals(QueuePairState.ERR, queue.state());
        assertEquals(1, one.failures);
    }

    @Test
    void aPeerThatGoesIsNotTouchedAnyMoreThoughAnotherHasItsPlace() {
        ChainParty other = new ChainParty(worker, "other", 2);
        ChainParty.Queue from = one.new Queue(0, 100, 0);
        ChainParty.Queue to = other.new Queue(0, 200, 0);
        worker.connect(one.device, 100, other.device, 200);
        worker.connect(other.device, 200, one.device, 100);
        to.receive(0, 64);
        from.send(0, 8);
        from.ring();
        rounds();
        assertEquals(WcStatus.SUCCESS, from.poll());
        other.device.destroyQp(200);
        to.create(0);
        other.device.destroyQp(200); // the router's memory of a QP and of its queue are taken in turn
        to.create(0); // where the first one was, in the router's memory, too
        to.receive(0, 64);
        worker.connect(other.device, 200, other.device, 200);
        from.send(0, 8);
        from.ring();
        rounds();
        assertEquals(WcStatus.RETRY_EXC_ERR, from.poll());
        assertEquals(QueuePairState.ERR, from.state());
        assertEquals(1, to.produced(), "it was delivered to a stranger");
    }

    @Test
    void whatGoesBetweenThePeersOfTwoTenantsWaitsForAReceive() {
        ChainParty other = new ChainParty(worker, "other", 2);
        ChainParty.Queue from = one.new Queue(0, 100, 0);
        ChainParty.Queue to = other.new Queue(0, 200, 0);
        worker.connect(one.device, 100, other.device, 200);
        worker.connect(other.device, 200, one.device, 100);
        one.put(0, 5);
        from.send(0, 8);
        from.ring();
        rounds();
        assertNull(from.poll());
        to.receive(0, 64);
        nowNs += 1_000_000;
        rounds();
        assertEquals(WcStatus.SUCCESS, from.poll());
        assertEquals(WcStatus.SUCCESS, to.poll());
        assertEquals(5, other.get(0));
    }

    @Test
    void aDomainsChainsHaveSoManyMembersAndNoMore() {
        for (int i = 0; i < 32; i++) {
            one.new Queue(i, 100 + i, 0);
        }
        RefusedException e = assertThrows(RefusedException.class, () -> one.new Queue(32, 200, 0));
        assertEquals(Refusal.QUOTA, e.refusal());
        one.device.destroyQp(100);
        one.device.destroyCq(1000);
        assertNotNull(one.new Queue(33, 201, 0));
    }

    @Test
    void whatIsOfNoChainsDoesNotGoWithWhatIs() {
        one.device.create(new CqNote(7, one.slab.base() + 38 * ChainParty.QUEUE_BYTES, 16, 64, 0));
        ChainParty.Queue queue = one.new Queue(0, 100, 0);
        QpNote mixed = new QpNote(300, ChainParty.PD, one.slab.base() + 39 * ChainParty.QUEUE_BYTES, 8, 64, 16, 768, 7,
                queue.cq(), 0, QpNote.CROSS_CHANNEL, 0, 2, 1000, 0);
        assertThrows(RefusedException.class, () -> one.device.create(mixed));
        assertThrows(RefusedException.class,
                () -> one.device.chains(ChainsNote.of(ChainsNote.CLOSE, ChainParty.PD)), "it has a QP");
        assertThrows(RefusedException.class, () -> one.device.chains(ChainsNote.of(ChainsNote.OPEN, ChainParty.PD)));
        one.device.destroyQp(100);
        assertNull(one.device.chains(ChainsNote.of(ChainsNote.CLOSE, ChainParty.PD)));
        assertThrows(RefusedException.class, () -> one.state());
        one.device.destroyCq(queue.cq());
    }

    @Test
    void aDeviceThatEndsInTheMiddleOfAChainLeavesNothingBehind() {
        endless();
        worker.round(nowNs);
        one.device.end();
        rounds();
        assertFalse(worker.round(nowNs));
        assertNull(one.expelled);
    }
}
