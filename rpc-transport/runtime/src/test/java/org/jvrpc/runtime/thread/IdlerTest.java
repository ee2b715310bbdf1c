package org.jvrpc.runtime.thread;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.jvrpc.runtime.IdleStrategy;
import org.jvrpc.runtime.contract.Await;

class IdlerTest {

    private static final long LONG_NS = 10_000_000_000L;
    private static final long LOST_NS = 1_000_000;

    /** What each second look at the clock finds more than the one before: what a yield takes. */
    private long yieldNs;
    private boolean yielded;
    private long nowNs;
    /** Who is told to sleep does. */
    private boolean sleepsAre = true;
    private final Clock clock = () -> {
        nowNs += yielded ? yieldNs : 0;
        yielded = !yielded;
        return nowNs;
    };

    /** Waits from a time on for so long that it yields, unless it sleeps at once; returns true when it sleeps. */
    private boolean waits(Idler idler, long fromNs) {
        boolean sleeps = idler.idle(fromNs) || idler.idle(fromNs + 30_000);
        if (sleeps && sleepsAre) {
            slept(idler, 5);
        } else {
            idler.busy(); // as who waits for a future does, also when it is told to sleep
        }
        return sleeps;
    }

    @Test
    void whoLosesItsTurnByYieldsSleepsButForATrialNowAndThen() {
        for (Idler idler : new Idler[] {Idler.ofPoller(IdleStrategy.ADAPTIVE, clock),
            Idler.ofCaller(IdleStrategy.ADAPTIVE, clock)}) {
            yieldNs = LOST_NS + 1;
            for (int i = 0; i < 3; i++) {
                assertFalse(waits(idler, 100_000), "wait " + i);
            }
            for (int round = 0; round < 3; round++) {
                for (int i = 1; i < 64; i++) {
                    assertTrue(waits(idler, 100_000), "round " + round + " wait " + i);
                }
                assertFalse(waits(idler, 100_000), "a trial");
            }
            sleepsAre = false;
        }
    }

    @Test
    void aTrialThatLosesNothingEndsIt() {
        Idler idler = Idler.ofPoller(IdleStrategy.ADAPTIVE, clock);
        yieldNs = LOST_NS + 1;
        for (int i = 0; i < 3 + 63; i++) {
            waits(idler, 100_000);
        }
        yieldNs = LOST_NS;
        for (int i = 0; i < 200; i++) {
            assertFalse(waits(idler, 100_000));
        }
    }

    /** Returns true when a wait yields with its first look. */
    private boolean yieldsAtOnce(Idler idler) {
        long beforeNs = nowNs;
        idler.idle(100_000);
        idler.busy();
        return nowNs != beforeNs;
    }

    /** Gives the processor so often to one who gives it back at once. */
    private void turns(Idler idler, int count) {
        yieldNs = 100_000;
        for (int i = 0; i < count; i++) {
            waits(idler, 100_000);
        }
    }

    @Test
    void whoSharesAProcessorWithAnotherWhoYieldsDoesSoAtOnceUntilItIsAlone() {
        for (IdleStrategy strategy : new IdleStrategy[] {IdleStrategy.SPIN, IdleStrategy.BACK_OFF,
            IdleStrategy.ADAPTIVE}) {
            Idler idler = Idler.ofPoller(strategy, clock);
            turns(idler, 2);
            assertFalse(yieldsAtOnce(idler));
            assertEquals(64, idler.polls());
            turns(idler, 1);
            assertEquals(2, idler.polls());
            assertTrue(yieldsAtOnce(idler));
            yieldNs = 1_000; // nobody took the processor
            for (int i = 0; i < 16; i++) {
                assertTrue(yieldsAtOnce(idler), "yield " + i);
            }
            assertFalse(yieldsAtOnce(idler));
            assertEquals(64, idler.polls());
        }
    }

    @Test
    void aTurnOfAnotherBeginsTheCountOfYieldsThatNobodyTookAnew() {
        Idler idler = Idler.ofPoller(IdleStrategy.ADAPTIVE, clock);
        turns(idler, 3);
        for (int i = 0; i < 100; i++) {
            yieldNs = i % 16 == 15 ? 3_001 : 1_000;
            assertTrue(yieldsAtOnce(idler), "yield " + i);
        }
    }

    @ParameterizedTest
    @CsvSource({"400,1200", "250,750", "200,700", "100,600", "0,500"})
    void aTurnOfAnotherTakesLongerThanYieldsThatNobodyTook(long least, long most) {
        Idler idler = Idler.ofPoller(IdleStrategy.ADAPTIVE, clock);
        yieldNs = least;
        waits(idler, 100_000);
        for (int i = 0; i < 10; i++) {
            yieldNs = most;
            waits(idler, 100_000);
            assertFalse(yieldsAtOnce(idler));
        }
        for (int i = 0; i < 3; i++) {
            yieldNs = most + 1;
            waits(idler, 100_000);
        }
        assertTrue(yieldsAtOnce(idler));
    }

