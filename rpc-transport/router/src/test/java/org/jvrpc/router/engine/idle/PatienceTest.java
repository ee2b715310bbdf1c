package org.jvrpc.router.engine.idle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

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
}
