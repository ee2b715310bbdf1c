package org.jvrpc.router.control.move;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.router.TenantId;
import org.jvrpc.router.VirtualAddress;
import org.jvrpc.router.control.Edits;
import org.jvrpc.router.control.zookeeper.Ensemble;
import org.jvrpc.router.control.zookeeper.ZooKeeperStore;
import org.jvrpc.router.control.zookeeper.ZooKeeperView;
import org.jvrpc.router.map.Home;
import org.jvrpc.router.map.RouterRecord;
import org.jvrpc.router.map.Rule;
import org.jvrpc.testing.HeldLine;
import org.jvrpc.testing.Waits;
import org.jvrpc.testing.history.History;
import org.jvrpc.testing.history.Linearizability;
import org.jvrpc.testing.history.Register;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.VerbsException;

/** An address goes from one host to another: two routers of one ensemble, and a service that is started again. */
@SuppressWarnings("try") // a server works by being there
class MigrationTest {

    private static final TenantId RED = new TenantId("red");
    private static final TenantId BLUE = new TenantId("blue");
    private static final TenantId GREEN = new TenantId("green");
    private static final VirtualAddress REDS = new VirtualAddress("10.77.0.5");
    private static final String SERVICE = "router://10.77.0.5:7000";
    private static final long BOUND_NS = 3_600_000_000_000L;
    private static final long OPEN_MS = 60_000;
    private static final int TICK_MS = 500;
    private static final int SESSION_MS = 10_000;
    private static final long CALL_NS = 5_000_000_000L;
    private static final long AGAIN_NS = 1_000_000;
    private static final int SHORT_MS = 1_000;
    private static final long SHORT_BOUND_NS = 1_000_000_000;
    /** How old routers let rules be. */
    private static final long USUAL_BOUND_NS = 30_000_000_000L;

    private static PeerKeys keys;
    private static TestingServer zooKeeper;
    private static int clusters;

    @TempDir
    private Path folder;
    private Ensemble ensemble;
    private Map<TenantId, String> tokens;
    private HostUnderTest one;
    private HostUnderTest two;

    @BeforeAll
    static void makeKeys(@TempDir Path common) throws Exception {
        keys = PeerKeys.make(common.resolve("keys"));
        zooKeeper = new TestingServer(new InstanceSpec(null, InstanceSpec.getRandomPort(), -1, -1, true, -1, TICK_MS,
                100), true);
    }

    @AfterAll
    static void endAll() throws IOException {
        zooKeeper.close();
    }

    @BeforeEach
    void start() throws Exception {
        System.setProperty("jvrpc.router.patience.ms", "10000"); // a busy machine is no tenant with a lease
        ensemble = new Ensemble(zooKeeper.getConnectString(), "move-" + ++clusters, null, null, SESSION_MS);
        tokens = Cluster.make(ensemble, (int) Files.getAttribute(folder, "unix:uid"), List.of("h1", "h2"), List.of(RED,
                BLUE, GREEN));
        try (ZooKeeperStore store = new ZooKeeperStore(ensemble)) {
            store.change("policy", Edits.addRule(new Rule(null, RED, 1, 65_535, true), -1));
        }
        one = host("h1");
        two = host("h2");
    }

    private HostUnderTest host(String name) throws IOException, InterruptedException {
        ZooKeeperView view = view(ensemble, name, BOUND_NS);
        return new HostUnderTest(folder.resolve(name), name, view, view, tokens, keys);
    }

    private static ZooKeeperView view(Ensemble ensemble, String host, long boundNs)
            throws IOException, InterruptedException {
        return ZooKeeperView.open(ensemble, new RouterRecord(host, host + ":4900", "roce://127.0.0.1:0", null, 1, false,
                1), boundNs, OPEN_MS);
    }

    @AfterEach
    void end() {
        two.close();
        one.close();
    }

