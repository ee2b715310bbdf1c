package org.jvrpc.testkit.simulated;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.jvrpc.testkit.Orders;
import org.jvrpc.testkit.Orders.Order;
import org.jvrpc.testkit.OrdersInMemory;

/** The test of a network that the site shows. */
class SlowNetworkTest {

    // snippet begins
    @Test
    void anOrderTakesTheTimeOfTheLinks() {
        SimulatedNetwork network = SimulatedNetwork.hosts(2)
                .delay(Duration.ofMillis(10)).loss(0.01).bandwidth(1_000_000_000).seed(7).start();
        network.serve(1, Orders.class, new OrdersInMemory());
        Orders orders = network.client(0).stub(1, Orders.class);
        assertEquals(7, orders.place(new Order(7, "ABC", 3)));
        assertTrue(network.now().toMillis() >= 20); // milliseconds of the network, and none of yours
    }
    // snippet ends
}
