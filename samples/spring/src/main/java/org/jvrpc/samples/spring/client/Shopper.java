package org.jvrpc.samples.spring.client;

import org.jvrpc.samples.spring.orders.Order;
import org.jvrpc.samples.spring.orders.Orders;
import org.jvrpc.samples.spring.orders.RefusedException;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.stereotype.Component;

/** Orders apples, one after the other, and says each second how it goes. */
@Component
class Shopper implements ApplicationRunner {

    private static final long SECOND_NS = 1_000_000_000;

    private final Orders orders;
    private final HealthEndpoint health;
    private final long timeNs;

    Shopper(Orders orders, HealthEndpoint health, ShopperProperties properties) {
        this.orders = orders;
        this.health = health;
        this.timeNs = properties.time().toNanos();
    }

    @Override
    public void run(ApplicationArguments arguments) throws RefusedException {
        long begun = System.nanoTime();
        long last = 0;
        for (long second = 1; (second - 1) * SECOND_NS < timeNs; second++) {
            long end = Math.min(second * SECOND_NS, timeNs);
            long from = System.nanoTime();
            long calls = 0;
            while (System.nanoTime() - begun < end) {
                last = orders.place(new Order("apples", 3));
                calls++;
            }
            System.out.printf("%2d s: %,9d orders, %.2f us each%n", second, calls,
                    (System.nanoTime() - from) / 1000.0 / Math.max(1, calls));
        }
        System.out.println("the last one is " + last + ": " + orders.find(last) + ", "
                + orders.ordered("apples") + " apples in all");
        refusal();
        System.out.println("the actuator says of the client: " + health.healthForPath("jvrpcClients").getStatus());
    }

    private void refusal() {
        try {
            orders.place(new Order("nothing", 0));
            throw new IllegalStateException("an order of nothing was taken");
        } catch (RefusedException e) {
            System.out.println("refused: " + e.getMessage());
        }
    }
}
