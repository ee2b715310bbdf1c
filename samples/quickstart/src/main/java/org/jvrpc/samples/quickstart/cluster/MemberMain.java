package org.jvrpc.samples.quickstart.cluster;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
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
    private static final Duration START_LIMIT = Duration.ofSeconds(20);

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
        try (RpcServer server = start(args[1], args[2], book)) {
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

    /** A server that is not registered within 3 s does not start; an ensemble that has just begun may need longer. */
    private static RpcServer start(String address, String target, Orders book) {
        long limitNs = System.nanoTime() + START_LIMIT.toNanos();
        while (true) {
            try {
                return RpcServer.builder().bind(address).service(Orders.class, book).register(target).start();
            } catch (RpcException e) {
                if (e.status() != Status.UNAVAILABLE || System.nanoTime() - limitNs > 0) {
                    throw e;
                }
                System.err.println("tries again: " + e.getMessage());
            }
        }
    }
}
