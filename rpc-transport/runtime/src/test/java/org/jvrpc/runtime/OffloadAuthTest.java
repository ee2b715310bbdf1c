package org.jvrpc.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.auth.Access;
import org.jvrpc.offload.lookup.OffloadClient;
import org.jvrpc.runtime.contract.Quotes;
import org.jvrpc.runtime.contract.QuotesImpl;
import org.jvrpc.testing.Waits;
import org.jvrpc.verbs.ConnectionException;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;

/** Who may have programs answer. */
class OffloadAuthTest {

    private final AtomicBoolean allowed = new AtomicBoolean();
    private final QuotesImpl quotes = new QuotesImpl();
    private final RpcServer server = RpcServer.builder().bind(ShmFolder.address()).service(Quotes.class, quotes)
            .recheck(Duration.ofMillis(100))
            .authorizer((who, access) -> access.step() == Access.Step.PROGRAM && !allowed.get() ? "no" : null).start();
    private final OffloadedMethod<Quotes> last = server.offload(Quotes.class, "last(long)", new OffloadSettings());
    private final Device device = Devices.open("shm://any");

    @AfterEach
    void close() {
        server.shutdownNow();
        device.close();
    }

    private RpcClient connect() {
        return RpcClient.builder(server.address()).offloadWait(Duration.ofSeconds(10)).connect();
    }

    private OffloadClient connectToProgram() {
        return OffloadClient.connect(device, last.address(), last.name(), 64, device.createChannel(), Waits.limitNs());
    }

    @Test
    void aProgramIsNotOfferedToThoseWhoMayNotUseIt() {
        last.publish(q -> q.last(1), 3L);
        quotes.last.put(1L, 7L);
        try (RpcClient client = connect()) {
            Quotes stub = client.stub(Quotes.class);
            for (int i = 0; i < 100; i++) {
                assertEquals(7, stub.last(1));
            }
            assertEquals(0, client.offloadedCalls());
        }
        allowed.set(true);
        try (RpcClient client = connect()) {
            Quotes stub = client.stub(Quotes.class);
            Waits.until("the program to answer", () -> stub.last(1) == 3);
        }
    }

    @Test
    void whoKnowsWhereAProgramIsAndMayNotUseItIsRefused() {
        ConnectionException refused = assertThrows(ConnectionException.class, this::connectToProgram);
        assertTrue(new String(refused.privateData(), StandardCharsets.UTF_8).contains("not allowed"));
        assertEquals(0, last.clients().size());
        allowed.set(true);
        connectToProgram().close();
    }

    @Test
    void whoMayNoMoreIsCutOff() {
        allowed.set(true);
        last.publish(q -> q.last(1), 3L);
        quotes.last.put(1L, 7L);
        try (RpcClient client = connect()) {
            Quotes stub = client.stub(Quotes.class);
            Waits.until("the program to answer", () -> stub.last(1) == 3);
            allowed.set(false);
            Waits.until("ordinary calls", () -> stub.last(1) == 7 && stub.last(1) == 7 && stub.last(1) == 7);
        }
    }
}
