package org.jvrpc.softrnic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteOrder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.softrnic.ChainEnd.Queue;
import org.jvrpc.softrnic.chain.ChainGroup;
import org.jvrpc.softrnic.queue.SendEngine;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.WorkCompletion;
import org.jvrpc.verbs.contract.Deadline;

/** What cross-channel queues do: who waits, who runs how far, who sees a change of a WQE. */
class ChainTest {

    private final ChainEnd end = new ChainEnd(ShmUnderTest.open());
    private final WorkCompletion wc = new WorkCompletion();

    @AfterEach
    void close() {
        end.close();
    }

    private void value(int offset, long value) {
        end.memory.putLong(offset, value);
    }

    private long value(int offset) {
        return end.memory.getLong(offset);
    }

    private Code copy(int from, int to) {
        return Code.write(end.mr.address() + to, end.mr.rkey(), end.piece(from, 8));
    }

    @Test
    void aManagedQueueRunsAsFarAsItIsEnabledAndNotFurther() {
        value(0, 7);
        Queue kick = end.loopback(8, false, true);
        Queue worker = end.loopback(8, true, true);
        worker.load(0, copy(0, 64), copy(0, 128), copy(0, 192));
        assertEquals(0, value(64), "a managed queue ran without an ENABLE");
        kick.post(Code.enable(worker.qp, 2));
        assertEquals(7, value(64));
        assertEquals(7, value(128));
        assertEquals(0, value(192), "ran past its limit");
        kick.post(Code.enable(worker.qp, 1));
        assertEquals(0, value(192), "a lower limit had an effect");
        kick.post(Code.enable(worker.qp, 3));
        assertEquals(7, value(192));
    }

    /** Each queue enables the next, one way and then the other, some of them twice: all run, each as far as it may. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void queuesThatEnableEachOtherAllRunInWhicheverOrderTheyWereMade(boolean backwards) {
        Queue kick = end.loopback(8, false, true);
        Queue[] all = new Queue[6];
        for (int i = 0; i < all.length; i++) {
            all[i] = end.loopback(16, true, true);
        }
        for (int i = 0; i < all.length; i++) {
            int to = backwards ? i - 1 : i + 1;
            Queue next = to < 0 || to == all.length ? all[backwards ? all.length - 1 : 0] : all[to];
            int laps = next == all[backwards ? all.length - 1 : 0] ? 1 : 0; // where the round began
            all[i].load(0, copy(8 * i, 64 + 8 * i).signalled(), Code.enable(next.qp, 2 + laps),
                    Code.enable(next.qp, 2 + laps), copy(8 * i, 128 + 8 * i));
            value(8 * i, i + 1);
        }
        Queue last = all[backwards ? 0 : all.length - 1];
        kick.post(Code.waitFor(last.cq, 0), copy(0, 192)); // waits until the end of the round
        kick.post(Code.enable(all[backwards ? all.length - 1 : 0].qp, 2)); // is behind that WAIT
        assertEquals(0, value(64), "nothing was enabled yet");
        Queue second = end.loopback(8, false, true);
        second.post(Code.enable(all[backwards ? all.length - 1 : 0].qp, 2));
        for (int i = 0; i < all.length; i++) {
            assertEquals(i + 1, value(64 + 8 * i), "queue " + i);
            assertEquals(0, value(128 + 8 * i), "queue " + i + " ran past its limit");
        }
        assertEquals(1, value(192), "who waited goes on");
    }

    @Test
    void aQueueThatIsThroughAndIsEnabledAgainRunsAgain() {
        value(0, 7);
        Queue kick = end.loopback(8, false, true);
        Queue worker = end.loopback(8, true, true);
        Queue helper = end.loopback(8, true, true);
        helper.load(0, Code.nop().signalled(), Code.nop().signalled());
        worker.load(0, Code.enable(helper.qp, 1), Code.waitFor(helper.cq, 0), Code.enable(helper.qp, 2),
                Code.waitFor(helper.cq, 1), copy(0, 64));
        kick.post(Code.enable(worker.qp, 5));
        assertEquals(7, value(64));
    }

    @Test
    void aDoorbellThatMeetsSomebodyElseAtWorkIsNotLost() {
        value(0, 7);
        Queue queue = end.loopback(8, false, true);
        ChainGroup group = ((SoftChains) end.chains).group();
        assertTrue(group.claim(), "the claim of one who then loses the processor");
        queue.post(copy(0, 64));
        assertEquals(0, value(64), "ran without the claim");
        assertFalse(queue.cq.poll(wc));
        group.release();
        assertFalse(queue.cq.poll(wc), "it is not signalled");
        assertEquals(7, value(64), "the poll rang again");
    }

    @Test
    void aDoorbellOfAManagedQueueIsIgnored() {
        value(0, 7);
        Queue worker = end.loopback(8, true, true);
        worker.post(copy(0, 64));
        assertEquals(0, value(64));
    }

    @Test
    void waitHoldsItsQueueUntilTheCompletionIsThere() {
        value(0, 7);
        Queue first = end.loopback(8, false, true);
        Queue second = end.loopback(8, false, true);
        second.post(Code.waitFor(first.cq, 1), copy(0, 64));
        assertEquals(0, value(64));
        first.post(Code.nop().signalled());
        assertEquals(0, value(64), "one completion is not two");
        first.post(Code.nop());
        assertEquals(0, value(64), "a WQE that is not signalled makes no completion");
        first.post(Code.nop().signalled());
        assertEquals(7, value(64));
    }

    /** The same change of a WQE by the WQE before it: lost in work-queue order, seen in doorbell order. */
    private long addressChangedBy(boolean managed) {
        value(0, 7);
        value(32, Long.reverseBytes(end.mr.address() + 256));
        Queue gate = end.loopback(8, false, true);
        Queue worker = end.loopback(8, managed, true);
        Code change = Code.write(worker.at(2) + Wqe.REMOTE, worker.code.rkey(), end.piece(32, 8));
        worker.load(0, Code.waitFor(gate.cq, 0), change, copy(0, 64));
        if (managed) {
            gate.post(Code.enable(worker.qp, 3));
        } else {
            // One doorbell for all three: they are fetched together.
            long[] words = Code.words(worker.qp, 0, Code.waitFor(gate.cq, 0), change, copy(0, 64));
            worker.qp.load(0, words);
            ringFor(worker, 3);
        }
        gate.post(Code.nop().signalled());
        return value(256);
    }

