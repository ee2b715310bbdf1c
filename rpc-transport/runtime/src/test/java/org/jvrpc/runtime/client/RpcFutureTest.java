package org.jvrpc.runtime.client;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.runtime.thread.Deadline;

/** The time that an asynchronous call has. */
class RpcFutureTest {

    private static final long HOUR_NS = TimeUnit.HOURS.toNanos(1);

    @Test
    void aClockFromBeforeTheCallTakesNothingOfItsTime() {
        RpcFuture<Void> future = new RpcFuture<>(null, null, null);
        long nowNs = System.nanoTime();
        assertFalse(future.isOver(Clock.SYSTEM, nowNs), "before it is sent");
        future.sent(HOUR_NS, Deadline.NONE);
        assertFalse(future.isOver(Clock.SYSTEM, nowNs - 2 * HOUR_NS), "at the first look");
        assertFalse(future.isOver(Clock.SYSTEM, nowNs), "an hour early");
        assertTrue(future.isOver(Clock.SYSTEM, System.nanoTime() + HOUR_NS + 1), "after its time");
    }
}
