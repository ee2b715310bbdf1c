package org.jvrpc.router;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.router.command.Sessions;
import org.jvrpc.router.map.Home;
import org.jvrpc.router.map.RouterRecord;
import org.jvrpc.router.map.Rule;
import org.jvrpc.router.map.TenantRecord;
import org.jvrpc.router.peer.Certificates;
import org.jvrpc.router.peer.PeerLinks;
import org.jvrpc.testing.Waits;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.ConnectionException;
import org.jvrpc.verbs.ConnectionRequest;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Listener;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.WcStatus;

/** Routers of two hosts, each with a tenant: who connects, what goes from one to the other, and what ends it. */
class TwoRoutersTest {

    private static final TenantId ONE = new TenantId("one");
    private static final TenantId TWO = new TenantId("two");
    private static final VirtualAddress THERE = new VirtualAddress("10.77.0.2");

    /** Those that no test ends. */
    private static Hosts shared;
    private static long epoch = 1;

    @TempDir
    private Path folder;
    private Hosts hosts;
    private TestRouter east;
    private TestRouter west;
    private TenantEnd from;
    private TenantEnd to;

    /** Two hosts with a router and a tenant each. */
    private static final class Hosts {

        final FixedView view = new FixedView();
        final TestRouter east;
        final TestRouter west;

        Hosts(Path folder) throws IOException {
            view.apply(new Rule(ONE, TWO, 0, 65535, true));
            east = router(Files.createDirectory(folder.resolve("h1")), "h1", "one", 0);
            west = router(Files.createDirectory(folder.resolve("h2")), "h2", "two", 1);
        }

        private TestRouter router(Path own, String host, String tenant, int index) {
            PeerLinks.Settings peers = PeerLinks.Settings.of(host, new InetSocketAddress("127.0.0.1", 0),
                    Certificates.get().options(host));
            String below = "roce://127.0.0." + (index + 1) + ":0";
            TestRouter made = new TestRouter(own, view, host, new RouterServer.Abroad(peers, below, true), index,
                    tenant);
            RouterServer server = made.server();
            view.put(new RouterRecord(host, "127.0.0.1:" + server.control().getPort(), server.data(),
                    Certificates.get().sha256(host), server.incarnation(), false, PeerLinks.VERSION));
            return made;
        }

        void close() {
            east.close();
            west.close();
        }
    }

    @BeforeAll
    static void startShared(@TempDir Path folder) throws IOException {
        shared = new Hosts(folder);
    }

    @AfterAll
    static void stopShared() {
        shared.close();
    }

    @BeforeEach
    void start() {
        shared.view.apply(new Rule(ONE, TWO, 0, 65535, true));
        shared.view.put(new Home(THERE, TWO, "h2", ++epoch, Home.State.SERVING));
        use(shared);
    }

    private void use(Hosts those) {
        hosts = those;
        east = those.east;
        west = those.west;
        from = new TenantEnd(east.open("one"));
        to = new TenantEnd(west.open("two"));
    }

    /** Has hosts that this test ends. */
    private void useOwn() throws IOException {
        from.close();
        to.close();
        use(new Hosts(folder));
    }

    @AfterEach
    void stop() {
        from.close();
        to.close();
        if (hosts != shared) {
            hosts.close();
        }
        Waits.until("all to have left", () -> isEmpty(shared.east) && isEmpty(shared.west));
    }