    private static void ringFor(Queue queue, int blocks) {
        ((SoftQueuePair) queue.qp.control()).engine().ring(blocks);
    }

    @Test
    void workQueueOrderLosesAChangeOfTheNextWqe() {
        assertEquals(0, addressChangedBy(false));
        assertEquals(7, value(64));
    }

    @Test
    void doorbellOrderSeesAChangeOfTheNextWqe() {
        assertEquals(7, addressChangedBy(true));
        assertEquals(0, value(64));
    }

    @Test
    void aPrefetchingManagedQueueRunsWqesAsTheyWereWhenAnEnableAllowedThem() {
        ((SoftChains) end.chains).group().prefetchManaged(true);
        assertEquals(0, addressChangedBy(true));
        assertEquals(7, value(64), "it ran, but as it was fetched");
    }

    @Test
    void aPrefetchingManagedQueueSeesAChangeBeforeTheEnable() {
        ((SoftChains) end.chains).group().prefetchManaged(true);
        value(0, 7);
        value(32, Long.reverseBytes(end.mr.address() + 256));
        Queue gate = end.loopback(8, false, true);
        Queue worker = end.loopback(8, true, true);
        assertTrue(worker.qp.prefetches());
        Code change = Code.write(worker.at(3) + Wqe.REMOTE, worker.code.rkey(), end.piece(32, 8)).signalled();
        worker.load(0, change, Code.waitFor(worker.cq, 0), Code.enable(worker.qp, 4), copy(0, 64));
        gate.post(Code.enable(worker.qp, 3));
        assertEquals(7, value(256));
        assertEquals(0, value(64));
    }

    @Test
    void completionOrderWaitsForDataButNotForCode() {
        // Data that another queue writes is seen after WAIT; a WQE that it changes meanwhile is not.
        value(0, 7);
        value(8, 9);
        value(32, Long.reverseBytes(end.mr.address() + 256));
        Queue worker = end.loopback(8, false, true);
        Queue other = end.loopback(8, false, true);
        worker.qp.load(0, Code.words(worker.qp, 0, Code.waitFor(other.cq, 0), copy(0, 64)));
        ringFor(worker, 2);
        other.post(Code.write(worker.at(1) + Wqe.REMOTE, worker.code.rkey(), end.piece(32, 8)), copy(8, 0).signalled());
        assertEquals(9, value(64), "data written before the completion");
        assertEquals(0, value(256), "code written before the completion");
    }

