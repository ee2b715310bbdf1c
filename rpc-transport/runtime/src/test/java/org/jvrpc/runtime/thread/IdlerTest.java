package org.jvrpc.runtime.thread;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.jvrpc.runtime.IdleStrategy;

class IdlerTest {

    private static final long LONG_NS = 10_000_000_000L;

    @Test
    void spinningAndBackingOffNeverSleep() {
        for (IdleStrategy strategy : new IdleStrategy[] {IdleStrategy.SPIN, IdleStrategy.BACK_OFF}) {
            Idler idler = Idler.ofPoller(strategy);
            for (long nowNs = 0; nowNs < LONG_NS; nowNs += LONG_NS / 7) {
                assertFalse(idler.idle(nowNs), strategy.name());
            }
        }
    }

    @Test
    void blockingSleepsAtOnce() {
        Idler idler = Idler.ofPoller(IdleStrategy.BLOCK);
        assertTrue(idler.idle(0));
        idler.busy();
        assertTrue(idler.idle(1));
        assertEquals(0, idler.budgetNs());
    }

    @Test
    void adaptiveSleepsWhenItsBudgetIsSpentAndWorkBeginsItAnew() {
        Idler idler = Idler.ofPoller(IdleStrategy.ADAPTIVE);
        long budgetNs = idler.budgetNs();
        assertFalse(idler.idle(100));
        assertFalse(idler.idle(100 + budgetNs));
        assertTrue(idler.idle(101 + budgetNs));
        idler.busy();
        assertFalse(idler.idle(LONG_NS));
        assertFalse(idler.idle(LONG_NS + budgetNs));
        assertTrue(idler.idle(LONG_NS + budgetNs + 1));
    }

    @Test
    void adaptiveWaitsLongerAfterShortSleepsAndShorterAfterLongOnesWithinBounds() {
        Idler idler = Idler.ofPoller(IdleStrategy.ADAPTIVE);
        long before = idler.budgetNs();
        idler.sleeps(0);
        idler.woken(10_000);
        assertTrue(idler.budgetNs() > before);
        for (int i = 0; i < 100; i++) {
            idler.sleeps(0);
            idler.woken(10_000);
        }
        long most = idler.budgetNs();
        assertTrue(most <= 10_000_000, "ns=" + most);
        for (int i = 0; i < 100; i++) {
            idler.sleeps(0);
            idler.woken(LONG_NS);
        }
        assertTrue(idler.budgetNs() < before && idler.budgetNs() > 0);
    }

    @Test
    void aCallerNeverWaitsLessThanItTakesToWakeAServer() {
        Idler idler = Idler.ofCaller(IdleStrategy.ADAPTIVE);
        long first = idler.budgetNs();
        for (int i = 0; i < 100; i++) {
            idler.sleeps(0);
            idler.woken(LONG_NS);
        }
        assertEquals(first, idler.budgetNs());
        assertTrue(first > Idler.ofPoller(IdleStrategy.ADAPTIVE).budgetNs());
    }
}
