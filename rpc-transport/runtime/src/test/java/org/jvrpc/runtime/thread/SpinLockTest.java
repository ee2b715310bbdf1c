package org.jvrpc.runtime.thread;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.contract.Await;

class SpinLockTest {

    private static final int THREADS = 6;
    private static final int ROUNDS = 30_000;
    private final SpinLock lock = new SpinLock(Clock.SYSTEM);
    private long counter;

    @Test
    void oneThreadAtATimeHoldsIt() {
        List<CompletableFuture<Boolean>> threads = new ArrayList<>();
        for (int t = 0; t < THREADS; t++) {
            boolean impatient = t % 2 == 0;
            threads.add(Await.start(() -> {
                for (int i = 0; i < ROUNDS; i++) {
                    while (impatient && !lock.tryLock()) {
                        Thread.onSpinWait();
                    }
                    if (!impatient) {
                        lock.lockUninterruptibly();
                    }
                    assertTrue(lock.isOutermost());
                    assertTrue(lock.tryLock());
                    assertFalse(lock.isOutermost());
                    counter++;
                    lock.unlock();
                    lock.unlock();
                }
                return true;
            }));
        }
        threads.forEach(Await::join);
        assertEquals((long) THREADS * ROUNDS, counter);
        assertFalse(lock.hasWaiters());
    }

    @Test
    void whoWaitsTooLongIsToldAndWaitsNoMore() {
        assertTrue(lock.tryLock());
        CompletableFuture<RpcException> other = Await.start(() ->
                assertThrows(RpcException.class, () -> lock.lock(20_000_000)));
        Await.until("a waiter", () -> lock.hasWaiters() || other.isDone());
        assertEquals(Status.DEADLINE_EXCEEDED, Await.join(other).status());
        assertFalse(lock.hasWaiters());
        lock.unlock();
        assertTrue(Await.join(Await.start(lock::tryLock)));
    }

    /** A time that passes while a thread is parked, and not else. */
    private static final class Parks implements Clock {

        private static final long FROM_NS = 5_000_000_000L;
        private int count;
        private long nowNs = FROM_NS;
        private Runnable whileParked = () -> { };

        @Override
        public long nanoTime() {
            return nowNs;
        }

        @Override
        public void parkNanos(Object blocker, long ns) {
            count++;
            nowNs += ns;
            whileParked.run();
        }
    }

    private static SpinLock takenByAnother(Clock clock) {
        SpinLock taken = new SpinLock(clock);
        assertTrue(Await.join(Await.start(taken::tryLock)));
        return taken;
    }

    @Test
    void whoWaitsHasAllItsTimeAndIsToldHowMuchThatWas() {
        Parks clock = new Parks();
        SpinLock taken = takenByAnother(clock);
        RpcException e = assertThrows(RpcException.class, () -> taken.lock(100_000));
        assertEquals(Status.DEADLINE_EXCEEDED, e.status());
        assertEquals("the session was in use by another thread for 100 us", e.getMessage());
        assertEquals(150_000, clock.nowNs - Parks.FROM_NS, "the second pause of three ended with the time");
        assertFalse(taken.hasWaiters());
    }

    @Test
    void whoIsInterruptedWaitsNoMoreAndKeepsTheInterrupt() {
        Parks clock = new Parks();
        SpinLock taken = takenByAnother(clock);
        clock.whileParked = () -> {
            assertTrue(taken.hasWaiters());
            Thread.currentThread().interrupt();
        };
        RpcException e = assertThrows(RpcException.class, () -> taken.lock(Long.MAX_VALUE));
        assertEquals(Status.CANCELLED, e.status());
        assertEquals("interrupted while the session was in use by another thread", e.getMessage());
        assertTrue(Thread.interrupted());
        assertEquals(1, clock.count);
        assertFalse(taken.hasWaiters());
    }

    @Test
    void whoWaitsGetsItWhenItIsLetGo() {
        for (boolean uninterruptibly : new boolean[] {false, true}) {
            Parks clock = new Parks();
            SpinLock taken = takenByAnother(clock);
            clock.whileParked = () -> {
                assertTrue(taken.hasWaiters());
                taken.unlock(); // as its owner does
            };
            if (uninterruptibly) {
                taken.lockUninterruptibly();
            } else {
                taken.lock(1);
            }
            assertFalse(taken.hasWaiters());
            assertTrue(taken.isOutermost());
            assertFalse(Thread.currentThread().isInterrupted());
            assertFalse(Await.join(Await.start(taken::tryLock)), "it is this thread's");
        }
    }

    @Test
    void anInterruptIsKeptUntilTheLockIsHad() {
        Parks clock = new Parks();
        SpinLock taken = takenByAnother(clock);
        Thread.currentThread().interrupt();
        clock.whileParked = () -> {
            assertFalse(Thread.currentThread().isInterrupted(), "no pause would be one");
            if (clock.count == 3) {
                taken.unlock();
            }
        };
        taken.lockUninterruptibly();
        assertTrue(Thread.interrupted());
        assertEquals(3, clock.count);
    }

    @Test
    void eachTakeIsGivenBack() {
        assertTrue(lock.tryLock());
        lock.lock(1);
        lock.lockUninterruptibly();
        for (int holds = 3; holds > 0; holds--) {
            assertEquals(holds == 1, lock.isOutermost());
            assertFalse(Await.join(Await.start(lock::tryLock)), "holds=" + holds);
            lock.unlock();
        }
        assertTrue(Await.join(Await.start(lock::tryLock)));
        assertFalse(lock.tryLock());
    }

    @Test
    void aPauseBecomesAParkInTheEnd() {
        Parks clock = new Parks();
        for (int spins = 0; spins < 400; spins++) {
            SpinLock.pause(clock, spins);
        }
        assertEquals(0, clock.count);
        SpinLock.pause(clock, 400);
        assertEquals(1, clock.count);
        assertEquals(50_000, clock.nowNs - Parks.FROM_NS);
    }
}
