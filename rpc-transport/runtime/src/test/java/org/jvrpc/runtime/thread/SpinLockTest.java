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
}
