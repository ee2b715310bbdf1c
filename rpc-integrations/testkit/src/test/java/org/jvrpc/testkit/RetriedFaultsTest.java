package org.jvrpc.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.ClientContext;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.retry.HedgingPolicy;
import org.jvrpc.api.retry.RetryPolicy;
import org.jvrpc.testkit.Orders.Order;
import org.jvrpc.testkit.fault.Faults;
import org.jvrpc.testkit.script.Script;

/** Faults befall attempts: a client's policies see them, and cope or do not. */
class RetriedFaultsTest {

    private static final Order ORDER = new Order(7, "ABC", 3);
    private static final String ALL = "org.jvrpc.testkit.Orders/";
    private static final Duration SOON = Duration.ofMillis(5);
    /** A machine that is busy takes less, and what waits for the end of all time that a call has takes more. */
    private static final Duration LATE = Duration.ofMinutes(1);
    private static final RetryPolicy POLICY = RetryPolicy.DEFAULT.withMaxAttempts(5).withInitialBackoff(SOON)
            .withRetryableStatusCodes(Status.UNAVAILABLE, Status.ABORTED);
    /** Waits for a server that comes back, 22 s at most. */
    private static final RetryPolicy PATIENT =
            POLICY.withMaxBackoff(Duration.ofSeconds(20)).withBackoffMultiplier(20);

    private final OrdersInMemory memory = new OrdersInMemory();
    private final List<Status> ends = new ArrayList<>();
    @RegisterExtension
    private final JvrpcExtension rpc = JvrpcExtension.builder().serve(memory).seed(42)
            .client(client -> client.deadline(LATE.multipliedBy(10)).retry(ALL + "note", PATIENT)
                    .retry(ALL + "place", POLICY).retry(ALL + "placeLater", POLICY)
                    .hedging(ALL + "ids", HedgingPolicy.DEFAULT.withHedgingDelay(SOON).withMaxAttempts(3))
                    .intercept((call, next) -> {
                        call.whenEnded((status, message) -> ended(call, status));
                        next.proceed();
                    }))
            .build();

    @JvrpcStub
    private Orders orders;
    @JvrpcStub
    private OrdersAsync async;
    @JvrpcStub
    private Faults faults;
    @JvrpcStub
    private Script<Orders> script;

    private synchronized void ended(ClientContext call, Status status) {
        ends.add(status);
        assertTrue(call.method().fullName().startsWith(ALL));
    }

    private synchronized List<Status> ends() {
        return List.copyOf(ends);
    }

    private static RpcException failureOf(Runnable call) {
        return assertThrows(RpcException.class, call::run);
    }

    @Test
    void retriesCopeWithFailuresOfCallsThatDidNotRun() throws Exception {
        faults.on("place").first(2).status(Status.ABORTED, "not now");
        assertEquals(7, orders.place(ORDER));
        assertEquals(3, faults.attempts());
        assertEquals(2, faults.struck());
        script.verify(1, o -> o.place(ORDER));
        assertEquals(List.of(Status.OK), ends(), "interceptors stand around all attempts");
        faults.clear();
        faults.on("place").nth(1).status(Status.UNAVAILABLE, "away"); // made again at once
        faults.on("place").nth(2).status(Status.ABORTED, "not now");
        assertEquals(7, async.place(ORDER).get(LATE.toSeconds(), TimeUnit.SECONDS));
        assertEquals(3, faults.attempts());
    }

    @Test
    void anIdempotentCallIsMadeAgainThatMayHaveRunAndNoOther() {
        faults.onAll().first(1).answerStatus(Status.ABORTED, "lost on its way back");
        assertNull(orders.note(1));
        script.verify(2, o -> o.note(1));
        faults.clear();
        faults.onAll().first(1).answerStatus(Status.ABORTED, "lost on its way back");
        RpcException failure = failureOf(() -> orders.place(ORDER));
        assertEquals(Status.ABORTED, failure.status());
        assertTrue(failure.mayHaveRun());
        assertEquals(1, faults.attempts());
        script.verify(1, o -> o.place(ORDER));
        assertEquals(List.of(Status.OK, Status.ABORTED), ends());
    }

    @Test
    void retriesGiveUp() {
        faults.on("place").status(Status.ABORTED, "for ever");
        assertEquals(Status.ABORTED, failureOf(() -> orders.place(ORDER)).status());
        assertEquals(POLICY.maxAttempts(), faults.attempts());
        faults.clear();
        faults.on("place").status(Status.INTERNAL, "in no policy");
        assertEquals(Status.INTERNAL, failureOf(() -> orders.place(ORDER)).status());
        assertEquals(1, faults.attempts());
    }

    @Test
    void aMethodWithoutPolicyGetsTheFault() throws Exception {
        orders.place(ORDER);
        faults.clear();
        faults.on("find").first(1).status(Status.ABORTED, "not now");
        assertEquals(Status.ABORTED, assertThrows(RpcException.class, () -> orders.find(7)).status());
        assertEquals(1, faults.attempts());
        assertEquals(ORDER, orders.find(7));
    }

    @Test
    void retriesOutliveSessionsAndServers() {
        faults.on("note").nth(1).killSessions();
        assertNull(orders.note(1));
        assertTrue(faults.attempts() > 1, () -> "attempts=" + faults.attempts());
        faults.clear();
        faults.on("note").nth(1).restartServer();
        assertNull(orders.note(2));
        assertTrue(faults.attempts() > 1, () -> "attempts=" + faults.attempts());
    }

    @Test
    void hedgingOutrunsWhatIsLostOrLate() throws Exception {
        faults.on("ids").nth(1).drop();
        faults.on("ids").nth(2).dropAnswer();
        long startNs = System.nanoTime();
        assertEquals(List.of(), async.ids(new long[] {1}).get(LATE.toSeconds(), TimeUnit.SECONDS));
        assertEquals(3, faults.attempts());
        assertTrue(System.nanoTime() - startNs >= 2 * SOON.toNanos(), "it was not waited for");
        faults.clear();
        faults.on("ids").first(1).delay(Duration.ofMinutes(5));
        assertEquals(List.of(), async.ids(new long[] {1}).get(LATE.toSeconds(), TimeUnit.SECONDS));
        assertTrue(faults.attempts() > 1, () -> "attempts=" + faults.attempts());
    }

    @Test
    void whatIsLostAndNotHedgedTakesAllTimeOfItsCall() {
        faults.on("note").nth(1).drop();
        Duration all = SOON.multipliedBy(4);
        Orders hasty = rpc.stub(Orders.class, CallOptions.DEFAULT.withDeadlineAfter(all));
        long startNs = System.nanoTime();
        assertEquals(Status.DEADLINE_EXCEEDED, failureOf(() -> hasty.note(1)).status());
        long tookNs = System.nanoTime() - startNs;
        assertTrue(tookNs >= all.toNanos() && tookNs < LATE.toNanos(), "it took ns=" + tookNs);
        assertEquals(1, faults.attempts());
        script.verify(0, o -> o.note(1));
    }
}