    @Test
    void aRingGoesRoundWhileThresholdsOnlyRise() {
        value(0, 0);
        value(8, 1);
        Queue kick = end.loopback(8, false, true);
        Queue worker = end.loopback(4, true, false);
        Code add = Code.fetchAndAdd(end.mr.address(), end.mr.rkey(), 1, end.piece(64, 8));
        for (int i = 0; i < worker.qp.sendRingBlocks(); i++) {
            worker.load(i, Code.fetchAndAdd(end.mr.address(), end.mr.rkey(), 1, end.piece(64, 8)));
        }
        assertEquals(1, add.blocks());
        int total = 0;
        for (int limit = 30_000; limit < 300_000; limit += 30_000) {
            kick.post(Code.enable(worker.qp, limit));
            while (end.chains.executed() < limit) {
                ((SoftQueuePair) worker.qp.control()).engine().progress();
            }
            kick.cq.poll(wc);
            total = limit;
            assertEquals(total, value(0));
            if (limit / 30_000 % 7 == 0) {
                kick.post(Code.nop().signalled());
                assertTrue(kick.cq.poll(wc));
            }
        }
    }

    @Test
    void checkedQueuesRefuseAWrongIndexAndOthersCarryOperandsThere() {
        Queue kick = end.loopback(8, false, true);
        Queue checked = end.loopback(8, true, true);
        Queue free = end.loopback(8, true, false);
        long operands = 0x123456_00_abcdef_01L; // a NOP of one segment
        checked.load(0, Code.nop().control(operands));
        free.load(0, Code.nop().control(operands).signalled());
        kick.post(Code.enable(checked.qp, 1), Code.enable(free.qp, 1));
        assertTrue(checked.cq.poll(wc));
        assertEquals(WcStatus.LOC_QP_OP_ERR, wc.status());
        assertEquals(QueuePairState.ERR, checked.qp.state());
        assertEquals(QueuePairState.RTS, free.qp.state());
    }

    @Test
    void calcVerbsWriteOneWord() {
        end.memory.order(ByteOrder.BIG_ENDIAN);
        value(0, 0xff00ff00_00000001L);
        value(8, 0x0ff00ff0_00000003L);
        Queue queue = end.loopback(8, false, true);
        long[] expected = {
            0xff00ff00_00000001L + 0x0ff00ff0_00000003L, 0, 0xff00ff00_00000001L,
            0xff00ff00_00000001L & 0x0ff00ff0_00000003L, 0xff00ff00_00000001L | 0x0ff00ff0_00000003L,
            0xff00ff00_00000001L ^ 0x0ff00ff0_00000003L};
        for (int opmod : new int[] {Wqe.CALC_ADD, Wqe.CALC_MAX, Wqe.CALC_AND, Wqe.CALC_OR, Wqe.CALC_XOR}) {
            queue.post(Code.calc(opmod, end.mr.address() + 64, end.mr.rkey(), end.piece(0, 16)));
            assertEquals(expected[opmod - 1], value(64), "opmod=" + opmod);
        }
        queue.post(Code.calc(2, end.mr.address() + 64, end.mr.rkey(), end.piece(0, 16)));
        assertTrue(queue.cq.poll(wc));
        assertEquals(WcStatus.LOC_QP_OP_ERR, wc.status(), "floating point is not calculated");
    }

    @Test
    void maskedAtomicsLookAtAndChangeTheirBitsOnly() {
        Queue queue = end.loopback(8, false, true);
        value(0, 0x00ff_ffff_00ff_00ffL);
        queue.post(Code.maskedFetchAndAdd(end.mr.address(), end.mr.rkey(), 0x0001_0001_0001_0001L,
                0x8000_8000_8000_8000L, end.piece(64, 8)));
        assertEquals(0x0100_0000_0100_0100L, value(0), "no carry out of a field");
        assertEquals(0x00ff_ffff_00ff_00ffL, value(64), "the old value comes back");
        queue.post(Code.maskedCompareAndSwap(end.mr.address(), end.mr.rkey(), 0x0100L, 0xffff_ffff_ffff_ffffL,
                0xffffL, 0xff00_0000_0000_0000L, end.piece(64, 8)));
        assertEquals(0xff00_0000_0100_0100L, value(0));
        queue.post(Code.maskedCompareAndSwap(end.mr.address(), end.mr.rkey(), 0x0101L, 0L, 0xffffL, ~0L,
                end.piece(64, 8)));
        assertEquals(0xff00_0000_0100_0100L, value(0), "compared and found different");
    }

