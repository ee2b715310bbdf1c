package org.jvrpc.samples.cookbook.waits;

import java.time.Duration;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.RpcContext;
import org.jvrpc.api.RpcMethod;
import org.jvrpc.api.RpcService;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;

/** A stub that is called in a handler has the time that is left to the handler's call. */
@SuppressWarnings("try") // Servers are there to be closed, not to be named.
public final class DeadlinesAcrossHops {

    private DeadlinesAcrossHops() {
    }

    // snippet begins
    @RpcService
    public interface Stock {
        @RpcMethod(heavy = true)
        long millisLeft();
    }

    @RpcService
    public interface Shopfront {
        @RpcMethod(heavy = true)
        long millisLeftBehindMe();
    }

    public static void main(String[] args) {
        Stock stock = () -> RpcContext.current().remainingNs() / 1_000_000;
        try (RpcServer back = RpcServer.builder().bind("inproc://stock").service(Stock.class, stock).start();
             RpcClient toStock = RpcClient.builder("inproc://stock").deadline(Duration.ofMinutes(1)).connect();
             RpcServer front = RpcServer.builder().bind("inproc://front")
                     .service(Shopfront.class, toStock.stub(Stock.class)::millisLeft).start();
             RpcClient client = RpcClient.connect("inproc://front")) {
            long left = client.stub(Shopfront.class, CallOptions.DEFAULT.withDeadlineAfter(Duration.ofSeconds(5)))
                    .millisLeftBehindMe();
            System.out.println(left > 0 && left <= 5_000); // what is left of 5 s, not the minute of the client between
        }
    }
    // snippet ends
}
