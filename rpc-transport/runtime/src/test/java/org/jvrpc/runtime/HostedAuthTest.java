package org.jvrpc.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.auth.Access;
import org.jvrpc.offload.lookup.LookupKind;
import org.jvrpc.offload.lookup.Offer;
import org.jvrpc.offload.lookup.OffloadClient;
import org.jvrpc.offload.lookup.OffloadHost;
import org.jvrpc.runtime.contract.Quotes;
import org.jvrpc.runtime.contract.QuotesImpl;
import org.jvrpc.testing.Waits;
import org.jvrpc.verbs.ConnectionException;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.MemoryRegion;

/** Who may have programs answer whose host is elsewhere and asks nobody: as a hull is. */
class HostedAuthTest {

    private final AtomicBoolean allowed = new AtomicBoolean();
    private final QuotesImpl quotes = new QuotesImpl();
    private final OffloadSettings settings = new OffloadSettings().capacity(64).answerBytes(64);
    private final Device device = Devices.open("shm://any");
    private final MemoryRegion region = device.allocatePd().allocate(settings.bytes(),
            org.jvrpc.verbs.Access.LOCAL_WRITE | org.jvrpc.verbs.Access.REMOTE_READ);
    private final OffloadHost host = new OffloadHost(device, ShmFolder.address());
    private RpcServer server;
    private OffloadedMethod<Quotes> last;

    private void serve(RpcServer.Builder builder) {
        quotes.last.put(1L, 7L);
        server = builder.bind(ShmFolder.address()).service(Quotes.class, quotes).start();
        last = server.offload(Quotes.class, "last(long)",
                settings.hostedInSecret(host.address(), this::offerInSecret, region, 0));
        last.publish(q -> q.last(1), 3L);
    }

    private void serveGuarded() {
        serve(RpcServer.builder().recheck(Duration.ofMillis(100)).authorizer(
                (who, access) -> access.step() == Access.Step.PROGRAM && !allowed.get() ? "no" : null));
    }

    /** As {@code HullClient.offerInSecret}. */
    private String offerInSecret() {
        if (last != null) {
            host.withdraw(last.name());
        }
        String name = Offer.secretName("last");
        host.offer(new Offer(name, LookupKind.HASH_GET, region, 0));
        return name;
    }

    @AfterEach
    void close() {
        server.shutdownNow();
        host.close();
        device.close();
    }

    private RpcClient connect() {
        return RpcClient.builder(server.address()).offloadWait(Duration.ofSeconds(10)).connect();
    }

    private String refusal(String name) {
        ConnectionException refused = assertThrows(ConnectionException.class, () -> OffloadClient.connect(device,
                host.address(), name, 64, device.createChannel(), Waits.limitNs()).close());
        return new String(refused.privateData(), StandardCharsets.UTF_8);
    }

    @Test
    void whoMayNotUseAProgramIsNotToldItsNameByAnybody() {
        serveGuarded();
        try (RpcClient client = connect()) {
            Quotes stub = client.stub(Quotes.class);
            for (int i = 0; i < 100; i++) {
                assertEquals(7, stub.last(1));
            }
            assertEquals(0, client.offloadedCalls());
        }
        for (String name : new String[] {"last", "last~", "last~AAAAAAAAAAAAAAAA"}) {
            String why = refusal(name);
            assertTrue(why.contains("no lookup name=" + name) && !why.contains(last.name()), why);
        }
        allowed.set(true);
        try (RpcClient client = connect()) {
            Quotes stub = client.stub(Quotes.class);
            Waits.until("the program to answer", () -> stub.last(1) == 3);
        }
    }

    @Test
    void whoMayNoMoreIsCutOffAndKnowsTheNameNoMore() {
        allowed.set(true);
        serveGuarded();
        String name = last.name();
        try (RpcClient client = connect()) {
            Quotes stub = client.stub(Quotes.class);
            Waits.until("the program to answer", () -> stub.last(1) == 3);
            assertEquals(name, last.name(), "nobody has lost what they may");
            allowed.set(false);
            Waits.until("ordinary calls", () -> stub.last(1) == 7 && stub.last(1) == 7 && stub.last(1) == 7);
            Waits.until("another name", () -> !name.equals(last.name())); // which comes behind the cut
            assertFalse(refusal(name).contains(last.name()));
        }
        allowed.set(true);
        try (RpcClient client = connect()) {
            Quotes stub = client.stub(Quotes.class);
            Waits.until("the program by its new name", () -> stub.last(1) == 3);
        }
    }

    @Test
    void aServerThatAsksNobodyGivesThePlaceAnotherNameWhenItRevokesSomebody() throws Exception {
        serve(RpcServer.builder());
        String name = last.name();
        try (RpcClient client = connect()) {
            Quotes stub = client.stub(Quotes.class);
            Waits.until("the program to answer", () -> stub.last(1) == 3);
            server.revoke(who -> true).close();
            assertTrue(refusal(name).contains("no lookup name="));
        }
    }
}
