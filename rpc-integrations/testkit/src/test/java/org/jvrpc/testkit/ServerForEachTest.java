package org.jvrpc.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.testkit.Orders.NoSuchOrderException;
import org.jvrpc.testkit.Orders.Order;
import org.jvrpc.testkit.fault.Faults;
import org.jvrpc.testkit.script.Script;

/** A server that is there for each test. */
final class ServerForEachTest {

    private static final Order ORDER = new Order(7, "ABC", 3);

    @RegisterExtension
    private final JvrpcExtension rpc = JvrpcExtension.serving(new OrdersInMemory());

    @JvrpcStub
    private Orders field;
    @JvrpcStub
    private OrdersAsync async;

    @Test
    void stubsAreParametersAndFields(Orders orders) throws NoSuchOrderException {
        assertEquals(7, orders.place(ORDER));
        assertEquals(ORDER, field.find(7));
        assertEquals("ABC", field.symbolOf(7));
        assertEquals(7, assertThrows(NoSuchOrderException.class, () -> rpc.stub(Orders.class).find(8)).id() - 1);
        assertNull(orders.note(1));
    }

    @Test
    void theTwinClientServerFaultsAndScriptsAre(OrdersAsync twin, RpcClient client, RpcServer server, Faults faults,
            Script<Orders> script, JvrpcExtension extension) throws Exception {
        assertEquals(7, async.place(ORDER).get(60, TimeUnit.SECONDS));
        assertEquals(7, twin.place(ORDER).get(60, TimeUnit.SECONDS));
        assertSame(rpc.client(), client);
        assertSame(rpc.server(), server);
        assertSame(rpc.faults(), faults);
        assertSame(rpc.script(Orders.class), script);
        assertSame(rpc, extension);
        assertTrue(rpc.address().startsWith("inproc://testkit-"), rpc.address());
        script.verify(2, o -> o.place(ORDER));
    }
}
