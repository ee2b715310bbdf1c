package org.jvrpc.runtime.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.health.ServingStatus;
import org.jvrpc.runtime.balance.LoadBalancing;
import org.jvrpc.runtime.balance.OutlierEjection;
import org.jvrpc.runtime.balance.ServerState;
import org.jvrpc.runtime.health.HealthOptions;
import org.jvrpc.runtime.health.HealthProbe;
import org.jvrpc.runtime.resolve.ServerEntry;
import org.jvrpc.runtime.route.ServerLink;

/** States of servers, by hand and by a clock of the test's. */
class ServerSetTest {

    private static final long MIDDLE = 1L << 63; // a lot that changes nothing
    private static final long S = 1_000_000_000L;

    private final ChannelOptions options = new ChannelOptions();
    private ServerSet set;
    private long now = 5 * S;
    private Snapshot snapshot;

    private void begin(LoadBalancing policy, ServerEntry... entries) {
        options.balancing(policy);
        set = new ServerSet(options, true, () -> MIDDLE);
        set.resolved(List.of(entries));
    }

    private static ServerEntry entry(String id) {
        return ServerEntry.of(id, "tcp://" + id + ":1");
    }

    /** Returns the servers to connect to. */
    private List<String> look() {
        List<SubChannel> attempts = new ArrayList<>();
        snapshot = set.look(now, attempts);
        return attempts.stream().map(server -> server.entry().id()).toList();
    }

    private SubChannel server(String id) {
        return set.all().stream().filter(server -> server.entry().id().equals(id)).findFirst().orElseThrow();
    }

    private FakeLink connect(String id) {
        SubChannel server = server(id);
        Way way = server.dueWays(now).get(0);
        FakeLink link = new FakeLink(way.address());
        assertTrue(set.connected(server, link, way, probe(link), now));
        return link;
    }

    private void fail(String id) {
        SubChannel server = server(id);
        for (Way way : server.dueWays(now)) {
            server.failed(way, new RpcException(Status.UNAVAILABLE, "refused: " + way.address()), now);
        }
        server.allFailed();
    }

    private List<String> ready() {
        return Arrays.stream(snapshot.ready()).map(server -> server.entry().id()).toList();
    }

    @Test
    void attemptsThatFailAreRepeatedByTheBackoffAndCallsDoNotWaitForThem() {
        begin(LoadBalancing.roundRobin(), entry("a"));
        assertEquals(List.of("a"), look());
        assertTrue(snapshot.pending());
        for (long pauseNs : new long[] {1_000_000_000L, 1_600_000_000L, 2_560_000_000L}) {
            assertEquals(List.of(), look()); // it is under way
            fail("a");
            assertEquals(List.of(), look());
            assertFalse(snapshot.pending());
            assertEquals(pauseNs, set.waitNs(now));
            now += pauseNs - 1;
            assertEquals(List.of(), look());
            now += 1;
            assertEquals(List.of("a"), look());
            assertFalse(snapshot.pending());
        }
        connect("a");
        look();
        assertEquals(List.of("a"), ready());
    }

    @Test
    void aRouterIsAskedAgainAsSoonAsAServerOfThisHost() {
        begin(LoadBalancing.roundRobin(), ServerEntry.of("a", "router://10.77.0.1:7000"));
        look();
        for (long pauseNs : new long[] {1_000_000, 2_000_000, 4_000_000}) {
            fail("a");
            look();
            assertEquals(pauseNs, set.waitNs(now));
            now += pauseNs;
            assertEquals(List.of("a"), look());
        }
    }

    @Test
    void aServerThatIsLostIsConnectedToAgainAtOnce() {
        begin(LoadBalancing.roundRobin(), entry("a"));
        look();
        FakeLink link = connect("a");
        look();
        link.connected = false;
        assertTrue(set.dropLost());
        assertEquals(List.of("a"), look());
        assertTrue(snapshot.pending()); // so that calls wait
        assertEquals(List.of(link), set.takeDrained());
        assertFalse(set.dropLost());
    }