    @Test
    void whoLeftTheProcessorToWorkSpinsFirst() {
        Idler idler = Idler.ofPoller(IdleStrategy.ADAPTIVE, clock);
        turns(idler, 2);
        yieldNs = 100_001;
        waits(idler, 100_000);
        turns(idler, 2);
        assertFalse(yieldsAtOnce(idler));
        turns(idler, 1);
        yieldNs = 100_001;
        assertTrue(yieldsAtOnce(idler));
        assertFalse(yieldsAtOnce(idler));
    }

    @Test
    void waitsThatEndWithoutAYieldEndItAsWell() {
        Idler idler = Idler.ofPoller(IdleStrategy.ADAPTIVE, clock);
        turns(idler, 3);
        for (int i = 0; i < 16; i++) {
            assertEquals(2, idler.polls(), "wait " + i);
            idler.busy();
        }
        assertEquals(64, idler.polls());
        assertFalse(yieldsAtOnce(idler));
    }

    @Test
    void twoLossesInARowAreNone() {
        Idler idler = Idler.ofPoller(IdleStrategy.ADAPTIVE, clock);
        for (int i = 0; i < 300; i++) {
            yieldNs = i % 3 == 2 ? 0 : LOST_NS + 1;
            assertFalse(waits(idler, 100_000));
        }
    }

    @Test
    void whoSpinsOrBacksOffNeverSleepsWhateverYieldsTake() {
        yieldNs = LONG_NS;
        for (IdleStrategy strategy : new IdleStrategy[] {IdleStrategy.SPIN, IdleStrategy.BACK_OFF}) {
            Idler idler = Idler.ofPoller(strategy, clock);
            for (int i = 0; i < 100; i++) {
                assertFalse(waits(idler, 100_000), strategy.name());
            }
        }
    }

    /** Returns true when the thread yields who has done what woke it. */
    private boolean leaves(Idler idler) {
        long beforeNs = nowNs;
        yielded = false;
        idler.leave();
        return nowNs - beforeNs == yieldNs;
    }

    /** Who sleeps at once leaves the processor by that. */
    @Test
    void whoIsWokenLeavesTheProcessorWhenItsWorkIsDone() {
        yieldNs = 5_000;
        assertTrue(leaves(Idler.ofPoller(IdleStrategy.ADAPTIVE, clock)));
        assertFalse(leaves(Idler.ofPoller(IdleStrategy.BLOCK, clock)));
        assertFalse(leaves(Idler.spinning(1_000)));
    }

    @Test
    void whoIsWokenKeepsTheProcessorWhileYieldsCostTurns() {
        Idler idler = Idler.ofPoller(IdleStrategy.ADAPTIVE, clock);
        yieldNs = LOST_NS + 1;
        for (int i = 0; i < 3; i++) {
            assertTrue(leaves(idler), "loss " + i);
        }
        assertFalse(leaves(idler));
    }

    @Test
    void spinningAndBackingOffNeverSleep() {
        for (IdleStrategy strategy : new IdleStrategy[] {IdleStrategy.SPIN, IdleStrategy.BACK_OFF}) {
            Idler idler = Idler.ofPoller(strategy, clock);
            for (long nowNs = 0; nowNs < LONG_NS; nowNs += LONG_NS / 7) {
                assertFalse(idler.idle(nowNs), strategy.name());
            }
        }
    }

    @Test
    void blockingSleepsAtOnce() {
        Idler idler = Idler.ofPoller(IdleStrategy.BLOCK, clock);
        assertTrue(idler.idle(0));
        idler.busy();
        assertTrue(idler.idle(1));
        assertEquals(0, idler.budgetNs());
    }

    @Test
    void adaptiveSleepsWhenItsBudgetIsSpentAndWorkBeginsItAnew() {
        Idler idler = Idler.ofPoller(IdleStrategy.ADAPTIVE, clock);
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
        Idler idler = Idler.ofPoller(IdleStrategy.ADAPTIVE, clock);
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
        Idler idler = Idler.ofCaller(IdleStrategy.ADAPTIVE, clock);
        long first = idler.budgetNs();
        for (int i = 0; i < 100; i++) {
            idler.sleeps(0);
            idler.woken(LONG_NS);
        }
        assertEquals(first, idler.budgetNs());
        assertTrue(first > Idler.ofPoller(IdleStrategy.ADAPTIVE, clock).budgetNs());
    }

    private static void slept(Idler idler, long ns) {
        idler.sleeps(1000);
        idler.woken(1000 + ns);
    }

