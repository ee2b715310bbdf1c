package org.jvrpc.samples.cookbook.waits;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jvrpc.api.RpcMethod;
import org.jvrpc.api.RpcService;
import org.jvrpc.api.retry.HedgingPolicy;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;

/** A second attempt begins when the first has not answered in time; the first answer counts. */
@SuppressWarnings("try") // Servers are there to be closed, not to be named.
public final class Hedging {

    private Hedging() {
    }

    // snippet begins
    @RpcService
    public interface Lookup {
        @RpcMethod(heavy = true, idempotent = true)
        String find(long id) throws InterruptedException;
    }

    public static void main(String[] args) throws InterruptedException {
        AtomicInteger attempts = new AtomicInteger();
        CountDownLatch end = new CountDownLatch(1);
        Lookup lookup = id -> {
            int attempt = attempts.incrementAndGet();
            if (attempt == 1) { // one that hangs, as a disk may
                end.await(10, TimeUnit.SECONDS);
            }
            return "attempt " + attempt;
        };
        try (RpcServer server = RpcServer.builder().bind("inproc://lookup").service(Lookup.class, lookup).start();
             RpcClient client = RpcClient.builder("inproc://lookup")
                     .hedging("*", HedgingPolicy.DEFAULT.withHedgingDelay(Duration.ofMillis(10))).connect()) {
            System.out.println(client.stub(Lookup.class).find(7));
            end.countDown();
        }
    }
    // snippet ends
}
