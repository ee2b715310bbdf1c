package org.jvrpc.samples.cookbook.calls;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jvrpc.api.Nullable;
import org.jvrpc.api.RpcService;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;

/** Records travel as they are, with lists, maps, enums and times in them; null only where it is allowed. */
@SuppressWarnings("try") // Servers are there to be closed, not to be named.
public final class Records {

    private Records() {
    }

    // snippet begins
    enum Size { SMALL, LARGE }

    record Item(String name, int count, Size size) { }

    record Cart(long id, List<Item> items, Map<String, Double> prices, Duration keep, @Nullable String note) { }

    @RpcService
    public interface Shop {
        double total(Cart cart);

        Optional<Item> largest(Cart cart);
    }

    public static void main(String[] args) {
        Shop shop = new Shop() {
            @Override
            public double total(Cart cart) {
                return cart.items().stream().mapToDouble(item -> item.count() * cart.prices().get(item.name())).sum();
            }

            @Override
            public Optional<Item> largest(Cart cart) {
                return cart.items().stream().filter(item -> item.size() == Size.LARGE).findFirst();
            }
        };
        try (RpcServer server = RpcServer.builder().bind("shm://cookbook-records").service(Shop.class, shop).start();
             RpcClient client = RpcClient.connect("shm://cookbook-records")) {
            Shop stub = client.stub(Shop.class);
            Cart cart = new Cart(7, List.of(new Item("tea", 2, Size.SMALL), new Item("pot", 1, Size.LARGE)),
                    Map.of("tea", 3.5, "pot", 20.0), Duration.ofHours(1), null);
            System.out.println(stub.total(cart));
            System.out.println(stub.largest(cart).orElseThrow());
        }
    }
    // snippet ends
}
