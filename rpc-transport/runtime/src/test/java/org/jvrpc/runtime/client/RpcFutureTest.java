package org.jvrpc.runtime.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.contract.CallsService;
import org.jvrpc.runtime.invocation.ClientInvocation;
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

    // ---- how it ends, and who hears of it

    private final List<String> heard = new ArrayList<>();
    private final RpcFuture<Integer> heardOf = new RpcFuture<>(null, null, (in, thrown) -> 7);

    /** Has somebody listen. */
    private void listen() {
        ClientInvocation invocation =
                new ClientInvocation(Clock.SYSTEM, List.of(), CallsService.ECHO, CallOptions.DEFAULT, 1, 1);
        invocation.whenEnded((status, message) -> heard.add(status + " " + message));
        heardOf.whenEnded(invocation);
    }

    @Test
    void anAnswerThatIsFasterThanTheInterceptorsWaitsForThem() {
        listen();
        heardOf.decode(null, Status.OK, null, 0);
        heardOf.publish();
        assertFalse(heardOf.isDone());
        assertEquals(List.of(), heard);
        heardOf.started();
        assertEquals(7, heardOf.getNow(null));
        assertEquals(List.of("OK null"), heard);
    }

    @Test
    void whoeverEndsItInPlaceOfTheAnswerIsHeard() {
        listen();
        assertTrue(heardOf.completeExceptionally(new RpcException(Status.ABORTED, "planted")));
        assertEquals(List.of("ABORTED planted"), heard);
        assertFalse(heardOf.completeExceptionally(new IllegalStateException("late")));
        assertFalse(heardOf.cancel(true));
    }

    @Test
    void anInterceptorThatThrowsEndsIt() {
        listen();
        heardOf.failStart(new RpcException(Status.ABORTED, "planted"));
        assertTrue(heardOf.isCompletedExceptionally());
        assertEquals(List.of("ABORTED planted"), heard);
    }

    @Test
    void anInterceptorThatThrowsTooLateEndsNothing() {
        heardOf.complete(8);
        listen();
        heardOf.failStart(new RpcException(Status.ABORTED, "planted"));
        assertEquals(8, heardOf.getNow(null));
        assertEquals(List.of(), heard);
    }
}