    @Test
    void aServerThatTheResolverForgetsEndsWithItsLastCall() {
        begin(LoadBalancing.roundRobin(), entry("a"), entry("b"));
        look();
        FakeLink a = connect("a");
        connect("b");
        a.inFlight = 1;
        look();
        set.resolved(List.of(entry("b"), entry("c")));
        assertEquals(List.of("c"), look());
        assertEquals(List.of("b"), ready());
        assertTrue(a.left);
        assertEquals(List.of(), set.takeDrained());
        assertTrue(set.isDraining());
        a.inFlight = 0;
        assertEquals(List.of(a), set.takeDrained());
        assertFalse(set.isDraining());
    }

    @Test
    void theSameServersStayAsTheyAreWhateverTheirOrderOrWeight() {
        begin(LoadBalancing.roundRobin(), entry("a"), entry("b"));
        look();
        FakeLink a = connect("a");
        FakeLink b = connect("b");
        look();
        set.resolved(List.of(new ServerEntry("b", List.of("tcp://b:1"), 7, Map.of()), entry("a")));
        assertEquals(List.of(), look());
        assertEquals(List.of("b", "a"), ready());
        assertEquals(7, server("b").entry().weight());
        assertFalse(a.left || b.left);
    }

    @Test
    void aServerWithOtherAddressesIsAnotherOne() {
        begin(LoadBalancing.roundRobin(), entry("a"));
        look();
        FakeLink old = connect("a");
        set.resolved(List.of(ServerEntry.of("a", "tcp://elsewhere:1")));
        assertEquals(List.of("a"), look());
        assertTrue(old.left);
    }

    @Test
    void aConnectionToAServerThatWasForgottenMeanwhileIsNotTaken() {
        begin(LoadBalancing.roundRobin(), entry("a"));
        look();
        SubChannel a = server("a");
        set.resolved(List.of());
        assertFalse(set.connected(a, new FakeLink("tcp://a:1"), a.dueWays(now).get(0), null, now));
        look();
        assertEquals(List.of(), ready());
        assertFalse(snapshot.pending());
    }

    @Test
    void withoutAnAnswerOfTheResolverCallsWaitAndWithAFailureTheyAreTold() {
        set = new ServerSet(options, true, () -> MIDDLE);
        look();
        assertTrue(snapshot.pending());
        set.unresolved(new RpcException(Status.UNAVAILABLE, "no ensemble"));
        look();
        assertFalse(snapshot.pending());
        set.resolved(List.of(entry("a")));
        look();
        connect("a");
        set.unresolved(new RpcException(Status.UNAVAILABLE, "no ensemble"));
        look();
        assertEquals(List.of("a"), ready()); // the client goes on with what it knows
    }

    @Test
    void aListThatFlapsLeavesNoConnectionBehind() {
        begin(LoadBalancing.roundRobin(), entry("a"), entry("b"));
        look();
        FakeLink a = connect("a");
        for (int round = 0; round < 100; round++) {
            FakeLink b = connect("b");
            look();
            set.resolved(List.of(entry("a")));
            assertEquals(List.of(), look());
            assertEquals(List.of("a"), ready());
            assertEquals(List.of(b), set.takeDrained());
            set.resolved(List.of(entry("a"), entry("b")));
            assertEquals(List.of("b"), look());
        }
        assertFalse(a.left || set.isDraining());
        assertEquals(List.of(a), set.takeAll());
    }

    @Test
    void noMoreServersAreUsedThanTheLimitAndNoIdTwice() {
        List<ServerEntry> many = new ArrayList<>();
        for (int i = 0; i < ServerEntry.MAX_SERVERS + 5; i++) {
            many.add(entry("s" + i / 2));
        }
        begin(LoadBalancing.roundRobin(), many.toArray(new ServerEntry[0]));
        assertEquals((ServerEntry.MAX_SERVERS + 5 + 1) / 2, look().size());
        for (int i = 0; i < ServerEntry.MAX_SERVERS + 5; i++) {
            many.set(i, entry("t" + i));
        }
        set.resolved(many);
        assertEquals(ServerEntry.MAX_SERVERS, look().size());
    }

    @Test
    void nearestFallsBackToFartherServersAndReturnsWhenANearOneIsBack() {
        begin(LoadBalancing.nearest(), ServerEntry.of("far", "tcp://far:1"), ServerEntry.of("near", "shm://near"));
        assertEquals(List.of("near"), look());
        fail("near");
        assertEquals(List.of("far"), look());
        FakeLink far = connect("far");
        now += 1_000_000; // of shared memory, which is tried again soon
        assertEquals(List.of("near"), look());
        assertEquals(List.of("far"), ready());
        connect("near");
        look();
        assertEquals(List.of("near"), ready());
        assertTrue(far.left);
        assertEquals(ServerState.IDLE, server("far").state());
    }