    @Test
    void whoStopsAtOneHostAndStartsAtAnotherIsFoundAgainAndWhoAskedMeanwhileWaited() throws Exception {
        AtomicLong kept = new AtomicLong(1);
        RegisterService.Server at = new RegisterService.Server(one.open(RED), SERVICE, kept);
        try (RegisterService.Client blue = new RegisterService.Client(one.open(BLUE), SERVICE);
                RegisterService.Client green = new RegisterService.Client(two.open(GREEN), SERVICE)) {
            assertEquals(2, blue.call(2, Waits.limitNs()));
            at.close();
            Waits.until("h2 to know", () -> two.view.home(REDS).state() == Home.State.GONE);
            CompletableFuture<Long> waits = CompletableFuture.supplyAsync(() ->
                    green.call(RegisterService.READ, Waits.limitNs()));
            try (RegisterService.Server again = new RegisterService.Server(two.open(RED), SERVICE, kept)) {
                assertEquals(2, waits.get());
                assertEquals("h2", two.view.home(REDS).host());
                Waits.until("h1 to know", () -> one.view.home(REDS).host().equals("h2"));
                assertEquals(3, green.call(3, Waits.limitNs()));
                assertEquals(3, blue.call(RegisterService.READ, Waits.limitNs()));
            }
        }
        assertTrue(one.audit.toString().contains("claim red null address=10.77.0.5 epoch=1"), one.audit::toString);
        assertTrue(two.audit.toString().contains("claim red null address=10.77.0.5 epoch=3"), two.audit::toString);
    }

    @Test
    void whoAskedWhileAnAddressWasOnItsWayOrJustBehindItsComingWaitsForItsListener() throws Exception {
        AtomicLong kept = new AtomicLong(4);
        RegisterService.Server before = new RegisterService.Server(two.open(RED), SERVICE, kept);
        try (RegisterService.Client blue = new RegisterService.Client(one.open(BLUE), SERVICE);
                RegisterService.Client green = new RegisterService.Client(two.open(GREEN), SERVICE)) {
            assertEquals(4, blue.call(RegisterService.READ, Waits.limitNs())); // so the routers know each other
            before.close();
            Waits.until("h2 to know", () -> two.view.home(REDS).state() == Home.State.GONE);
            CompletableFuture<Long> early = CompletableFuture.supplyAsync(() ->
                    green.call(RegisterService.READ, Waits.limitNs()));
            Waits.until("it to wait", () -> two.asking() == 1 || early.isDone());
            Device red = two.open(RED);
            two.await(REDS, "h2");
            assertEquals(1, two.asking(), "who asked early");
            one.await(REDS, "h2");
            CompletableFuture<Long> late = CompletableFuture.supplyAsync(() ->
                    blue.call(RegisterService.READ, Waits.limitNs()));
            Waits.until("it to wait, too", () -> two.asking() == 2 || late.isDone());
            try (RegisterService.Server again = new RegisterService.Server(red, SERVICE, kept)) {
                assertEquals(4, early.get());
                assertEquals(4, late.get());
            }
        }
    }

    @Test
    void whileAnAddressLivesAtOneHostItsTenantDoesNotComeInAtAnother() throws Exception {
        try (RegisterService.Server at = new RegisterService.Server(one.open(RED), SERVICE, new AtomicLong(1));
                RegisterService.Client blue = new RegisterService.Client(one.open(BLUE), SERVICE)) {
            Waits.until("h2 to know", () -> two.view.home(REDS).host().equals("h1"));
            VerbsException e = assertThrows(VerbsException.class, () -> two.open(RED));
            assertTrue(e.getMessage().contains("MOVED") && e.getMessage().contains("host=h1"), e.getMessage());
            assertEquals(1, blue.call(RegisterService.READ, Waits.limitNs()));
        }
    }

    @Test
    void anAddressThatIsMovedByAnAdministratorIsCutOffAndItsOldServerAnswersNoMore() throws Exception {
        AtomicLong kept = new AtomicLong(1);
        History history = new History();
        try (RegisterService.Server old = new RegisterService.Server(one.open(RED), SERVICE, kept);
                RegisterService.Client blue = new RegisterService.Client(one.open(BLUE), SERVICE);
                RegisterService.Client green = new RegisterService.Client(two.open(GREEN), SERVICE)) {
            CompletableFuture<Void> stop = new CompletableFuture<>();
            CompletableFuture<Integer> blues = calls(history, "blue", blue, 1_000, stop);
            CompletableFuture<Integer> greens = calls(history, "green", green, 1_000_000, stop);
            Waits.until("calls", () -> history.operations().size() > 6 || blues.isDone() || greens.isDone());
            try (ZooKeeperStore store = new ZooKeeperStore(ensemble)) {
                store.change("move", Edits.move(REDS));
            }
            Waits.until("h1 to let go", () -> two.view.home(REDS).state() == Home.State.GONE, () -> one.audit);
            long before = System.nanoTime();
            try (RegisterService.Server again = new RegisterService.Server(two.open(RED), SERVICE, kept)) {
                Waits.until("calls there", () -> answered(history, before, "green") > 3
                        && answered(history, before, "blue") > 3 || greens.isDone() || blues.isDone(),
                        () -> one.audit + " " + two.audit);
                stop.complete(null);
                assertTrue(greens.get() > 3 && blues.get() > 3, greens.get() + " " + blues.get());
            }
        }
        Linearizability.check(Register.of(1), history.operations(), "no seed: the order is the machine's");
    }

