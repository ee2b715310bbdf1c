package org.jvrpc.runtime.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.balance.ConnectionBackoff;
import org.jvrpc.runtime.balance.LeastSecurity;
import org.jvrpc.runtime.balance.LoadBalancing;
import org.jvrpc.runtime.channel.lookup.Target;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.resolve.NameResolver;
import org.jvrpc.runtime.resolve.ServerEntry;
import org.jvrpc.runtime.session.Settings;

/** No policy has a client use an address below its least security: not at first, nor in place of another, nor later. */
class LeastSecurityTest {

    private static final ConnectionBackoff SHORT =
            new ConnectionBackoff(Duration.ofMillis(2), 1.6, 0.2, Duration.ofMillis(4));
    private static final Map<LeastSecurity, Set<String>> ALLOWED = Map.of(
            LeastSecurity.ENCRYPTED, Set.of("tls"), LeastSecurity.LOCAL_OR_ENCRYPTED, Set.of("tls", "shm", "unix"));
    private static final List<String> POLICIES =
            List.of("pick_first", "round_robin", "least_request", "ring_hash", "nearest");

    private final List<String> tried = new CopyOnWriteArrayList<>();
    private final List<FakeLink> links = new CopyOnWriteArrayList<>();
    private volatile boolean refusing;
    private volatile NameResolver.Listener listener;
    private BalancedCore core;

    static Stream<Arguments> clients() {
        List<Arguments> all = new ArrayList<>();
        for (String policy : POLICIES) {
            for (LeastSecurity least : ALLOWED.keySet()) {
                for (boolean own : new boolean[] {false, true}) {
                    all.add(Arguments.of(policy, least, own));
                }
            }
        }
        return all.stream();
    }

    /** Tells what the test says. */
    private final class Told implements NameResolver {

        private final List<ServerEntry> first;

        Told(List<ServerEntry> first) {
            this.first = first;
        }

        @Override
        public void start(Listener hears) {
            listener = hears;
            hears.onServers(first);
        }

        @Override
        public void refresh() {
            // nothing is new
        }

        @Override
        public void close() {
            // there is nothing
        }
    }

    @AfterEach
    void close() {
        if (core != null) {
            core.close();
        }
    }

    private static ServerEntry entry(String id, String... schemes) {
        return new ServerEntry(id, Arrays.stream(schemes).map(scheme -> scheme + "://" + id + ":1").toList(), 1,
                Map.of(ServerEntry.HOST, HostIdentity.own()));
    }

    private FakeLink connect(String address) {
        tried.add(address);
        if (refusing) {
            throw new RpcException(Status.UNAVAILABLE, "refused: " + address);
        }
        FakeLink link = new FakeLink(address);
        links.add(link);
        return link;
    }

    private void begin(String policy, LeastSecurity least, boolean own, ServerEntry... servers) {
        ChannelOptions options = new ChannelOptions();
        options.balancing(LoadBalancing.named(policy));
        options.least(least);
        options.backoff(SHORT);
        options.addressOptions("tls", "name=orders.example");
        BalancedCore made = new BalancedCore(Target.of("told://one", own, new Told(List.of(servers))), new Settings(),
                options, (address, whenLost) -> connect(address));
        made.begin();
        core = made;
    }

    private void isNeverBelow(LeastSecurity least) {
        assertTrue(tried.stream().allMatch(address -> ALLOWED.get(least).contains(Way.schemeOf(address))),
                "least=" + least + " tried=" + tried);
    }

    private long tried(String server) {
        return tried.stream().filter(address -> address.contains("//" + server + ":")).count();
    }

    private void awaitTries(String server, long more) {
        long before = tried(server);
        Await.until("more tries at " + server, () -> tried(server) >= before + more);
    }

    @ParameterizedTest
    @MethodSource("clients")
    void noAddressBelowIsEverTried(String policy, LeastSecurity least, boolean own) {
        ServerEntry weak = entry("weak", "tcp", "roce", "rdma", "plain");
        ServerEntry mixed = entry("mixed", "tcp", "unix", "shm", "tls", "rdma", "roce");
        begin(policy, least, own, weak, mixed);
        isNeverBelow(least);

        refusing = true; // each address of each server fails: there is nothing to fall back to
        links.forEach(link -> link.connected = false);
        core.pass();
        awaitTries("mixed", 10);
        isNeverBelow(least);

        refusing = false;
        Await.until("another connection", core::isConnected);
        isNeverBelow(least);

        refusing = true;
        listener.onServers(List.of(entry("mixed", "tcp"), weak)); // the same server, by a weaker way alone
        core.pass();
        Await.until("what would be tried to fail", () -> {
            core.pass();
            return core.snapshot().ready().length == 0 && !core.snapshot().pending();
        });
        refusing = false;
        listener.onServers(List.of(weak, entry("later", "rdma", "tcp", "tls")));
        Await.until("a connection to the server that came later", core::isConnected);
        assertTrue(links.get(links.size() - 1).address.startsWith("tls://later:1"), links.toString());
        isNeverBelow(least);
    }

    @ParameterizedTest
    @MethodSource("clients")
    void whereAllAreBelowTheClientSaysSo(String policy, LeastSecurity least, boolean own) {
        RpcException e = assertThrows(RpcException.class,
                () -> begin(policy, least, own, entry("weak", "tcp", "roce"), entry("other", "rdma")));
        assertEquals(Status.FAILED_PRECONDITION, e.status(), e.getMessage());
        assertTrue(e.getMessage().contains("is below the client's least security " + least), e.getMessage());
        assertEquals(List.of(), tried);
    }
}
