package org.jvrpc.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.jvrpc.runtime.contract.Quotes;
import org.jvrpc.runtime.contract.QuotesImpl;
import org.jvrpc.verbs.VerbsException;

/** A device without chains offers no programs, and says so; the methods are methods. */
class RoceOffloadTest implements RoceUnderTest {

    @Test
    void anOfferIsRefusedByNameAndTheMethodIsCalledAsAnyOther() {
        QuotesImpl impl = new QuotesImpl();
        try (RpcServer server = RpcServer.builder().bind(newAddress()).service(Quotes.class, impl).start();
                RpcClient client = RpcClient.connect(server.address())) {
            VerbsException e = assertThrows(VerbsException.class,
                    () -> server.offload(Quotes.class, "last(long)", new OffloadSettings()));
            assertTrue(e.getMessage().contains("Quotes/last"), e.getMessage());
            Quotes stub = client.stub(Quotes.class);
            impl.last.put(7L, 70L);
            assertEquals(70, stub.last(7));
            assertEquals(0, client.offloadedCalls());
        }
    }
}
