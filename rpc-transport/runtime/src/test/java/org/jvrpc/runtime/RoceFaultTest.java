package org.jvrpc.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.contract.Quotes;
import org.jvrpc.runtime.contract.QuotesImpl;

/** Calls over sockets that others want, and that go. */
class RoceFaultTest implements RoceUnderTest {

    @Test
    void aServerOfTheSameAddressIsReachedAgain() {
        String address = newAddress();
        for (int i = 0; i < 3; i++) {
            QuotesImpl impl = new QuotesImpl();
            impl.last.put(7L, 70L + i);
            try (RpcServer server = RpcServer.builder().bind(address).service(Quotes.class, impl).start();
                    RpcClient client = RpcClient.connect(address)) {
                assertEquals(70 + i, client.stub(Quotes.class).last(7), server.address());
            }
        }
    }

    @Test
    void manyClientsOfAProcessShareTheStandardWay() {
        String address = newAddress();
        String symmetric = "roce://127.0.0.1:7471?udp=" + address.substring(address.lastIndexOf(':') + 1);
        QuotesImpl impl = new QuotesImpl();
        impl.last.put(7L, 70L);
        try (RpcServer server = RpcServer.builder().bind(symmetric).service(Quotes.class, impl).start();
                RpcClient second = RpcClient.connect(symmetric + "&from=127.0.0.2")) {
            try (RpcClient first = RpcClient.connect(symmetric + "&from=127.0.0.2")) {
                assertEquals(70, first.stub(Quotes.class).last(7), server.address());
            }
            assertEquals(70, second.stub(Quotes.class).last(7));
        }
    }

    @Test
    void aHostThatNobodyKnowsIsUnavailable() {
        newAddress();
        RpcException e =
                assertThrows(RpcException.class, () -> RpcClient.connect("roce://no-such-host.invalid:7471"));
        assertEquals(Status.UNAVAILABLE, e.status());
        assertTrue(e.getMessage().contains("no-such-host.invalid"), e.getMessage());
    }
}
