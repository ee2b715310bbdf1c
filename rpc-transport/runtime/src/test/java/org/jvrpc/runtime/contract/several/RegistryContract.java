package org.jvrpc.runtime.contract.several;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.runtime.balance.LeastSecurity;
import org.jvrpc.runtime.balance.LoadBalancing;
import org.jvrpc.runtime.balance.ServerStatus;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.contract.RpcUnderTest;
import org.jvrpc.runtime.resolve.ServerEntry;

/** Servers that register, leave and are forgotten, and their clients. */
public abstract class RegistryContract implements RpcUnderTest {

    private static final AtomicInteger TARGETS = new AtomicInteger();

    private final String target = "test://" + getClass().getSimpleName() + "-" + TARGETS.incrementAndGet();
    private final TestRegistry.Directory directory = TestRegistry.directory(target);
    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    @AfterEach
    final void closeAll() throws Exception {
        while (!open.isEmpty()) {
            open.pop().close();
        }
        assertEquals(0, directory.listeners());
    }

    private <C extends AutoCloseable> C keep(C closeable) {
        open.push(closeable);
        return closeable;
    }

    /** Returns options by which clients reach servers that registered, as {@link RpcClient.Builder#addressOptions}. */
    protected UnaryOperator<RpcClient.Builder> options() {
        return builder -> builder;
    }

    private RpcClient connect() {
        return keep(options().apply(RpcClient.builder(target)).loadBalancing(LoadBalancing.roundRobin()).connect());
    }


    private static Site names(String name) {
        return new Named(name);
    }

    /** Says its name. */
    private record Named(String name) implements Site {
        @Override
        public CompletableFuture<String> nameLater() {
            return CompletableFuture.completedFuture(name);
        }

        @Override
        public long twice(long number) {
            return 2 * number;
        }

        @Override
        public CompletableFuture<Long> twiceLater(long number) {
            return CompletableFuture.completedFuture(twice(number));
        }

        @Override
        public String hold() {
            return name;
        }

        @Override
        public void fail(String status) {
            throw new RpcException(Status.valueOf(status), name);
        }
    }

    private RpcServer serve(String name) {
        return keep(RpcServer.builder().bind(newAddress()).service(Site.class, names(name)).register(target).start());
    }

    private static void awaitNames(Site site, String... names) {
        Set<String> seen = ConcurrentHashMap.newKeySet();
        Await.until("calls at " + List.of(names), () -> {
            seen.add(site.name());
            return seen.containsAll(Set.of(names));
        });
    }

    @Test
    void clientsFindServersThatRegisterAndForgetThoseThatLeave() throws Exception {
        RpcServer first = serve("a");
        RpcClient client = connect();
        Site site = client.stub(Site.class);
        assertEquals("a", site.name());
        serve("b");
        awaitNames(site, "a", "b");
        assertEquals(2, client.servers().size());
        first.shutdown();
        assertTrue(first.awaitTermination(Duration.ofNanos(Await.BOUND_NS)));
        assertEquals(1, directory.servers().size());
        Await.until("the client to forget it", () -> client.servers().size() == 1);
        for (int i = 0; i < 10; i++) {
            assertEquals("b", site.name());
        }
    }

    @Test
    void aServerThatStopsAtOnceLeavesToo() {
        serve("a").shutdownNow();
        assertEquals(List.of(), directory.servers());
    }

    @Test
    void aServerEndsThatItsRegistryCannotTakeOut() throws Exception {
        RpcServer server = serve("a");
        directory.keep();
        server.shutdown();
        assertTrue(server.awaitTermination(Duration.ofNanos(Await.BOUND_NS)));
        assertEquals(1, directory.servers().size());
    }

    @Test
    void aServerThatTheResolverForgetsEndsTheCallsThatItHas() {
        SiteServer held = keep(new SiteServer("a", newAddress()));
        serve("b");
        ServerEntry entry = entry(held, directory.servers().get(0));
        directory.put(entry);
        RpcClient client = connect();
        Site site = client.stub(Site.class);
        awaitNames(site, "a", "b");
        List<CompletableFuture<String>> calls = new ArrayList<>();
        Await.until("a call to be held", () -> {
            if (calls.size() < 20) {
                calls.add(Await.start(site::hold));
            }
            return held.holding.get() > 0;
        });
        directory.remove(entry.id());
        Await.until("the client to forget it", () -> client.servers().size() == 1);
        for (int i = 0; i < 10; i++) {
            assertEquals("b", site.name());
        }
        held.open();
        assertTrue(calls.stream().map(Await::join).anyMatch("a"::equals));
    }

