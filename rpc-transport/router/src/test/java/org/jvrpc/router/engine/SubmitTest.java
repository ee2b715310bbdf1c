package org.jvrpc.router.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.Cqe;
import org.jvrpc.router.Spin;
import org.jvrpc.softrnic.router.wire.SubmitRing;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.WcStatus;

/** Messages and doorbells that a tenant puts into its QP's submit ring, as the worker takes them, round by round. */
final class SubmitTest {

    private static final int ROUNDS = 1000;

    private final EqualShares shares = new EqualShares();
    private long nowNs = Long.MAX_VALUE - 1_000_000; // it comes round
    private final Worker worker = new Worker(shares, Spin.ADAPTIVE, slab -> true, () -> nowNs);
    private final Party one = new Party(worker, "one", 1);
    private final Party other = new Party(worker, "other", 2);

    SubmitTest() {
        Party.connect(worker, one, other);
    }

    private void rounds() {
        int count = 0;
        while (worker.round(nowNs)) {
            assertTrue(++count < ROUNDS, "the worker comes to no end");
        }
    }

    /** Has the QP served, so that it is hot. */
    private void warm() {
        one.ring();
        rounds();
        assertTrue(one.isHot());
    }

    private void expectBytes(int length, int offset, int value) {
        int cqe = other.expectReceived(WcStatus.SUCCESS);
        assertEquals(length, BigEndian.getInt(other.memory, cqe + Cqe.BYTE_COUNT));
        assertTrue(other.has(offset, length, value), "the message is another");
    }

    @ParameterizedTest
    @ValueSource(ints = {33, 40, 111, SubmitRing.MAX_MESSAGE})
    void aMessageIsDeliveredWithoutADoorbell(int length) {
        warm();
        other.receive(0, 128);
        one.push(length, 7);
        rounds();
        expectBytes(length, 0, 7);
        assertFalse(one.hasSent(), "it was not to be signalled");
    }

    @Test
    void messagesAndWqesKeepTheirOrder() {
        warm();
        for (int i = 0; i < 4; i++) {
            other.receive(100 * i, 100);
        }
        one.fill(0, 50, 1);
        one.fill(200, 50, 3);
        one.send(0, 50);
        one.push(50, 2);
        one.send(200, 50);
        one.push(50, 4);
        one.ring();
        rounds();
        for (int i = 0; i < 4; i++) {
            expectBytes(50, 100 * i, i + 1);
        }
        one.expectSent(WcStatus.SUCCESS);
        one.expectSent(WcStatus.SUCCESS);
    }

    @Test
    void aDoorbellInTheRingRingsForWhatIsBeforeIt() {
        warm();
        other.receive(0, 64);
        one.fill(0, 50, 1);
        one.send(0, 50);
        one.submitRing();
        rounds();
        expectBytes(50, 0, 1);
    }

    @Test
    void aMessageThatFindsNoReceiveWaitsAndIsNotReadAgain() {
        warm();
        one.push(50, 7);
        rounds();
        assertFalse(other.hasReceived());
        for (int i = 0; i < 50; i++) {
            one.memory.put(Party.SUBMIT + SubmitRing.entry(0) + SubmitRing.MESSAGE + i, (byte) 99);
        }
        other.receive(0, 64);
        nowNs += 20_000;
        rounds();
        expectBytes(50, 0, 7);
    }

    @Test
    void aMessageToNobodyFailsUnderItsNumber() {
        warm();
        other.device.destroyQp(other.qpn);
        one.push(50, 7);
        rounds();
        one.expectSent(WcStatus.RETRY_EXC_ERR);
        assertEquals(QueuePairState.ERR, one.state());
    }

    @ParameterizedTest
    @CsvSource({"3, 10, 0", "0, 10, 0", "1, 0, 0", "1, 113, 0", "1, 255, 0", "1, 10, -1", "1, 10, 9", "2, 0, 9"})
    void whatCannotBeSubmittedEndsTheQp(int kind, int length, int number) {
        warm();
        other.receive(0, 128);
        one.submit(kind, length, number);
        rounds();
        assertEquals(QueuePairState.ERR, one.state());
        assertEquals(1, one.failures.get());
        assertFalse(other.hasReceived());
        assertFalse(worker.round(nowNs), "the worker looks at it again and again");
    }

    @Test
    void aDoorbellBeyondTheRingEndsTheQp() {
        warm();
        one.submitRing(9);
        rounds();
        assertEquals(QueuePairState.ERR, one.state());
        assertFalse(worker.round(nowNs), "the worker looks at it again and again");
    }

