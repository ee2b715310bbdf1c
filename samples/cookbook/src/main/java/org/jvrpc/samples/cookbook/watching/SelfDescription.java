package org.jvrpc.samples.cookbook.watching;

import org.jvrpc.api.RpcService;
import org.jvrpc.api.reflection.Reflection;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;

/** A server that describes itself, to the command jvrpc or to any client. */
@SuppressWarnings("try") // Servers are there to be closed, not to be named.
public final class SelfDescription {

    private SelfDescription() {
    }

    // snippet begins
    enum Side { BUY, SELL }

    record Order(long id, String symbol, Side side) { }

    @RpcService(name = "org.acme.Orders")
    public interface Orders {
        Order find(long id);

        long place(Order order);
    }

    /** Serves at an address until the end of its input: jvrpc call ADDRESS org.acme.Orders/find 42. */
    public static RpcServer serve(String address) {
        Orders orders = new Orders() {
            @Override
            public Order find(long id) {
                return new Order(id, "ABC", Side.BUY);
            }

            @Override
            public long place(Order order) {
                return order.id() + 1;
            }
        };
        return RpcServer.builder().bind(address).service(Orders.class, orders).reflection(true).admin(true).start();
    }

    public static void main(String[] args) {
        try (RpcServer server = serve("shm://cookbook-reflection");
             RpcClient client = RpcClient.connect("shm://cookbook-reflection")) {
            System.out.println(client.stub(Reflection.class).services());
        }
    }
    // snippet ends
}
