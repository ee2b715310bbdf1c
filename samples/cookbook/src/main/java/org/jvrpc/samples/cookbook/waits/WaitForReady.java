package org.jvrpc.samples.cookbook.waits;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.RpcService;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.runtime.balance.ConnectionBackoff;

/** Calls that wait, within their deadline, for a server that is not there yet. */
@SuppressWarnings("try") // Servers are there to be closed, not to be named.
public final class WaitForReady {

    private WaitForReady() {
    }

    // snippet begins
    @RpcService
    public interface Clock {
        String time();
    }

    public static void main(String[] args) {
        Clock clock = () -> "noon";
        RpcServer first = RpcServer.builder().bind("inproc://clock").service(Clock.class, clock).start();
        try (RpcClient client = RpcClient.builder("list:inproc://clock")
                .connectionBackoff(new ConnectionBackoff(Duration.ofMillis(5), 1.6, 0.2, Duration.ofMillis(50)))
                .connect()) {
            Clock hasty = client.stub(Clock.class);
            Clock patient = client.stub(Clock.class,
                    CallOptions.DEFAULT.withWaitForReady().withDeadlineAfter(Duration.ofSeconds(20)));
            System.out.println(patient.time());
            first.shutdownNow();
            try {
                hasty.time();
            } catch (RpcException e) {
                System.out.println("at once: " + e.status());
            }
            CompletableFuture<String> later = CompletableFuture.supplyAsync(patient::time);
            try (RpcServer second = RpcServer.builder().bind("inproc://clock").service(Clock.class, clock).start()) {
                System.out.println("after a while: " + later.join());
            }
        }
    }
    // snippet ends
}
