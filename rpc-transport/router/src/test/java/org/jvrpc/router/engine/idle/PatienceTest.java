package org.jvrpc.router.engine.idle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When the processor is left to others, by a clock that only yields move. */
final class PatienceTest {

    private static final long UNTAKEN_NS = 300;
    private static final long TURN_NS = 5_000;
    private static final long SLICE_NS = 3_000_000;

    private long nowNs = Long.MAX_VALUE - 1_000; // it comes round
    private long yieldNs = UNTAKEN_NS;
    private int yields;
    private final Patience patience = new Patience(() -> nowNs, this::yield);

    private void yield() {
        yields++;
        nowNs += yieldNs;
    }

    private void share() {
        yieldNs = TURN_NS;
        patience.idle(nowNs);
        nowNs += Patience.LOOKS_NS;
        for (int i = 0; i < Patience.SHORT_TURNS; i++) {
            assertTrue(patience.idle(nowNs));
        }
        patience.busy();
        yields = 0;
    }

    private void loseSlices() {
        yieldNs = SLICE_NS;
        patience.idle(nowNs);
        nowNs += Patience.LOOKS_NS;
        for (int i = 0; i < Patience.LOSSES; i++) {
            assertTrue(patience.idle(nowNs), "loss " + i);
        }
        patience.busy();
        yields = 0;
    }

    @Test
    void aShortWaitKeepsTheProcessor() {
        assertTrue(patience.idle(nowNs));
        nowNs += Patience.LOOKS_NS - 1;
        assertTrue(patience.idle(nowNs));
        assertEquals(0, yields);
    }

    @Test
    void aLongWaitYields() {
        assertTrue(patience.idle(nowNs));
        nowNs += Patience.LOOKS_NS;
        assertTrue(patience.idle(nowNs));
        assertEquals(1, yields);
    }

    @Test
    void aSharedProcessorIsLeftAtOnce() {
        share();
        assertTrue(patience.idle(nowNs));
        assertEquals(1, yields);
    }

    @Test
    void aProcessorThatNobodyTakesIsKeptAgain() {
        share();
        yieldNs = UNTAKEN_NS;
        for (int i = 0; i < Patience.UNTAKEN; i++) {
            patience.idle(nowNs);
            patience.busy();
        }
        assertEquals(Patience.UNTAKEN, yields);
        patience.idle(nowNs);
        assertEquals(Patience.UNTAKEN, yields);
    }

    @Test
    void whoComputesMeanwhileDoesNotShare() {
        yieldNs = Patience.SHORT_TURN_NS + 1;
        patience.idle(nowNs);
        nowNs += Patience.LOOKS_NS;
        for (int i = 0; i < 10; i++) {
            patience.idle(nowNs);
        }
        patience.busy();
        yields = 0;
        patience.idle(nowNs);
        assertEquals(0, yields);
    }

    @Test
    void lostTimeSlicesMakeItSleepButForATrialNowAndThen() {
        loseSlices();
        for (int i = 0; i < Patience.WAITS_PER_TRIAL; i++) {
            assertFalse(patience.idle(nowNs), "wait " + i);
            patience.busy();
        }
        assertEquals(0, yields);
        patience.idle(nowNs);
        nowNs += Patience.LOOKS_NS;
        assertTrue(patience.idle(nowNs));
        assertEquals(1, yields);
        patience.busy();
        assertFalse(patience.idle(nowNs), "the trial was lost as well");
    }

    @Test
    void aYieldThatCostsLittleEndsThat() {
        loseSlices();
        for (int i = 0; i < Patience.WAITS_PER_TRIAL; i++) {
            patience.idle(nowNs);
            patience.busy();
        }
        yieldNs = UNTAKEN_NS;
        patience.idle(nowNs);
        nowNs += Patience.LOOKS_NS;
        assertTrue(patience.idle(nowNs));
        patience.busy();
        assertTrue(patience.idle(nowNs));
    }

    /** Has it work for so long, a round each microsecond; returns how often it left the processor. */
    private int work(Patience worker, long forNs) {
        yields = 0;
        for (long endNs = nowNs + forNs; nowNs - endNs < 0; nowNs += 1_000) {
            worker.worked(nowNs);
        }
        return yields;
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -1_000_000_000_000L, -1, 0, 1_000_000_000_000L, Long.MAX_VALUE - 1_000})
    void whoWorksLeavesTheProcessorOnceAShiftWhateverTheClockSays(long startNs) {
        nowNs = startNs;
        Patience worker = new Patience(() -> nowNs, this::yield);
        yieldNs = 0;
        assertEquals(0, work(worker, Patience.SHIFT_NS), "it has just begun");
        for (int shift = 0; shift < 3; shift++) {
            assertEquals(1, work(worker, Patience.SHIFT_NS + 1_000), "shift " + shift);
        }
    }

    @Test
    void aWaitThatLeftTheProcessorBeginsTheShift() {
        patience.idle(nowNs);
        nowNs += Patience.LOOKS_NS;
        assertTrue(patience.idle(nowNs));
        assertEquals(0, work(patience, Patience.SHIFT_NS), "it was left just now");
        assertEquals(1, work(patience, Patience.SHIFT_NS));
    }

    @Test
    void shiftsGrowAsFarAsTheyMayWhileLeavingCostsTimeSlicesAndShrinkAtOnce() {
        yieldNs = SLICE_NS;
        long shiftNs = Patience.SHIFT_NS;
        while (shiftNs <= Patience.LONGEST_SHIFT_NS) {
            expectShift(shiftNs);
            shiftNs *= 2;
        }
        yieldNs = UNTAKEN_NS;
        expectShift(Patience.LONGEST_SHIFT_NS); // it cannot know before
        expectShift(Patience.SHIFT_NS);
    }

    /** Works until it leaves the processor, which takes a shift, and no more than a look longer. */
    private void expectShift(long shiftNs) {
        yields = 0;
        nowNs += shiftNs;
        patience.worked(nowNs);
        assertEquals(0, yields, "sooner than in ns=" + shiftNs);
        nowNs++;
        patience.worked(nowNs);
        assertEquals(1, yields, "not in ns=" + shiftNs);
    }
}