    @Test
    void aHostThatIsCutOffFromTheEnsembleTakesNobodyOnceAnotherOneMayHaveItsAddresses() throws Exception {
        one.close();
        two.close();
        AtomicLong kept = new AtomicLong(1);
        History history = new History();
        CompletableFuture<Void> stop = new CompletableFuture<>();
        try (HeldLine line = new HeldLine(zooKeeper.getPort())) {
            one = cutOff("cut-1", "h1", line.address());
            two = cutOff("cut-2", "h2", zooKeeper.getConnectString());
            try (RegisterService.Server old = new RegisterService.Server(one.open(RED), SERVICE, kept);
                    RegisterService.Client blue = new RegisterService.Client(one.open(BLUE), SERVICE);
                    RegisterService.Client green = new RegisterService.Client(two.open(GREEN), SERVICE)) {
                CompletableFuture<Integer> blues = calls(history, "blue", blue, RegisterService.READ, stop);
                Waits.until("calls", () -> history.operations().size() > 5 || blues.isDone());
                line.hold();
                AtomicReference<Device> device = new AtomicReference<>();
                Waits.until("h2 to have the address", () -> isIn(two, device), two.view::trouble);
                try (RegisterService.Server again = new RegisterService.Server(device.get(), SERVICE, kept)) {
                    for (long value = 2; value < 12; value++) {
                        long set = value;
                        history.record("green", "r", new Register.Set(set), () -> {
                            green.call(set, Waits.limitNs());
                            return Register.DONE;
                        });
                    }
                    long begun = history.operations().size();
                    Waits.until("calls to old server", () -> history.operations().size() > begun + 5);
                    stop.complete(null);
                    assertTrue(blues.get() > 0);
                    line.release();
                    Waits.until("h1 to know", () -> one.view.home(REDS).host().equals("h2"), one.view::trouble);
                }
            }
        }
        Linearizability.check(Register.of(1), history.operations(), "no seed: the order is the machine's");
    }

    /** Whose bound is shorter: what is old for it is {@link #SHORT_BOUND_NS} old. */
    private HostUnderTest cutOff(String where, String host, String servers) throws IOException, InterruptedException {
        ZooKeeperView view = view(new Ensemble(servers, ensemble.cluster(), null, null, SHORT_MS), host,
                SHORT_BOUND_NS);
        return new HostUnderTest(folder.resolve(where), host, view, new OlderView(view, USUAL_BOUND_NS
                - SHORT_BOUND_NS), tokens, null);
    }

    private static boolean isIn(HostUnderTest host, AtomicReference<Device> device) {
        try {
            device.set(host.open(RED));
            return true;
        } catch (VerbsException e) {
            assertTrue(e.getMessage().contains("MOVED") || e.getMessage().contains("POLICY_OLD")
                    || e.getMessage().contains("STALE_EPOCH"), e.getMessage());
            return false;
        }
    }

    private static long answered(History history, long sinceNs, String who) {
        return history.operations().stream().filter(each -> !each.isPending() && each.who().equals(who)
                && each.startNs() > sinceNs).count();
    }

    /** Reads, and sets in turn where there is a first number, until it is to stop; returns how many were done. */
    private static CompletableFuture<Integer> calls(History history, String who, RegisterService.Client client,
            long first, CompletableFuture<Void> stop) {
        return CompletableFuture.supplyAsync(() -> {
            int answered = 0;
            for (long next = first; !stop.isDone(); next++) {
                boolean reads = first == RegisterService.READ || next % 2 != 0;
                History.Running[] running = new History.Running[1];
                if (reads) { // it may be long under way: what it reads is good from here on
                    running[0] = history.begin(who, "r", new Register.Get());
                }
                long set = next;
                try {
                    long has = client.call(reads ? RegisterService.READ : set, CALL_NS, () -> running[0] = reads
                            ? running[0] : history.begin(who, "r", new Register.Set(set)));
                    running[0].end(reads ? (Object) has : Register.DONE);
                    answered++;
                } catch (VerbsException | IllegalStateException e) {
                    LockSupport.parkNanos(AGAIN_NS); // what was sent stays pending: it may have been done
                }
            }
            return answered;
        });
    }
}
