package org.jvrpc.samples.cookbook.waits;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jvrpc.api.RpcContext;
import org.jvrpc.api.RpcMethod;
import org.jvrpc.api.RpcService;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;

/** A caller cancels a future; the handler is told, and stops working. */
@SuppressWarnings("try") // Servers are there to be closed, not to be named.
public final class Cancellation {

    private Cancellation() {
    }

    // snippet begins
    @RpcService
    public interface Search {
        @RpcMethod(heavy = true)
        long count(String pattern);
    }

    public static void main(String[] args) throws InterruptedException {
        CountDownLatch began = new CountDownLatch(1);
        CountDownLatch stopped = new CountDownLatch(1);
        Search search = pattern -> {
            began.countDown();
            long looked = 0;
            while (!RpcContext.current().isCancelled()) { // also true when the client is gone
                looked++;
                Thread.onSpinWait();
            }
            stopped.countDown();
            return looked;
        };
        try (RpcServer server = RpcServer.builder().bind("inproc://search").service(Search.class, search).start();
             RpcClient client = RpcClient.connect("inproc://search")) {
            Cancellation_SearchAsync async = client.asyncStub(Search.class, Cancellation_SearchAsync.class);
            CompletableFuture<Long> count = async.count("jv.*");
            began.await();
            count.cancel(true);
            System.out.println("cancelled: " + count.isCancelled());
            System.out.println("the handler stopped: " + stopped.await(10, TimeUnit.SECONDS));
        }
    }
    // snippet ends
}
