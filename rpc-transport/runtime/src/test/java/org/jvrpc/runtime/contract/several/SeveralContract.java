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
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.auth.CallCredentials;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.runtime.balance.ConnectionBackoff;
import org.jvrpc.runtime.balance.LoadBalancing;
import org.jvrpc.runtime.balance.OutlierEjection;
import org.jvrpc.runtime.balance.ServerState;
import org.jvrpc.runtime.balance.ServerStatus;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.contract.RpcUnderTest;
import org.jvrpc.runtime.contract.Third;

/** A client of several servers. */
public abstract class SeveralContract implements RpcUnderTest {

    private static final ConnectionBackoff SHORT =
            new ConnectionBackoff(Duration.ofMillis(2), 1.6, 0.2, Duration.ofMillis(50));

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final List<SiteServer> sites = new ArrayList<>();

    @AfterEach
    final void closeAll() throws Exception {
        while (!open.isEmpty()) {
            open.pop().close();
        }
    }

    private <C extends AutoCloseable> C keep(C closeable) {
        open.push(closeable);
        return closeable;
    }

    /** Starts servers by the names a, b, c… */
    private void serve(int count) {
        for (int i = 0; i < count; i++) {
            sites.add(keep(new SiteServer("" + (char) ('a' + i), newAddress())));
        }
    }

    private String target() {
        return "list:" + sites.stream().map(site -> clientAddress(site.address)).collect(Collectors.joining(","));
    }

    private RpcClient connectBy(UnaryOperator<RpcClient.Builder> settings) {
        RpcClient client = keep(settings.apply(RpcClient.builder(target()).connectionBackoff(SHORT)).connect());
        return client;
    }

    private RpcClient connect(LoadBalancing policy) {
        return connectBy(builder -> builder.loadBalancing(policy));
    }

    private static void awaitReady(RpcClient client, int count) {
        Await.until(count + " servers", () -> ready(client) == count);
    }

    private static long ready(RpcClient client) {
        return client.servers().stream().filter(server -> server.state() == ServerState.READY).count();
    }

    private static Map<String, Integer> count(Site site, int calls) {
        Map<String, Integer> counts = new TreeMap<>();
        for (int i = 0; i < calls; i++) {
            counts.merge(site.name(), 1, Integer::sum);
        }
        return counts;
    }

    @Test
    void serversTakeTurns() {
        serve(3);
        RpcClient client = connect(LoadBalancing.roundRobin());
        awaitReady(client, 3);
        assertEquals(Map.of("a", 10, "b", 10, "c", 10), count(client.stub(Site.class), 30));
    }

    @Test
    void theFirstServerHasAllCallsAndNoOtherIsConnected() {
        serve(3);
        RpcClient client = connect(LoadBalancing.pickFirst());
        assertEquals(Map.of("a", 10), count(client.stub(Site.class), 10));
        assertEquals(List.of(ServerState.READY, ServerState.IDLE, ServerState.IDLE),
                client.servers().stream().map(ServerStatus::state).toList());
        sites.get(0).kill();
        Await.until("the loss", () -> client.servers().get(0).state() != ServerState.READY);
        assertEquals(Map.of("b", 10), count(client.stub(Site.class), 10));
    }

    @Test
    void callsOfOneKeyGoToOneServer() {
        serve(3);
        RpcClient client = connect(LoadBalancing.ringHash());
        awaitReady(client, 3);
        Map<String, Integer> servers = new TreeMap<>();
        for (int key = 0; key < 40; key++) {
            Site site = client.stub(Site.class, CallOptions.DEFAULT.withHashKey("user-" + key));
            Map<String, Integer> counts = count(site, 3);
            assertEquals(1, counts.size(), "key=" + key + " " + counts);
            counts.keySet().forEach(name -> servers.merge(name, 1, Integer::sum));
        }
        assertEquals(3, servers.size(), servers.toString());
    }