    @Test
    void aSleepOfTwoMillisecondsIsLongAndBudgetsDoubleAndHalve() {
        Idler idler = Idler.ofPoller(IdleStrategy.ADAPTIVE, clock);
        assertEquals(200_000, idler.budgetNs());
        slept(idler, 1_999_999);
        assertEquals(400_000, idler.budgetNs());
        slept(idler, 2_000_000);
        assertEquals(200_000, idler.budgetNs());
        for (long budgetNs : new long[] {100_000, 50_000, 50_000}) {
            slept(idler, LONG_NS);
            assertEquals(budgetNs, idler.budgetNs());
        }
        for (long budgetNs : new long[] {100_000, 200_000, 400_000, 800_000, 1_600_000, 2_000_000, 2_000_000}) {
            slept(idler, 1);
            assertEquals(budgetNs, idler.budgetNs());
        }
        assertEquals(400_000, Idler.ofCaller(IdleStrategy.ADAPTIVE, clock).budgetNs());
        assertEquals(Long.MAX_VALUE, Idler.ofPoller(IdleStrategy.SPIN, clock).budgetNs());
        assertEquals(200_000, Idler.ofPoller(IdleStrategy.BACK_OFF, clock).budgetNs());
    }

    @Test
    void whoWokeWaitsAnew() {
        Idler idler = Idler.ofPoller(IdleStrategy.ADAPTIVE, clock);
        assertFalse(idler.idle(0));
        assertTrue(idler.idle(200_001));
        slept(idler, 1);
        assertFalse(idler.idle(LONG_NS));
        assertFalse(idler.idle(LONG_NS + 400_000));
        assertTrue(idler.idle(LONG_NS + 400_001));
    }

    /** Idles for the whole spin from a time on, and sleeps; returns true when it spun, false when it slept at once. */
    private static boolean spins(Idler idler, long fromNs, long spinNs) {
        boolean sleeps = idler.idle(fromNs);
        if (!sleeps) {
            assertFalse(idler.idle(fromNs + spinNs - 1));
            assertTrue(idler.idle(fromNs + spinNs));
        }
        slept(idler, 5);
        return !sleeps;
    }

    @Test
    void spinsThatEndWithoutWorkAreTriedNowAndThenOnly() {
        Idler idler = Idler.spinning(300);
        for (int sleep = 0; sleep < 3; sleep++) {
            assertTrue(spins(idler, 10_000, 300), "sleep " + sleep);
        }
        for (int round = 0; round < 3; round++) {
            for (int sleep = round == 0 ? 3 : 1; sleep < 64; sleep++) {
                assertFalse(spins(idler, 10_000, 300), "sleep " + sleep);
            }
            assertTrue(spins(idler, 10_000, 300), "a trial");
        }
    }

    @Test
    void workWithinASpinMakesSpinsWorthwhileAgain() {
        Idler idler = Idler.spinning(300);
        for (int sleep = 0; sleep < 64; sleep++) {
            spins(idler, 10_000, 300);
        }
        idler.busy(); // not within a spin: says nothing of them
        assertTrue(spins(idler, 10_000, 300), "a trial");
        assertFalse(spins(idler, 10_000, 300));
        assertTrue(idler.idle(20_000));
        idler.busy();
        for (int sleep = 0; sleep < 3; sleep++) {
            assertTrue(spins(idler, 30_000, 300));
        }
        assertFalse(spins(idler, 30_000, 300));
    }

    @Test
    void backingOffParksForLongerEachTime() {
        Idler idler = Idler.ofPoller(IdleStrategy.BACK_OFF, clock);
        idler.idle(0);
        long fromNs = System.nanoTime();
        for (int i = 0; i < 14; i++) {
            idler.idle(LONG_NS);
        }
        // From 1 us, twice as long each time, to 1 ms: 1 + 2 + 4 ... + 512 us, then four of a millisecond. A park may
        // end early for no reason, so that half of it is enough.
        assertTrue(System.nanoTime() - fromNs > 2_500_000, "ns=" + (System.nanoTime() - fromNs));
    }

    @Test
    void backingOffIsNoWorkInTheEnd() {
        AtomicBoolean parked = new AtomicBoolean();
        CompletableFuture<Thread> waiting = new CompletableFuture<>();
        CompletableFuture<Boolean> waiter = Await.start(() -> {
            Idler idler = Idler.ofPoller(IdleStrategy.BACK_OFF, clock);
            idler.idle(0);
            waiting.complete(Thread.currentThread());
            while (!parked.get()) {
                idler.idle(LONG_NS);
            }
            return true;
        });
        Thread thread = Await.join(waiting);
        Await.until("the thread to park", () -> thread.getState() == Thread.State.TIMED_WAITING);
        parked.set(true);
        assertTrue(Await.join(waiter));
    }
}