    @Test
    void aKeyOfAnotherDomainIsRefusedBothWays() {
        ChainEnd other = new ChainEnd(end.device);
        Queue queue = end.loopback(8, false, true);
        queue.post(Code.write(other.mr.address(), other.mr.rkey(), end.piece(0, 8)));
        assertTrue(queue.cq.poll(wc));
        assertEquals(WcStatus.REM_ACCESS_ERR, wc.status());
        Queue second = end.loopback(8, false, true);
        second.post(Code.write(end.mr.address(), end.mr.rkey(), other.piece(0, 8)));
        assertTrue(second.cq.poll(wc));
        assertEquals(WcStatus.LOC_PROT_ERR, wc.status());
    }

    @Test
    void enableAndWaitReachTheirOwnDomainOnly() {
        ChainEnd other = new ChainEnd(end.device);
        Queue victim = other.loopback(8, true, true);
        Queue queue = end.loopback(8, false, true);
        queue.post(Code.enable(victim.qp, 1));
        assertTrue(queue.cq.poll(wc));
        assertEquals(WcStatus.LOC_QP_OP_ERR, wc.status());
        Queue second = end.loopback(8, false, true);
        second.post(Code.waitFor(victim.cq, 0));
        assertTrue(second.cq.poll(wc));
        assertEquals(WcStatus.LOC_QP_OP_ERR, wc.status());
    }

    /** Returns milliseconds, one more for what is begun. */
    private static long millisSince(long startNs) {
        return (System.nanoTime() - startNs) / 1_000_000 + 1;
    }

    @Test
    void anEndlessLoopIsHeldToItsRateAndCutOff() {
        Queue kick = end.loopback(8, false, true);
        Queue worker = end.loopback(4, true, false);
        // Enables itself without end: the limit is always half of the counter's range ahead.
        long startNs = System.nanoTime();
        end.chains.limitRate(1000, 100);
        Code[] loop = new Code[worker.qp.sendRingBlocks()];
        for (int i = 0; i < loop.length; i++) {
            loop[i] = Code.nop();
        }
        worker.load(0, loop);
        kick.post(Code.enable(worker.qp, 0x7000));
        long executed = end.chains.executed();
        assertTrue(executed <= 102 + millisSince(startNs), "a burst of 100 executed " + executed);
        SendEngine engine = ((SoftQueuePair) worker.qp.control()).engine();
        assertTrue(engine.isStalled());
        Deadline deadline = Deadline.usual();
        while (end.chains.executed() < executed + 50) {
            engine.progress();
            deadline.turn(() -> "executed " + end.chains.executed());
        }
        long all = end.chains.executed();
        assertTrue(all <= 102 + millisSince(startNs), "a burst of 100 and then 1000/s executed " + all + " in ms="
                + millisSince(startNs));
        end.chains.cutOff();
        assertTrue(end.chains.isCutOff());
        long atTheEnd = end.chains.executed();
        engine.progress();
        assertEquals(QueuePairState.ERR, worker.qp.state());
        assertEquals(atTheEnd, end.chains.executed());
    }

    @Test
    void crossChannelCqsNeverOverrunAndCountWhatNobodyPolled() {
        Queue queue = end.loopback(8, false, true);
        for (int i = 0; i < 1000; i++) {
            ringForNop(queue, i);
        }
        Queue second = end.loopback(8, false, true);
        value(0, 7);
        second.post(Code.waitFor(queue.cq, 999), copy(0, 64), Code.waitFor(queue.cq, 1000), copy(0, 128));
        assertEquals(7, value(64));
        assertEquals(0, value(128));
        assertTrue(queue.cq.poll(wc), "the newest are there");
    }

    private static void ringForNop(Queue queue, int i) {
        queue.load(i, Code.nop().signalled());
        ringFor(queue, i + 1);
    }

    @Test
    void cqsAndQpsMustBothBeForChainsAndOfOneDomain() {
        CompletionQueue plain = end.device.createCq(CompletionQueueAttributes.ofDepth(8));
        CompletionQueue chained = end.device.createCq(CompletionQueueAttributes.ofChains(8));
        assertThrows(VerbsException.class,
                () -> end.pd.createQp(new QueuePairAttributes(plain, plain).crossChannel(true)));
        assertThrows(VerbsException.class, () -> end.pd.createQp(new QueuePairAttributes(chained, chained)));
        end.pd.createQp(new QueuePairAttributes(chained, chained).crossChannel(true));
        ChainEnd other = new ChainEnd(end.device);
        assertThrows(VerbsException.class,
                () -> other.pd.createQp(new QueuePairAttributes(chained, chained).crossChannel(true)));
        assertFalse(plain.poll(wc));
    }
}