    @Test
    void aServerThatIsKilledGetsNoCallsUntilItIsBack() {
        serve(2);
        RpcClient client = connect(LoadBalancing.roundRobin());
        awaitReady(client, 2);
        Site site = client.stub(Site.class);
        sites.get(0).kill();
        Await.until("the loss", () -> ready(client) == 1);
        assertEquals(Map.of("b", 10), count(site, 10));
        sites.get(0).start();
        awaitReady(client, 2);
        assertEquals(Map.of("a", 5, "b", 5), count(site, 10));
    }

    @Test
    void drainedServersLoseNoCall() {
        serve(3);
        RpcClient client = connect(LoadBalancing.roundRobin());
        awaitReady(client, 3);
        Load load = new Load(client);
        for (int round = 0; round < 6; round++) {
            SiteServer site = sites.get(round % 3);
            load.awaitCalls(200);
            site.drain();
            load.awaitCalls(50);
            site.start();
            awaitReady(client, 3);
        }
        assertEquals("[]", load.end().toString());
    }

    /** Threads that call and count what failed. */
    private static final class Load {

        private final AtomicBoolean over = new AtomicBoolean();
        private final AtomicLong done = new AtomicLong();
        private final List<CompletableFuture<List<String>>> callers = new ArrayList<>();

        Load(RpcClient client) {
            for (int thread = 0; thread < 3; thread++) {
                boolean async = thread == 2;
                callers.add(Await.start(() -> call(client.stub(Site.class), async)));
            }
        }

        private List<String> call(Site site, boolean async) {
            List<String> failures = new ArrayList<>();
            while (!over.get()) {
                try {
                    Object name = async ? Await.outcome(site.nameLater()) : site.name();
                    if (name instanceof RpcException e) {
                        throw e;
                    }
                } catch (RpcException e) {
                    failures.add(e.toString());
                }
                done.incrementAndGet();
            }
            return failures;
        }

        void awaitCalls(int more) {
            long goal = done.get() + more;
            Await.until(more + " calls", () -> done.get() >= goal);
        }

        List<String> end() {
            over.set(true);
            List<String> failures = new ArrayList<>();
            callers.forEach(caller -> failures.addAll(Await.join(caller)));
            return failures;
        }
    }

    @Test
    void callsInFlightOfAServerThatDrainsEndThere() {
        serve(2);
        RpcClient client = connect(LoadBalancing.roundRobin());
        awaitReady(client, 2);
        Site site = client.stub(Site.class);
        List<CompletableFuture<String>> held = List.of(Await.start(site::hold), Await.start(site::hold));
        Await.until("both to be held", () -> sites.get(0).holding.get() + sites.get(1).holding.get() == 2);
        SiteServer leaving = sites.get(0).holding.get() > 0 ? sites.get(0) : sites.get(1);
        leaving.server().shutdown();
        Await.until("the loss", () -> ready(client) == 1);
        sites.forEach(SiteServer::open);
        held.forEach(Await::join);
    }

    @Test
    void withAllServersGoneCallsFailAtOnceAndNameEach() {
        serve(2);
        RpcClient client = connect(LoadBalancing.roundRobin());
        awaitReady(client, 2);
        Site site = client.stub(Site.class);
        sites.forEach(SiteServer::kill);
        Await.until("both to have failed",
                () -> client.servers().stream().allMatch(server -> server.state() == ServerState.FAILED));
        RpcException e = assertThrows(RpcException.class, site::name);
        assertEquals(Status.UNAVAILABLE, e.status());
        assertFalse(e.mayHaveRun());
        for (ServerStatus server : client.servers()) {
            assertTrue(e.getMessage().contains(server.address()), e.getMessage());
        }
        assertFalse(client.isConnected());
    }

