package org.jvrpc.samples.cookbook.calls;

import java.time.Duration;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.RpcService;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;

/** The service of the page for those who come from gRPC. */
@SuppressWarnings("try") // Servers are there to be closed, not to be named.
public final class SideBySide {

    private SideBySide() {
    }

    // snippet begins
    record Order(long id, String symbol) { }

    @RpcService
    public interface Orders {
        Order find(long id);
    }

    public static void main(String[] args) {
        Orders orders = id -> {
            if (id != 42) {
                throw new RpcException(Status.NOT_FOUND, "id=" + id);
            }
            return new Order(42, "ABC");
        };
        try (RpcServer server = RpcServer.builder().bind("tcp://localhost:0").service(Orders.class, orders).start();
             RpcClient client = RpcClient.connect(server.address())) {
            Orders stub = client.stub(Orders.class, CallOptions.DEFAULT.withDeadlineAfter(Duration.ofSeconds(1)));
            System.out.println(stub.find(42));
        }
    }
    // snippet ends
}
