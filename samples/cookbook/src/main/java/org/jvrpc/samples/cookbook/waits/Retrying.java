package org.jvrpc.samples.cookbook.waits;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.RpcMethod;
import org.jvrpc.api.RpcService;
import org.jvrpc.api.Status;
import org.jvrpc.api.retry.RetryPolicy;
import org.jvrpc.api.retry.RetryThrottling;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;

/** Idempotent calls that fail are made again, with back-off, within the call's one deadline. */
@SuppressWarnings("try") // Servers are there to be closed, not to be named.
public final class Retrying {

    private Retrying() {
    }

    // snippet begins
    @RpcService
    public interface Weather {
        @RpcMethod(idempotent = true) // may run twice for one call
        String today();
    }

    public static void main(String[] args) {
        AtomicInteger attempts = new AtomicInteger();
        Weather weather = () -> {
            if (attempts.incrementAndGet() < 3) {
                throw new RpcException(Status.UNAVAILABLE, "the sensor is busy");
            }
            return "fair, after " + RpcServer.context().metadata().get("jvrpc-previous-attempts") + " attempts";
        };
        try (RpcServer server = RpcServer.builder().bind("inproc://weather").service(Weather.class, weather)
                     .context(true).start();
             RpcClient client = RpcClient.builder("inproc://weather")
                     .retry(RetryPolicy.DEFAULT.withMaxAttempts(4).withInitialBackoff(Duration.ofMillis(5)))
                     .retryThrottling(new RetryThrottling(10, 0.1)) // not when most calls fail
                     .connect()) {
            System.out.println(client.stub(Weather.class).today());
        }
    }
    // snippet ends
}