    @ParameterizedTest
    @ValueSource(strings = {"pick_first", "least_request", "ring_hash", "nearest"})
    void whicheverThePolicyCallsFailAtOnceWithAllServersGoneAndPatientOnesWait(String policy) {
        serve(2);
        RpcClient client = connect(LoadBalancing.named(policy));
        Site site = client.stub(Site.class);
        site.name();
        sites.forEach(SiteServer::kill);
        Await.until("both to have failed",
                () -> client.servers().stream().allMatch(server -> server.state() == ServerState.FAILED));
        RpcException e = assertThrows(RpcException.class, site::name);
        assertEquals(Status.UNAVAILABLE, e.status());
        assertFalse(e.mayHaveRun());
        CompletableFuture<String> waiting = Await.start(
                client.stub(Site.class, CallOptions.DEFAULT.withWaitForReady())::name);
        sites.get(1).start();
        assertEquals("b", Await.join(waiting));
    }

    @Test
    void callsThatWaitForReadyWaitForAnyServer() {
        serve(2);
        RpcClient client = connect(LoadBalancing.roundRobin());
        awaitReady(client, 2);
        Site patient = client.stub(Site.class, CallOptions.DEFAULT.withWaitForReady());
        Site brief = client.stub(Site.class,
                CallOptions.DEFAULT.withWaitForReady().withDeadlineAfter(Duration.ofMillis(30)));
        sites.forEach(SiteServer::kill);
        Await.until("both to have failed",
                () -> client.servers().stream().allMatch(server -> server.state() == ServerState.FAILED));
        assertThrows(RpcException.class, brief::name);
        CompletableFuture<String> waiting = Await.start(patient::name);
        sites.get(1).start();
        assertEquals("b", Await.join(waiting));
    }

    @Test
    void credentialsAreAskedForOnceACallHoweverManyServersAreTried() {
        String stranger = newAddress();
        keep(RpcServer.builder().bind(stranger).service(Third.class, number -> number).start());
        sites.add(keep(new SiteServer("b", newAddress())));
        String target = "list:" + clientAddress(stranger) + "," + clientAddress(sites.get(0).address);
        RpcClient client = keep(RpcClient.builder(target).connectionBackoff(SHORT).allowCredentialsInPlain()
                .loadBalancing(LoadBalancing.leastRequest()).connect());
        awaitReady(client, 2);
        AtomicLong asked = new AtomicLong();
        CallCredentials credentials = (method, metadata) ->
                asked.addAndGet(method.name().equals("(open)") ? 0 : 1);
        for (int stub = 1; stub <= 40; stub++) { // each opens, and calls, one or the other: one of them has no Site
            assertEquals("b", client.stub(Site.class, CallOptions.DEFAULT.withCredentials(credentials)).name());
            assertEquals(stub, asked.get());
        }
    }

    @Test
    void connectFailsWithoutAServerAndSaysWhy() {
        String first = newAddress();
        String second = newAddress();
        RpcException e = assertThrows(RpcException.class,
                () -> RpcClient.connect("list:" + clientAddress(first) + "," + clientAddress(second)));
        assertEquals(Status.UNAVAILABLE, e.status(), e.getMessage());
        assertTrue(e.getMessage().contains(clientAddress(first).replaceFirst("[?].*", "")), e.getMessage());
        assertTrue(e.getMessage().contains(clientAddress(second).replaceFirst("[?].*", "")), e.getMessage());
    }

    @Test
    void aServerWhoseCallsFailIsEjectedAndComesBackByAProbe() {
        serve(2);
        RpcClient client = connectBy(builder -> builder.loadBalancing(LoadBalancing.roundRobin())
                .outlierEjection(OutlierEjection.DEFAULT.withConsecutiveFailures(3).withMaxEjectionPercent(50)
                        .withEjectionTimes(Duration.ofMillis(20), Duration.ofMillis(40))));
        awaitReady(client, 2);
        Site site = client.stub(Site.class);
        sites.get(0).failure = Status.INTERNAL;
        Await.until("it to be ejected", () -> {
            try {
                site.name();
            } catch (RpcException e) {
                assertEquals(Status.INTERNAL, e.status());
            }
            return client.servers().get(0).state() == ServerState.EJECTED;
        });
        sites.get(0).failure = Status.OK;
        Await.until("a probe", () -> {
            site.name();
            return client.servers().get(0).state() == ServerState.READY;
        });
        assertEquals(Map.of("a", 5, "b", 5), count(site, 10));
    }
}
