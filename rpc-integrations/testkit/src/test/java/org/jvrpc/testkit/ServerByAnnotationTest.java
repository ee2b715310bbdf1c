package org.jvrpc.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.jvrpc.testkit.Orders.NoSuchOrderException;
import org.jvrpc.testkit.Orders.Order;

/** A server that an annotation asks for. */
@WithJvrpc(serving = OrdersInMemory.class, over = Reach.SHARED_MEMORY)
final class ServerByAnnotationTest {

    private static final Order ORDER = new Order(7, "ABC", 3);

    @JvrpcStub
    private Orders field;

    @Test
    void aServerIsReachedThroughSharedMemory(JvrpcExtension rpc, Orders orders) throws NoSuchOrderException {
        assertTrue(rpc.address().startsWith("shm://"), rpc.address());
        orders.place(ORDER);
        assertEquals(ORDER, field.find(7));
    }

    @Test
    void theNextTestHasAnother() {
        assertThrows(NoSuchOrderException.class, () -> field.find(7));
    }
}
