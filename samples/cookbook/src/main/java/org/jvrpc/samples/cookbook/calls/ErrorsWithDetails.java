package org.jvrpc.samples.cookbook.calls;

import java.time.Duration;
import org.jvrpc.api.ErrorDetails;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.RpcService;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;

/** A refusal says why in a form that programs read, and when to come back. */
@SuppressWarnings("try") // Servers are there to be closed, not to be named.
public final class ErrorsWithDetails {

    private ErrorsWithDetails() {
    }

    // snippet begins
    @RpcService
    public interface Quota {
        void spend(int amount);
    }

    public static void main(String[] args) {
        Quota quota = amount -> {
            throw new RpcException(Status.RESOURCE_EXHAUSTED, "the quota of today is spent")
                    .withDetails(ErrorDetails.of("OVER_QUOTA", "orders.acme.org")
                            .with("limit", "100").with("asked", "" + amount).withRetryAfter(Duration.ofMillis(50)));
        };
        try (RpcServer server = RpcServer.builder().bind("inproc://quota").service(Quota.class, quota).start();
             RpcClient client = RpcClient.connect("inproc://quota")) {
            client.stub(Quota.class).spend(120);
        } catch (RpcException e) {
            ErrorDetails details = e.details();
            System.out.println(e.status() + " " + details.reason() + " of " + details.domain());
            System.out.println("asked " + details.metadata().get("asked") + " of " + details.metadata().get("limit")
                    + ", again in " + details.retryAfter().toMillis() + " ms");
        }
    }
    // snippet ends
}
