package org.jvrpc.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.jvrpc.api.RpcMethod;
import org.jvrpc.api.RpcService;
import org.jvrpc.api.ServerContext;
import org.jvrpc.api.retry.HedgingPolicy;
import org.jvrpc.testing.Waits;
import org.jvrpc.testkit.fault.Faults;
import org.jvrpc.testkit.script.Script;

/** What becomes of the attempts that another outran. */
class HedgedFaultsTest {

    /** Is hedged, and answers when it will. */
    @RpcService
    public interface Quotes {

        @RpcMethod(idempotent = true)
        CompletableFuture<Long> quote(long instrument);
    }

    private final List<ServerContext> calls = new CopyOnWriteArrayList<>();
    @RegisterExtension
    private final JvrpcExtension rpc = JvrpcExtension.builder().script(Quotes.class).deadline(Duration.ofHours(1))
            .server(server -> server.intercept((call, next) -> {
                calls.add(call);
                next.proceed();
            }))
            .client(client -> client.hedging(Quotes.class.getCanonicalName() + "/quote",
                    HedgingPolicy.DEFAULT.withHedgingDelay(Duration.ofMillis(5)).withMaxAttempts(2)))
            .build();

    @Test
    void theServerIsToldThatNobodyWaitsForTheAnswerThatWasLost(Quotes quotes, Script<Quotes> script, Faults faults)
            throws Exception {
        CompletableFuture<Long> never = new CompletableFuture<>();
        script.when(o -> o.quote(7)).answerWith(given -> never).times(1)
                .answerWith(given -> CompletableFuture.completedFuture(3L));
        faults.on("quote").nth(1).dropAnswer();
        assertEquals(3, quotes.quote(7).get(60, TimeUnit.SECONDS));
        assertEquals(2, calls.size());
        Waits.until("the cancellation of the first attempt", () -> calls.get(0).isCancelled());
        assertFalse(calls.get(1).isCancelled());
    }
}
