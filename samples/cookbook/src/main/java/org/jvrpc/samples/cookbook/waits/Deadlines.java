package org.jvrpc.samples.cookbook.waits;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.RpcMethod;
import org.jvrpc.api.RpcService;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;

/** Every call ends in time: by the client's default, the method's deadline, or that of a stub. */
@SuppressWarnings("try") // Servers are there to be closed, not to be named.
public final class Deadlines {

    private Deadlines() {
    }

    // snippet begins
    @RpcService
    public interface Reports {
        @RpcMethod(heavy = true, deadline = "50ms") // a heavy method may block: it runs on the server's executor
        String monthly() throws InterruptedException;

        @RpcMethod(heavy = true)
        String yearly() throws InterruptedException;
    }

    public static void main(String[] args) throws InterruptedException {
        CountDownLatch never = new CountDownLatch(1);
        Reports slow = new Reports() {
            @Override
            public String monthly() throws InterruptedException {
                return never.await(5, TimeUnit.SECONDS) ? "done" : "late";
            }

            @Override
            public String yearly() throws InterruptedException {
                return monthly();
            }
        };
        try (RpcServer server = RpcServer.builder().bind("inproc://reports").service(Reports.class, slow).start();
             RpcClient client = RpcClient.builder("inproc://reports").deadline(Duration.ofSeconds(10)).connect()) {
            expectLate(() -> client.stub(Reports.class).monthly()); // the method's 50 ms
            Reports hasty = client.stub(Reports.class, CallOptions.DEFAULT.withDeadlineAfter(Duration.ofMillis(20)));
            expectLate(() -> hasty.yearly()); // 20 ms from the call on, each call anew
            never.countDown();
        }
    }

    interface Call {
        String make() throws InterruptedException;
    }

    private static void expectLate(Call call) throws InterruptedException {
        try {
            System.out.println(call.make());
        } catch (RpcException e) {
            System.out.println(e.status());
        }
    }
    // snippet ends
}
