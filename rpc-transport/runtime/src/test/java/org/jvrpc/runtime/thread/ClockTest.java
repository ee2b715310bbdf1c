package org.jvrpc.runtime.thread;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.jvrpc.runtime.contract.Await;

/** Instants, waits and threads as a client or a server has them that is told nothing. */
class ClockTest {

    private static final long HOUR_NS = 3_600_000_000_000L;

    @Test
    void anInstantIsComparedByItsDifferenceAlsoWhereTheClockWraps() {
        Clock clock = () -> Long.MAX_VALUE - 5;
        long at = Deadline.after(clock, 10);
        assertEquals(Long.MIN_VALUE + 4, at);
        assertEquals(10, Deadline.leftNs(clock, at));
        assertEquals(-3, Deadline.leftNs(() -> Long.MIN_VALUE + 7, at));
    }

    @Test
    void noInstantIsNone() {
        assertEquals(1, Deadline.after(() -> -10, 10));
        assertEquals(-1, Deadline.after(() -> -10, 9));
    }

    @Test
    void whoWaitsByTheClockIsParkedForWhatItSays() {
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        CompletableFuture<Boolean> parked = Await.start(() -> {
            thread.complete(Thread.currentThread());
            Clock.SYSTEM.parkNanos(this, HOUR_NS);
            return true;
        });
        Thread sleeper = Await.join(thread);
        Await.until("the thread to park", () -> LockSupport.getBlocker(sleeper) == this);
        assertFalse(parked.isDone());
        LockSupport.unpark(sleeper);
        assertTrue(Await.join(parked));
    }

    @Test
    void threadsAreDaemonsThatSomebodyElseStarts() {
        Thread thread = Threads.DAEMONS.make(() -> { }, "jvrpc-some");
        assertTrue(thread.isDaemon());
        assertEquals("jvrpc-some", thread.getName());
        assertEquals(Thread.State.NEW, thread.getState());
    }
}
