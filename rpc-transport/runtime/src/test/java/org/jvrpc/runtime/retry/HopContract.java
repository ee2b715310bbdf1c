package org.jvrpc.runtime.retry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.RpcContext;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.ServerContext;
import org.jvrpc.api.Status;
import org.jvrpc.api.retry.RetryPolicy;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.runtime.contract.Await;

/** A server whose handlers call another one, {@link #work}. */
public abstract class HopContract extends WorkContract {

    private static final long DEADLINE_MS = 20_000;

    private final CountingWork front = new CountingWork();
    /** Time left to calls of the second server, as it sees it. */
    private final AtomicLong left = new AtomicLong();
    private final AtomicReference<Object> outcome = new AtomicReference<>();
    private RpcClient behind;
    private Work second;

    private RpcServer begin() {
        RpcServer server = serve(newAddress(), builder -> builder.context(true));
        behind = connect(server);
        second = behind.stub(Work.class);
        work.script = run -> left.set(RpcServer.context().remainingNs());
        return keep(RpcServer.builder().bind(newAddress()).service(Work.class, front).context(true).start());
    }

    private static CallOptions brief() {
        return CallOptions.DEFAULT.withDeadlineAfter(Duration.ofMillis(DEADLINE_MS));
    }

    private void isBounded() {
        long ns = left.getAndSet(0);
        assertTrue(ns > 0 && ns <= DEADLINE_MS * 1_000_000, "left=" + ns);
    }

    @Test
    void aCallOfAHandlerHasTheTimeThatIsLeftToItsOwn() {
        Work calls = connect(begin()).stub(Work.class, brief());
        front.script = run -> second.getHeavy(1);
        calls.getHeavy(1);
        isBounded();
        front.script = run -> second.get(1);
        calls.getHeavy(1);
        isBounded();
        front.script = run -> second.getLater(1).join();
        calls.getHeavy(1);
        isBounded();
        Work retrying = connect(keepServer(), builder -> builder.retry(RetryPolicy.DEFAULT)).stub(Work.class);
        front.script = run -> retrying.get(1);
        calls.getHeavy(1);
        isBounded();
    }

    private RpcServer keepServer() {
        return serve(newAddress(), builder -> builder.context(true));
    }

    @Test
    void anotherThreadWorksForACallThatIsCarriedToIt() {
        Work calls = connect(begin()).stub(Work.class, brief());
        front.script = run -> {
            RpcContext context = RpcContext.current();
            Await.join(Await.start(() -> {
                assertNull(RpcContext.current());
                context.wrap(() -> second.get(1)).run();
                assertNull(RpcContext.current());
                return context.call(() -> second.get(2));
            }));
        };
        calls.getHeavy(1);
        isBounded();
    }

    @Test
    void aCallOfALightHandlerHasTheTimeThatIsLeftToItsOwn() {
        Work calls = connect(begin()).stub(Work.class, brief());
        front.script = run -> second.get(1);
        calls.get(1);
        isBounded();
        front.script = run -> second.getHeavy(1);
        calls.get(1);
        isBounded();
        front.script = run -> second.getLater(1).join();
        calls.get(1);
        isBounded();
        assertNull(RpcContext.current());
    }

    @Test
    void aLightHandlerOfAServerWithoutContextsAndWhoeverCallsOutsideOneHaveTheirOwnTime() {
        begin();
        RpcServer plain = keep(RpcServer.builder().bind(newAddress()).service(Work.class, front).start());
        Work calls = connect(plain).stub(Work.class, brief());
        front.script = run -> {
            outcome.set(RpcContext.current() == null);
            second.get(1);
        };
        calls.get(1);
        assertEquals(true, outcome.get());
        assertEquals(Long.MAX_VALUE, left.get());
    }

    @Test
    void aCallThatALightHandlerLeavesBehindEndsWhenItsOwnIsCancelled() {
        RpcClient client = connect(begin());
        AtomicReference<ServerContext> reached = new AtomicReference<>();
        work.script = run -> {
            ServerContext context = RpcServer.context();
            reached.set(context);
            Await.until("the cancellation", context::isCancelled);
        };
        front.answer = () -> async(behind).getHeavy(1).whenComplete((value, failure) -> outcome.set(failure));
        CompletableFuture<Long> call = async(client).getLater(1);
        Await.until("the second server", () -> reached.get() != null);
        call.cancel(false);
        Await.until("its call to end", () -> outcome.get() != null);
        assertEquals(Status.CANCELLED, assertInstanceOf(RpcException.class, outcome.get()).status());
    }

    /** Has a handler wait for one of the second server, by a call that is then cancelled. */
    private void cancels(Runnable wait, java.util.function.Consumer<CompletableFuture<Long>> cancel, RpcClient client) {
        AtomicReference<ServerContext> reached = new AtomicReference<>();
        AtomicReference<Boolean> seen = new AtomicReference<>();
        work.script = run -> {
            ServerContext context = RpcServer.context();
            reached.set(context);
            Await.until("the cancellation", context::isCancelled);
            seen.set(true);
        };
        front.script = run -> {
            try {
                wait.run();
            } catch (RuntimeException e) {
                outcome.set(e.getCause() instanceof RpcException cause ? cause : e);
                throw e;
            }
        };
        CompletableFuture<Long> call = async(client).getHeavy(1);
        Await.until("the second server", () -> reached.get() != null);
        cancel.accept(call);
        Await.until("the handler to give up", () -> outcome.get() != null);
        assertEquals(Status.CANCELLED, assertInstanceOf(RpcException.class, outcome.get()).status());
        Await.until("the second server to see it", () -> seen.get() != null);
    }

    @Test
    void aCallOfAHandlerEndsWhenItsOwnIsCancelled() {
        RpcClient client = connect(begin());
        cancels(() -> second.getHeavy(1), call -> call.cancel(false), client);
    }

    @Test
    void anAsynchronousCallOfAHandlerEndsWhenItsOwnIsCancelled() {
        RpcClient client = connect(begin());
        cancels(() -> async(behind).getHeavy(1).join(), call -> call.cancel(false), client);
    }

    @Test
    void aCallOfAHandlerEndsWhenItsClientIsGone() {
        RpcClient client = connect(begin());
        cancels(() -> second.getHeavy(1), call -> client.close(), client);
    }
}