    /** Returns a server as one would register that knows how clients of the test reach it. */
    private static ServerEntry entry(SiteServer site, ServerEntry like) {
        return new ServerEntry(site.name, List.of(site.address.replaceFirst("[?].*", "")), 1, like.attributes());
    }

    @Test
    void withoutTheRegistryClientsGoOnWithTheServersThatTheyKnow() {
        serve("a");
        RpcClient client = connect();
        Site site = client.stub(Site.class);
        directory.fail();
        assertEquals("a", site.name());
        assertEquals(1, client.servers().size());
    }

    @Test
    void whereNoServerIsRegisteredConnectSaysSo() {
        RpcException e = assertThrows(RpcException.class, () -> RpcClient.connect(target));
        assertEquals(Status.UNAVAILABLE, e.status());
        assertTrue(e.getMessage().contains(target) && e.getMessage().contains("there are none"), e.getMessage());
    }

    @Test
    void aRegistryThatRefusesKeepsTheServerFromStarting() {
        directory.refuse();
        String address = newAddress();
        RpcServer.Builder builder = RpcServer.builder().bind(address).service(Site.class, names("a")).register(target);
        assertEquals(Status.PERMISSION_DENIED, assertThrows(RpcException.class, builder::start).status());
        keep(RpcServer.builder().bind(address).service(Site.class, names("a")).start()); // it is free again
    }

    @Test
    void anAddressThatNobodyCanConnectToIsNotRegistered() {
        RpcServer.Builder builder = RpcServer.builder().bind(newAddress()).service(Site.class, names("a"))
                .register(target, self -> new ServerEntry(self.id(), List.of("tcp://0.0.0.0:7000"), 1, Map.of()));
        String why = assertThrows(IllegalArgumentException.class, builder::start).getMessage();
        assertTrue(why.contains("0.0.0.0"), why);
        assertEquals(List.of(), directory.servers());
    }

    @Test
    void addressesOfAResolverThatHaveOptionsAreNotUsed() {
        serve("a");
        ServerEntry good = directory.servers().get(0);
        directory.remove(good.id());
        directory.put(new ServerEntry("evil", List.of(good.addresses().get(0) + "?trust=/tmp/evil.pem"), 1,
                good.attributes()));
        RpcException e = assertThrows(RpcException.class, () -> RpcClient.connect(target));
        assertTrue(e.getMessage().contains("options"), e.getMessage());
        assertFalse(e.getMessage().contains("evil.pem"), e.getMessage());
    }

    @Test
    void noFallBackGoesBelowTheLeastSecurity() {
        serve("a");
        ServerEntry good = directory.servers().get(0);
        directory.remove(good.id());
        directory.put(new ServerEntry("plain", List.of("tls://127.0.0.1:1", "tcp://127.0.0.1:2"), 1, Map.of()));
        RpcException e = assertThrows(RpcException.class, () -> RpcClient.builder(target)
                .addressOptions("tls", "name=orders.example")
                .leastSecurity(LeastSecurity.LOCAL_OR_ENCRYPTED).connect());
        assertFalse(e.getMessage().contains("tcp://127.0.0.1:2"), e.getMessage()); // which was not tried
        directory.remove("plain");
        directory.put(new ServerEntry("worse", List.of("tcp://127.0.0.1:2"), 1, Map.of()));
        RpcException worse = assertThrows(RpcException.class, () -> RpcClient.builder(target)
                .leastSecurity(LeastSecurity.LOCAL_OR_ENCRYPTED).connect());
        assertTrue(worse.getMessage().contains("least security"), worse.getMessage());
        assertEquals(Status.FAILED_PRECONDITION, worse.status());
    }

    @Test
    void statusesNameServersAsTheyAreRegistered() {
        serve("a");
        RpcClient client = connect();
        ServerEntry entry = directory.servers().get(0);
        ServerStatus status = client.servers().get(0);
        assertEquals(entry.id(), status.id());
        assertEquals(entry.addresses().get(0), status.address());
        assertEquals(target, client.address());
        assertTrue(client.isConnected());
    }
}