    private static boolean isEmpty(TestRouter router) {
        try {
            return router.server().counts().equals(new Sessions.Counts(0, 0, 0, 0));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private CompletableFuture<Connection> connecting(String address) {
        return CompletableFuture.supplyAsync(() -> from.connect(address));
    }

    private static Connection get(CompletableFuture<Connection> connector) {
        return connector.orTimeout(Waits.limitNs(), TimeUnit.NANOSECONDS).join();
    }

    private void connect() {
        String address = west.address(1);
        Listener listener = to.listen(address);
        CompletableFuture<Connection> connector = connecting(address);
        ConnectionRequest[] request = new ConnectionRequest[1];
        Waits.until("somebody to connect", () -> (request[0] = listener.poll()) != null
                || connector.isCompletedExceptionally(), () -> connector + " " + asking(east) + " " + asking(west)
                + " " + east.audited() + west.audited());
        if (request[0] != null) {
            to.accept(request[0]);
        }
        get(connector);
    }

    private void bothEnd() {
        Waits.until("both ends to be in ERR",
                () -> from.qp.state() == QueuePairState.ERR && to.qp.state() == QueuePairState.ERR,
                () -> from.qp.state() + " " + to.qp.state());
        Waits.until("no connection to be left", () -> connections(east) == 0 && connections(west) == 0);
    }

    private static int connections(TestRouter router) {
        try {
            return router.server().counts().connections();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void wasCut(TestRouter router, Refusal why) {
        assertTrue(router.audited().stream().anyMatch(line -> line.startsWith("one cut " + why)),
                router.audited().toString());
    }

    private List<String> attached() {
        return east.audited().stream().filter(line -> line.startsWith("one attach ")).toList();
    }

    @Test
    void aDevicesComingIsAuditedOnceWithItsFolderAndItsTokensName() {
        int before = attached().size();
        try (Device device = east.open("one")) {
            List<String> after = attached();
            assertEquals(before + 1, after.size(), after::toString);
            String line = after.get(before);
            assertTrue(line.matches("one attach null device=\\d+ folder=d-\\S+ token=first"), line + device);
        }
    }

    @Test
    void whatATenantSendsReachesOneOfAnotherHostBothWays() {
        to.receive(64, 100);
        from.receive(64, 100);
        connect();
        assertEquals(1, connections(east));
        assertEquals(1, connections(west));
        for (TenantEnd sender : List.of(from, to)) {
            TenantEnd receiver = sender == from ? to : from;
            byte[] sent = ("what tenant sends " + (sender == from)).getBytes(StandardCharsets.US_ASCII);
            sender.mr.buffer(0, sent.length).put(0, sent);
            sender.send(0, sent.length);
            assertEquals(WcStatus.SUCCESS, sender.completion());
            assertEquals(WcStatus.SUCCESS, receiver.completion());
            byte[] received = new byte[sent.length];
            receiver.mr.buffer(64, sent.length).get(0, received);
            assertEquals(new String(sent), new String(received));
        }
    }

    @Test
    void whoNoRuleAllowsIsRefused() {
        hosts.view.apply();
        String address = west.address(1);
        to.listen(address);
        ConnectionException e = assertThrows(ConnectionException.class, () -> from.connect(address));
        assertTrue(e.getMessage().contains("POLICY"), e.getMessage());
    }

    @Test
    void whereNobodyListensTheConnectorIsTold() {
        ConnectionException e = assertThrows(ConnectionException.class, () -> from.connect(west.address(1)));
        assertTrue(e.getMessage().contains("NOBODY_LISTENS"), e.getMessage());
        assertEquals(List.of("h2"), east.server().linked());
    }

    @Test
    void aRuleThatGoesEndsConnectionsAtBothHosts() {
        connect();
        hosts.view.apply();
        bothEnd();
        wasCut(east, Refusal.POLICY);
    }

    @Test
    void anAddressThatIsOnItsWayEndsConnectionsAtBothHosts() {
        connect();
        hosts.view.put(new Home(THERE, TWO, "h2", ++epoch, Home.State.MOVING));
        bothEnd();
        wasCut(east, Refusal.MOVED);
    }

    @Test
    void anAddressThatWasClaimedAnewEndsConnectionsAtBothHosts() {
        connect();
        hosts.view.put(new Home(THERE, TWO, "h2", ++epoch, Home.State.SERVING));
        bothEnd();
    }

    @Test
    void aTenantThatIsRevokedHasNoConnectionAtTheOtherHost() throws IOException {
        useOwn();
        connect();
        TenantRecord two = hosts.view.tenant(TWO);
        hosts.view.put(new TenantRecord(TWO, two.user(), two.addresses(), two.quota(), two.tokens(), true, 2), "h2");
        bothEnd();
    }

    @Test
    void aQpThatIsDestroyedEndsItsPeerAtTheOtherHost() {
        connect();
        from.close();
        Waits.until("the peer to be in ERR", () -> to.qp.state() == QueuePairState.ERR);
        Waits.until("no connection to be left", () -> connections(east) == 0 && connections(west) == 0);
    }

    @Test
    void aRouterThatEndsHasNoConnectionsAtTheOtherHost() throws IOException {
        useOwn();
        connect();
        west.close();
        bothEndOf(east);
        assertEquals(List.of(), east.server().linked());
    }

    private void bothEndOf(TestRouter router) {
        Waits.until("the end", () -> from.qp.state() == QueuePairState.ERR && to.qp.state() == QueuePairState.ERR);
        Waits.until("no connection to be left", () -> connections(router) == 0);
    }

    @Test
    void whoAsksForAnAddressOnItsWayMeetsItAtTheHostItComesTo() throws IOException {
        String address = west.address(1);
        hosts.view.put(new Home(THERE, TWO, "h1", ++epoch, Home.State.MOVING));
        CompletableFuture<Connection> connector = connecting(address);
        Waits.until("the connector to wait", () -> asking(east) == 1);
        assertFalse(connector.isDone());
        hosts.view.put(new Home(THERE, TWO, "h2", ++epoch, Home.State.SERVING));
        Waits.until("the connector to be asked for", () -> asking(west) == 1);
        to.accept(to.listen(address)); // its listener comes behind it
        get(connector);
    }

    private static int asking(TestRouter router) {
        try {
            Sessions.Counts counts = router.server().counts();
            return counts.asking();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