    @Test
    void theNextAddressOfAServerIsTriedWhereTheNearestFails() {
        begin(LoadBalancing.nearest(), ServerEntry.of("a", "tcp://a:1", "shm://a"));
        look();
        SubChannel a = server("a");
        assertEquals(List.of("shm://a", "tcp://a:1"), a.dueWays(now).stream().map(Way::address).toList());
        assertEquals(0, a.distance());
        set.connected(a, new FakeLink("tcp://a:1"), a.dueWays(now).get(1), null, now);
        assertEquals(Way.of("tcp://a:1").distance(), a.distance());
        assertEquals("tcp://a:1", a.status().address());
    }

    private HealthProbe probe(FakeLink link) {
        return options.health() == null ? null : new HealthProbe(link, "test", CallOptions.DEFAULT);
    }

    private void answer(String id, HealthProbe asked, ServingStatus status) {
        server(id).checkup().answered(asked, status, null, now);
    }

    @Test
    void aServerThatSaysThatItCannotServeGetsNoCalls() {
        options.health(HealthOptions.of("", Duration.ofSeconds(1)));
        begin(LoadBalancing.roundRobin(), entry("a"), entry("b"));
        look();
        connect("a");
        connect("b");
        look();
        assertEquals(List.of(), ready()); // it is not known yet
        assertTrue(snapshot.pending());
        assertEquals(ServerState.CONNECTING, server("a").state());
        Map<SubChannel, HealthProbe> due = set.dueCheckups(now);
        assertEquals(Set.of(server("a"), server("b")), due.keySet());
        assertEquals(Map.of(), set.dueCheckups(now)); // they are being asked
        answer("a", due.get(server("a")), ServingStatus.NOT_SERVING);
        answer("b", due.get(server("b")), ServingStatus.SERVING);
        assertEquals(List.of(), look()); // its connection stays
        assertEquals(List.of("b"), ready());
        assertFalse(snapshot.pending());
        assertEquals(ServerState.UNHEALTHY, server("a").state());
        assertEquals("it says that the server is NOT_SERVING", server("a").status().reason());
        now += set.waitNs(now);
        due = set.dueCheckups(now);
        assertEquals(Set.of(server("a"), server("b")), due.keySet());
        answer("a", due.get(server("a")), ServingStatus.SERVING);
        look();
        assertEquals(List.of("a", "b"), ready());
    }

    @Test
    void aServerThatIsConnectedToAgainIsAskedAnewAndALateAnswerOfBeforeIsOfNoMatter() {
        options.health(HealthOptions.of("", Duration.ofSeconds(1)));
        begin(LoadBalancing.roundRobin(), entry("a"));
        look();
        FakeLink link = connect("a");
        HealthProbe before = set.dueCheckups(now).get(server("a"));
        link.connected = false;
        set.dropLost();
        look();
        connect("a");
        answer("a", before, ServingStatus.SERVING);
        look();
        assertEquals(List.of(), ready());
        answer("a", set.dueCheckups(now).get(server("a")), ServingStatus.SERVING);
        look();
        assertEquals(List.of("a"), ready());
    }

    @Test
    void theFirstServerThatCanServeIsTakenAndWhereNoneCanAllStayConnected() {
        options.health(HealthOptions.of("", Duration.ofSeconds(1)));
        begin(LoadBalancing.pickFirst(), entry("a"), entry("b"));
        assertEquals(List.of("a"), look());
        FakeLink a = connect("a");
        answer("a", set.dueCheckups(now).get(server("a")), ServingStatus.NOT_SERVING);
        assertEquals(List.of("b"), look());
        FakeLink b = connect("b");
        answer("b", set.dueCheckups(now).get(server("b")), ServingStatus.NOT_SERVING);
        assertEquals(List.of(), look()); // or they would be connected to in turn, without a pause
        assertFalse(a.left || b.left);
        now += set.waitNs(now);
        answer("b", set.dueCheckups(now).get(server("b")), ServingStatus.SERVING);
        look();
        assertEquals(List.of("b"), ready());
        assertTrue(a.left);
    }

