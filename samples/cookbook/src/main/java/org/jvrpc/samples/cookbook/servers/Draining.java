package org.jvrpc.samples.cookbook.servers;

import java.time.Duration;
import org.jvrpc.api.RpcMethod;
import org.jvrpc.api.RpcService;
import org.jvrpc.api.retry.RetryPolicy;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.runtime.balance.LoadBalancing;

/** A server that stops finishes what it has; its clients go on elsewhere, and no call fails. */
@SuppressWarnings("try") // Servers are there to be closed, not to be named.
public final class Draining {

    private Draining() {
    }

    // snippet begins
    @RpcService
    public interface Desk {
        @RpcMethod(idempotent = true)
        String serve(int customer);
    }

    public static void main(String[] args) throws InterruptedException {
        RpcServer first = RpcServer.builder().bind("inproc://desk-1").service(Desk.class, c -> "desk 1").start();
        try (RpcServer second = RpcServer.builder().bind("inproc://desk-2").service(Desk.class, c -> "desk 2").start();
             RpcClient client = RpcClient.builder("list:inproc://desk-1,inproc://desk-2")
                     .loadBalancing(LoadBalancing.pickFirst()).retry(RetryPolicy.DEFAULT).connect()) {
            Desk desk = client.stub(Desk.class);
            System.out.println(desk.serve(1));
            first.shutdown(); // takes no new calls, ends those it has
            System.out.println("drained: " + first.awaitTermination(Duration.ofMinutes(1)));
            System.out.println(desk.serve(2)); // calls that were refused, or whose connection was lost, go there, too
        } finally {
            first.shutdownNow();
        }
    }
    // snippet ends
}
