package org.jvrpc.samples.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.samples.spring.orders.Order;
import org.jvrpc.samples.spring.orders.Orders;
import org.jvrpc.samples.spring.orders.RefusedException;
import org.jvrpc.samples.spring.server.ServerApplication;
import org.jvrpc.spring.JvrpcClient;
import org.jvrpc.spring.test.JvrpcTest;
import org.springframework.test.context.ContextConfiguration;

/** As users test their services. */
@JvrpcTest(stubs = Orders.class)
@ContextConfiguration(classes = ServerApplication.class)
class OrdersTest {

    @JvrpcClient
    private Orders orders;

    @Test
    void anOrderIsFoundByItsNumber() throws RefusedException {
        Order order = new Order("pears", 2);
        assertEquals(order, orders.find(orders.place(order)));
        assertEquals(2, orders.ordered("pears"));
    }

    @Test
    void anOrderOfNothingIsRefused() {
        RefusedException refusal =
                assertThrows(RefusedException.class, () -> orders.place(new Order("pears", 0)));
        assertEquals("an order needs pieces, pieces=0", refusal.getMessage());
    }

    @Test
    void anOrderThatIsNotThereIsNotFound() {
        assertEquals(Status.NOT_FOUND, assertThrows(RpcException.class, () -> orders.find(4711)).status());
    }
}
