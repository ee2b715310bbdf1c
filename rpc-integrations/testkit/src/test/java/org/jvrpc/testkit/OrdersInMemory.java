package org.jvrpc.testkit;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import org.jvrpc.api.stream.StreamReader;
import org.jvrpc.api.stream.Streams;

/** Orders of a test. */
public final class OrdersInMemory implements Orders {

    final Map<Long, Order> orders = new ConcurrentHashMap<>();
    final AtomicInteger ticks = new AtomicInteger();

    @Override
    public Order find(long id) throws NoSuchOrderException {
        Order found = orders.get(id);
        if (found == null) {
            throw new NoSuchOrderException(id);
        }
        return found;
    }

    @Override
    public long place(Order order) {
        orders.put(order.id(), order);
        return order.id();
    }

    @Override
    public String note(long id) {
        return null;
    }

    @Override
    public void tick(long instrument, double price) {
        ticks.incrementAndGet();
    }

    @Override
    public CompletableFuture<Long> placeLater(Order order) {
        return CompletableFuture.completedFuture(place(order));
    }

    @Override
    public Flow.Publisher<Order> all(String symbol) {
        return Streams.writing(writer -> {
            for (Order order : orders.values().stream().sorted((a, b) -> Long.compare(a.id(), b.id())).toList()) {
                if (order.symbol().equals(symbol)) {
                    writer.write(order);
                }
            }
        });
    }

    @Override
    public long sum(Flow.Publisher<Long> values) {
        long sum = 0;
        try (StreamReader<Long> reader = Streams.reader(values)) {
            while (reader.hasNext()) {
                sum += reader.next();
            }
        }
        return sum;
    }

    @Override
    public List<Long> ids(long[] within) {
        return Arrays.stream(within).filter(orders::containsKey).boxed().toList();
    }
}
