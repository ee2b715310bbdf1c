package org.jvrpc.runtime.health;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.health.ServingStatus;

/** What a server says of itself. */
class HealthTableTest {

    private final HealthTable table = new HealthTable(List.of("orders", "stock"));

    @Test
    void servicesServeFromTheStartAndStandEachForItself() {
        table.set("orders", ServingStatus.NOT_SERVING);
        assertEquals(ServingStatus.NOT_SERVING, table.check("orders"));
        assertEquals(ServingStatus.SERVING, table.check("stock"));
        assertEquals(ServingStatus.SERVING, table.check(""));
        assertEquals(ServingStatus.SERVICE_UNKNOWN, table.check("others"));
        table.set("others", ServingStatus.UNKNOWN);
        assertEquals(ServingStatus.UNKNOWN, table.status("others"));
    }

    @Test
    void behindItsEndNothingServesWhateverIsSet() {
        table.end();
        table.set("orders", ServingStatus.SERVING);
        table.set("late", ServingStatus.SERVING);
        for (String service : new String[] {"", "orders", "stock", "late"}) {
            assertEquals(ServingStatus.NOT_SERVING, table.check(service), service);
        }
    }

    @Test
    void whatCannotBeSetIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> table.set("orders", ServingStatus.SERVICE_UNKNOWN));
        assertThrows(IllegalArgumentException.class, () -> table.set("x".repeat(1025), ServingStatus.SERVING));
        assertThrows(NullPointerException.class, () -> table.set("orders", null));
        for (int i = 3; i < 1024; i++) {
            table.set("x" + i, ServingStatus.SERVING);
        }
        String message = assertThrows(IllegalArgumentException.class,
                () -> table.set("more", ServingStatus.SERVING)).getMessage();
        assertTrue(message.contains("more") && message.contains("1024"), message);
        table.set("orders", ServingStatus.NOT_SERVING); // one that is there
    }

    @Test
    void aWatcherHearsOfAChangeAndOfNothingElse() {
        CompletableFuture<ServingStatus> orders = table.watch("orders", ServingStatus.SERVING);
        table.set("stock", ServingStatus.NOT_SERVING);
        table.set("orders", ServingStatus.SERVING);
        assertFalse(orders.isDone());
        table.set("orders", ServingStatus.NOT_SERVING);
        assertEquals(ServingStatus.NOT_SERVING, orders.join());
    }

    @Test
    void whoeverKnowsSomethingElseHearsAtOnce() {
        assertEquals(ServingStatus.SERVING, table.watch("orders", ServingStatus.UNKNOWN).join());
        assertEquals(ServingStatus.SERVICE_UNKNOWN, table.watch("others", ServingStatus.SERVING).join());
    }

    @Test
    void allWhoWatchHearOfTheEnd() {
        CompletableFuture<ServingStatus> orders = table.watch("orders", ServingStatus.SERVING);
        CompletableFuture<ServingStatus> server = table.watch("", ServingStatus.SERVING);
        table.end();
        assertEquals(ServingStatus.NOT_SERVING, orders.join());
        assertEquals(ServingStatus.NOT_SERVING, server.join());
    }

    @Test
    void oneOfVeryManyWatchersHearsAtOnce() {
        CompletableFuture<ServingStatus> first = table.watch("orders", ServingStatus.SERVING);
        CompletableFuture<ServingStatus> last = first;
        for (int i = 0; i < 10_000; i++) {
            last = table.watch("orders", ServingStatus.SERVING);
        }
        assertEquals(ServingStatus.SERVING, last.join());
        assertFalse(first.isDone());
        first.complete(ServingStatus.SERVING); // its place is free
        assertFalse(table.watch("orders", ServingStatus.SERVING).isDone());
    }
}
