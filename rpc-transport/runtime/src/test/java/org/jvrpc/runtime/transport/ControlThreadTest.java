package org.jvrpc.runtime.transport;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.thread.Environment;
import org.jvrpc.runtime.thread.Events;

/** A control thread whose listener is out of order. */
class ControlThreadTest {

    private static final long WATCHED_NS = 1_000_000_000;
    /** Less than a stop waits for a thread that does not end. */
    private static final long ENDS_NS = 4_500_000_000L;
    /** A thousand waits a second are no burden; a thread that spins makes a million. */
    private static final int MOST_WAITS = 1000;

    private final AtomicLong waits = new AtomicLong();
    private final AtomicInteger polls = new AtomicInteger();
    private final AtomicInteger settled = new AtomicInteger();
    private volatile Throwable fault;
    private volatile boolean flood;
    private ControlThread thread;

    private static RuntimeException sneak(Throwable t) {
        if (t instanceof Error error) {
            throw error;
        }
        return (RuntimeException) t;
    }

    private void start() {
        Events events = new Events() {
            @Override
            public void await(long timeoutNs) {
                waits.incrementAndGet(); // and ends at once, as where a listener cannot accept for want of descriptors
            }

            @Override
            public void wakeup() {
                // it does not sleep
            }
        };
        thread = new ControlThread("test-control", new ControlThread.Server() {
            @Override
            public int accept(int most) {
                polls.incrementAndGet();
                if (fault != null) {
                    throw sneak(fault);
                }
                return flood ? most : 0;
            }

            @Override
            public boolean settle() {
                settled.incrementAndGet();
                return false;
            }

            @Override
            public void deviceIsGone() {
                throw new AssertionError("it is not");
            }
        }, events, Environment.SYSTEM);
        thread.start();
    }

    @AfterEach
    void stop() {
        thread.stop();
    }

    @Test
    void aListenerThatIsReadyForNothingDoesNotTakeTheProcessor() {
        start();
        Await.until("the first waits", () -> waits.get() > 16);
        long before = waits.get();
        LockSupport.parkNanos(WATCHED_NS);
        long more = waits.get() - before;
        assertTrue(more <= MOST_WAITS, "waits in a second: " + more);
        AtomicInteger buried = new AtomicInteger();
        for (int i = 0; i < 10; i++) {
            int expected = i + 1;
            thread.bury(buried::incrementAndGet);
            Await.until("a session to be buried all the same", () -> buried.get() == expected);
        }
    }

    @Test
    void requestsThatNeverCeaseKeepNobodyWaiting() {
        flood = true;
        start();
        Await.until("requests", () -> polls.get() > 100);
        int before = settled.get();
        Await.until("those who were answered to be looked at", () -> settled.get() > before);
        AtomicInteger buried = new AtomicInteger();
        thread.bury(buried::incrementAndGet);
        Await.until("a session to be buried", () -> buried.get() == 1);
        long startNs = System.nanoTime();
        thread.stop();
        assertTrue(System.nanoTime() - startNs < ENDS_NS, "the thread does not end");
    }

    @Test
    void noErrorEndsTheThread() {
        fault = new OutOfMemoryError("direct buffer memory");
        start();
        Await.until("an attempt", () -> polls.get() > 0);
        AtomicInteger buried = new AtomicInteger();
        thread.bury(() -> {
            throw new InternalError("a fault occurred in an unsafe memory access operation");
        });
        thread.bury(buried::incrementAndGet);
        Await.until("a session to be buried all the same", () -> buried.get() == 1);
        int before = polls.get();
        fault = new IllegalStateException("x");
        Await.until("further attempts", () -> polls.get() > before + 2);
    }
}