    @Test
    void anOldDoorbellIsNone() {
        warm();
        for (int i = 0; i < 3; i++) {
            other.receive(64 * i, 64);
            one.push(50, i);
        }
        one.submitRing(1);
        rounds();
        for (int i = 0; i < 3; i++) {
            expectBytes(50, 64 * i, i);
        }
        assertEquals(QueuePairState.RTS, one.state());
        assertFalse(worker.round(nowNs), "the worker looks at it again and again");
    }

    @Test
    void doorbellsOfAFullRingAreOne() {
        warm();
        for (int i = 0; i < Party.ENTRIES; i++) {
            other.receive(0, 64);
            one.send(0, 10);
            one.submitRing();
        }
        rounds();
        for (int i = 0; i < Party.ENTRIES; i++) {
            other.expectReceived(WcStatus.SUCCESS);
        }
    }

    @Test
    void whoRangIsToldThatItWasHeardBeforeTheLook() {
        Worker unseeing = new Worker(shares, Spin.NEVER, slab -> true, () -> nowNs);
        Party alone = new Party(unseeing, "alone", 1);
        unseeing.connect(alone.device, alone.qpn, alone.device, alone.qpn);
        int before = alone.heed();
        alone.ring();
        assertEquals(before, alone.heed(), "nobody has looked");
        assertTrue(unseeing.round(nowNs));
        assertFalse(alone.isHot());
        assertNotEquals(before, alone.heed(), "what comes later is to be rung for again");
    }

    @Test
    void aRingThatIsGoneRoundManyTimesLosesNothing() {
        warm();
        for (int i = 0; i < 5 * SubmitRing.ENTRIES; i++) {
            other.receive(0, 64);
            one.push(50, i);
            rounds();
            expectBytes(50, 0, i);
            other.free();
        }
        int behind = 5 * SubmitRing.ENTRIES - SubmitRing.taken(one.memory, Party.SUBMIT);
        assertTrue(behind < SubmitRing.ENTRIES, "entries that its owner cannot use again=" + behind);
    }

    @Test
    void aSilentQpIsNotLookedAtUntilItsOwnerRings() {
        warm();
        other.receive(0, 64);
        nowNs += Hot.SILENT_NS + 1;
        rounds();
        assertFalse(one.isHot());
        one.push(50, 7);
        rounds();
        assertFalse(other.hasReceived());
        one.ring(); // as its owner does that sees it is not hot
        rounds();
        expectBytes(50, 0, 7);
        assertTrue(one.isHot());
    }

    @Test
    void aCrowdThatIsSilentIsOnNoListAndCostsTheBusyOneNothing() {
        List<Party> crowd = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            Party member = new Party(worker, "crowd-" + i, 3 + i);
            worker.connect(member.device, member.qpn, member.device, member.qpn);
            member.ring();
            crowd.add(member);
        }
        warm();
        assertEquals(11, worker.looksAt());
        for (int i = 0; i < 3; i++) {
            nowNs += Hot.SILENT_NS / 2 + 1;
            other.receive(0, 64);
            one.push(50, 7);
            rounds();
            expectBytes(50, 0, 7);
        }
        assertEquals(1, worker.looksAt());
        assertTrue(one.isHot());
        crowd.forEach(member -> assertFalse(member.isHot()));
    }

    @Test
    void aTenantWithManyBusyQpsKeepsNobodyElseFromBeingLookedAt() {
        List<Party> greedy = new ArrayList<>();
        for (int i = 0; i < Hot.SIZE + 3; i++) {
            Party member = new Party(worker, "greedy", 3 + i);
            worker.connect(member.device, member.qpn, member.device, member.qpn);
            member.ring();
            greedy.add(member);
        }
        rounds();
        assertEquals(Hot.SIZE, worker.looksAt());
        warm();
        assertTrue(one.isHot());
        assertEquals(Hot.SIZE, worker.looksAt());
        assertEquals(Hot.SIZE - 1, greedy.stream().filter(Party::isHot).count());
    }

    @Test
    void whatWasSubmittedBeforeTheWorkerTurnsAwayIsFound() {
        warm();
        other.receive(0, 64);
        one.push(50, 7);
        nowNs += Hot.SILENT_NS + 1;
        rounds();
        expectBytes(50, 0, 7);
    }

    @Test
    void aLookInVainIsCharged() {
        warm();
        int before = shares.wqes[0];
        one.ring();
        rounds();
        assertEquals(before + 1, shares.wqes[0]);
    }
}
