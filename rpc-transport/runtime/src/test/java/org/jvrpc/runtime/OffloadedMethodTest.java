package org.jvrpc.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.offload.lookup.OffloadClient;
import org.jvrpc.offload.table.MethodPublished;
import org.jvrpc.runtime.contract.Quotes;
import org.jvrpc.runtime.contract.QuotesImpl;
import org.jvrpc.testing.Waits;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;

/** A method that a server offers to programs, from the server's side. */
class OffloadedMethodTest {

    private final RpcServer server = RpcServer.builder().bind(ShmFolder.address())
            .service(Quotes.class, new QuotesImpl()).start();
    private final Device device = Devices.open("shm://any");

    @AfterEach
    void close() {
        server.shutdownNow();
        device.close();
    }

    @Test
    void whatIsPublishedIsCountedUntilItIsRemoved() {
        OffloadedMethod<Quotes> last = server.offload(Quotes.class, "last(long)", new OffloadSettings());
        assertSame(last, server.<Quotes>offloaded(Quotes.class, "last(long)"));
        assertEquals(MethodPublished.PUBLISHED, last.publish(quotes -> quotes.last(1)));
        assertEquals(MethodPublished.PUBLISHED, last.publish(quotes -> quotes.last(2), 3L));
        assertEquals(2, last.size());
        assertTrue(last.remove(quotes -> quotes.last(1)));
        assertFalse(last.remove(quotes -> quotes.last(1)));
        assertEquals(1, last.size());
        last.clear();
        assertEquals(0, last.size());
    }

    @Test
    void clientsFindTheLookupWhereTheMethodSays() {
        OffloadedMethod<Quotes> last = server.offload(Quotes.class, "last(long)", new OffloadSettings());
        assertEquals(server.address() + ".offload", last.address());
        try (OffloadClient client = OffloadClient.connect(device, last.address(), last.name(), 64,
                device.createChannel(), Waits.limitNs())) {
            Waits.until("the client to be listed", () -> last.clients().size() == 1);
            assertNotEquals(0, client.rkey());
        }
    }

    @Test
    void whatAnotherHostIsToOfferHasItsHeaderInThatMemory() {
        OffloadSettings settings = new OffloadSettings().capacity(3);
        OffloadedMethod<Quotes> last = server.offload(Quotes.class, "last(long)", settings.hosted("shm://elsewhere",
                "theirs", device.allocatePd().allocate(4096 + settings.bytes(),
                Access.LOCAL_WRITE | Access.REMOTE_READ), 4096));
        assertEquals("shm://elsewhere", last.address());
        assertEquals("theirs", last.name());
        assertTrue(last.header() >= 4096 && last.header() < 4096 + settings.bytes(), () -> "header=" + last.header());
    }

    @Test
    void anAsynchronousStubIsOfTheServicesOwnTwin() {
        try (RpcClient client = RpcClient.connect(server.address())) {
            String why = assertThrows(IllegalArgumentException.class,
                    () -> client.asyncStub(Quotes.class, Runnable.class)).getMessage();
            assertTrue(why.contains("QuotesAsync, not java.lang.Runnable"), why);
        }
    }
}