    @Test
    void anEjectedServerIsProbedByOneCallAtATimeAndStaysOutForLongerEachTime() {
        options.ejection(OutlierEjection.DEFAULT.withMaxEjectionPercent(50));
        begin(LoadBalancing.roundRobin(), entry("a"), entry("b"));
        look();
        connect("a");
        connect("b");
        SubChannel a = server("a");
        assertTrue(set.outliers().eject(a, set.all(), now));
        assertFalse(set.outliers().eject(server("b"), set.all(), now)); // one of two is half of them
        look();
        assertEquals(List.of("b"), ready());
        for (int times = 1; times <= 3; times++) {
            now += times * 30 * S - 1;
            assertEquals(null, snapshot.tryProbe(now), "times=" + times);
            now += 1;
            assertSame(a, snapshot.tryProbe(now), "times=" + times);
            assertEquals(null, snapshot.tryProbe(now), "a second one, times=" + times);
            set.outliers().probed(a, true, now);
        }
        now += 120 * S;
        assertSame(a, snapshot.tryProbe(now));
        set.outliers().probed(a, false, now);
        look();
        assertEquals(List.of("a", "b"), ready());
    }

    @Test
    void ejectedServersGetCallsWhereThereIsNoOther() {
        options.ejection(OutlierEjection.DEFAULT.withMaxEjectionPercent(50));
        begin(LoadBalancing.roundRobin(), entry("a"), entry("b"));
        look();
        connect("a");
        look();
        fail("b");
        set.outliers().eject(server("a"), set.all(), now);
        look();
        assertEquals(List.of("a"), ready());
    }

    @Test
    void aServerWhoseSuccessRateIsFarBelowTheOthersIsEjected() {
        options.ejection(OutlierEjection.DEFAULT);
        ServerEntry[] entries = new ServerEntry[10];
        for (int i = 0; i < entries.length; i++) {
            entries[i] = entry("s" + i);
        }
        begin(LoadBalancing.roundRobin(), entries);
        look();
        set.outliers().look(set.all(), now);
        for (int i = 0; i < entries.length; i++) {
            connect("s" + i);
            for (int call = 0; call < 100; call++) {
                server("s" + i).outlier().ended(i == 4 && call % 2 == 0);
            }
        }
        now += 10 * S - 1;
        assertFalse(set.outliers().look(set.all(), now));
        now += 1;
        assertTrue(set.outliers().look(set.all(), now));
        assertEquals(List.of("s4"), set.all().stream().filter(server -> server.state() == ServerState.EJECTED)
                .map(server -> server.entry().id()).toList());
    }

    @Test
    void aPolicyThatThrowsEndsNothing() {
        begin(random -> ready -> {
            throw new IllegalStateException("a policy that fails");
        }, entry("a"), entry("b"));
        look();
        connect("a");
        connect("b");
        look();
        assertEquals("a", snapshot.pick(1).entry().id());
    }

    @Test
    void aPickerThatPointsOutsideIsKeptInside() {
        begin(random -> ready -> hash -> (int) hash, entry("a"), entry("b"));
        look();
        connect("a");
        connect("b");
        look();
        assertEquals("a", snapshot.pick(-5).entry().id());
        assertEquals("b", snapshot.pick(5).entry().id());
    }

    @Test
    void whenAllIsOverEveryConnectionIsTheCallers() {
        begin(LoadBalancing.roundRobin(), entry("a"), entry("b"));
        look();
        FakeLink a = connect("a");
        FakeLink b = connect("b");
        set.resolved(List.of(entry("b")));
        List<ServerLink> all = set.takeAll();
        assertEquals(List.of(a, b), all);
        assertEquals(List.of(), set.takeAll());
    }

    @Test
    void onlyDurationsInTheirRangeAreTaken() {
        org.junit.jupiter.api.Assertions.assertThrows(IllegalArgumentException.class,
                () -> OutlierEjection.DEFAULT.withEjectionTimes(Duration.ofSeconds(2), Duration.ofSeconds(1)));
        org.junit.jupiter.api.Assertions.assertThrows(IllegalArgumentException.class,
                () -> OutlierEjection.DEFAULT.withMaxEjectionPercent(101));
    }
}
