package org.jvrpc.samples.quickstart.cluster;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.samples.quickstart.Order;
import org.jvrpc.samples.quickstart.OrderBook;
import org.jvrpc.samples.quickstart.Orders;
import org.jvrpc.samples.quickstart.Side;

/**
 * One server of orders: {@code MemberMain NUMBER ADDRESS TARGET}. It says {@code ready}, drains when it is told by a
 * line on its standard input, and stops at once when that ends, as it does when its parent was killed.
 */
final class MemberMain {

    private static final Duration DRAIN_LIMIT = Duration.ofSeconds(20);

    private MemberMain() {
    }

    /** Returns the first order of a server's book, whose symbol says whose it is. */
    static Order firstOrder(int number) {
        return new Order(0, "server-" + number, Side.BUY, 1, 1, List.of());
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        int number = Integer.parseInt(args[0]);
        OrderBook book = new OrderBook(number);
        book.place(firstOrder(number));
        try (RpcServer server = RpcServer.builder().bind(args[1]).service(Orders.class, book).register(args[2])
                .start()) {
            System.out.println("ready " + server.address());
            if (System.in.read() >= 0) {
                long begunNs = System.nanoTime();
                server.shutdown();
                boolean drained = server.awaitTermination(DRAIN_LIMIT);
                System.out.printf("%s in %d ms%n", drained ? "drained" : "not drained",
                        TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begunNs));
            }
        }
        System.exit(0);
    }
}
