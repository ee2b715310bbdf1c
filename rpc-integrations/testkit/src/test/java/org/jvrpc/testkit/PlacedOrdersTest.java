package org.jvrpc.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.testkit.Orders.Order;
import org.jvrpc.testkit.fault.Faults;
import org.jvrpc.testkit.script.Args;
import org.jvrpc.testkit.script.Script;

/** The test that the site shows. */
class PlacedOrdersTest {

    // snippet begins
    @RegisterExtension
    private final JvrpcExtension rpc = JvrpcExtension.serving(new OrdersInMemory()); // or @WithJvrpc(serving = …)

    @Test
    void findsWhatWasPlaced(Orders orders, Script<Orders> script, Faults faults) throws Exception {
        Order order = new Order(7, "ABC", 3);
        faults.on("place").nth(2).status(Status.UNAVAILABLE, "away"); // also delay, drop, dropAnswer, killServer, …
        assertEquals(7, orders.place(order));
        assertThrows(RpcException.class, () -> orders.place(order));
        assertEquals(order, orders.find(7)); // the implementation's answer

        script.when(o -> o.find(7)).answer(new Order(7, "XYZ", 1)).times(2).fail(Status.RESOURCE_EXHAUSTED, "enough");
        assertEquals("XYZ", orders.find(7).symbol()); // the script stands before the implementation
        script.verify(1, o -> o.place(Args.that(placed -> placed.lots() > 2)));
    }
    // snippet ends

    @Test
    void stubsOfTheExtensionAreThoseOfItsServer() {
        assertEquals(7, rpc.stub(Orders.class, CallOptions.DEFAULT).place(new Order(7, "ABC", 3)));
    }
}
