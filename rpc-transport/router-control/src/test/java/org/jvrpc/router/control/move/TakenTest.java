package org.jvrpc.router.control.move;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingServer;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.router.TenantId;
import org.jvrpc.router.VirtualAddress;
import org.jvrpc.router.control.ControlState;
import org.jvrpc.router.control.Edits;
import org.jvrpc.router.control.OlderMap;
import org.jvrpc.router.control.zookeeper.Ensemble;
import org.jvrpc.router.control.zookeeper.ZooKeeperStore;
import org.jvrpc.router.control.zookeeper.ZooKeeperView;
import org.jvrpc.router.map.RouterRecord;
import org.jvrpc.router.map.Rule;
import org.jvrpc.testing.Waits;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.ConnectionRequest;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Listener;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.VerbsException;

/** A tenant loses an address, or is deleted, or the map goes back, while it serves: what ends and who has it then. */
@SuppressWarnings("try") // a server works by being there
class TakenTest {

    private static final TenantId RED = new TenantId("red");
    private static final TenantId BLUE = new TenantId("blue");
    private static final VirtualAddress REDS = new VirtualAddress("10.77.0.5");
    private static final VirtualAddress OTHER = new VirtualAddress("10.77.0.9");
    private static final String SERVICE = "router://10.77.0.5:7000";
    private static final int SESSION_MS = 10_000;
    private static final long BOUND_NS = 3_600_000_000_000L;
    private static final long OPEN_MS = 60_000;

    private static TestingServer zooKeeper;
    private static int clusters;

    @TempDir
    private Path folder;
    private Ensemble ensemble;
    private HostUnderTest host;

    @BeforeAll
    static void startAll() throws Exception {
        zooKeeper = new TestingServer(new InstanceSpec(null, InstanceSpec.getRandomPort(), -1, -1, true, -1, 500, 100),
                true);
    }

    @AfterAll
    static void endAll() throws IOException {
        zooKeeper.close();
    }

    @BeforeEach
    void start() throws Exception {
        System.setProperty("jvrpc.router.patience.ms", "10000"); // a busy machine is no tenant with a lease
        ensemble = new Ensemble(zooKeeper.getConnectString(), "taken-" + ++clusters, null, null, SESSION_MS);
        var tokens = Cluster.make(ensemble, (int) Files.getAttribute(folder, "unix:uid"), List.of("h1"), List.of(RED,
                BLUE));
        change(Edits.addRule(new Rule(null, null, 1, 65_535, true), -1));
        ZooKeeperView view = ZooKeeperView.open(ensemble, new RouterRecord("h1", "h1:4900", "roce://127.0.0.1:0", null,
                1, false, 1), BOUND_NS, OPEN_MS);
        host = new HostUnderTest(folder.resolve("h1"), "h1", view, view, tokens, null);
    }

    @AfterEach
    void end() {
        host.close();
    }

    private void change(UnaryOperator<ControlState> edit) throws IOException, InterruptedException {
        try (ZooKeeperStore store = new ZooKeeperStore(ensemble)) {
            store.change("test", edit);
        }
    }

    /** Two devices with a QP each, that are connected. */
    private static final class Pair implements AutoCloseable {

        private final Device from;
        private final Device to;
        private final Connection connection;
        private final Connection other;

        Pair(Device from, Device to) {
            this.from = from;
            this.to = to;
            Listener listener = to.listen(SERVICE, to.createChannel());
            CompletableFuture<Connection> connector = CompletableFuture.supplyAsync(() -> from.connect(SERVICE,
                    qp(from), new byte[0], from.createChannel(), Waits.limitNs()));
            ConnectionRequest[] request = new ConnectionRequest[1];
            Waits.until("a connector", () -> (request[0] = listener.poll()) != null || connector.isDone());
            this.other = request[0].accept(qp(to), new byte[0]);
            this.connection = connector.orTimeout(Waits.limitNs(), TimeUnit.NANOSECONDS).join();
        }

        private static QueuePair qp(Device device) {
            CompletionQueue cq = device.createCq(CompletionQueueAttributes.ofDepth(8));
            QueuePair qp = device.allocatePd().createQp(new QueuePairAttributes(cq, cq).depth(4, 4));
            qp.init();
            return qp;
        }

        boolean isCut() {
            return !connection.isConnected() && !other.isConnected();
        }

        @Override
        public void close() {
            from.close();
            to.close();
        }
    }

    @Test
    void connectionsOfAnAddressThatIsTakenEndAndItsNextTenantListensThere() throws Exception {
        try (Pair pair = new Pair(host.open(BLUE), host.open(RED))) {
            change(Edits.addresses(RED, List.of(OTHER), List.of(REDS), true));
            Waits.until("both ends to be cut", pair::isCut, () -> host.audit);
            assertTrue(host.audit.toString().contains("cut blue MOVED"), host.audit::toString);
            change(Edits.addresses(BLUE, List.of(REDS), List.of(), false));
            Waits.until("it to be blue's", () -> host.view.tenant(BLUE).addresses().contains(REDS));
            // red's device is there still, and so is its listener by that address
            try (RegisterService.Server server = new RegisterService.Server(host.open(BLUE), SERVICE,
                    new AtomicLong(7));
                    RegisterService.Client client = new RegisterService.Client(host.open(BLUE), SERVICE)) {
                assertEquals(7, client.call(RegisterService.READ, Waits.limitNs()));
            }
            VerbsException e = assertThrows(VerbsException.class,
                    () -> pair.to.listen("router://10.77.0.5:7001", pair.to.createChannel()));
            assertTrue(e.getMessage().contains("tenant=red has not address=10.77.0.5"), e.getMessage());
        }
    }

    @Test
    void devicesOfATenantThatIsDeletedEnd() throws Exception {
        try (Pair pair = new Pair(host.open(BLUE), host.open(RED))) {
            change(Edits.delete(RED, true));
            Waits.until("both ends to be cut", pair::isCut, () -> host.audit);
            Waits.until("red to be gone", () -> host.audit.stream().anyMatch(line -> line.startsWith("leave red")),
                    () -> host.audit);
            assertThrows(VerbsException.class, () -> host.open(RED));
        }
    }

    @Test
    void whenTheMapGoesBackDevicesEndAndWhatWasClaimedIsClaimedAnew() throws Exception {
        try (Pair pair = new Pair(host.open(BLUE), host.open(RED))) {
            assertEquals(1, host.view.home(REDS).epoch());
            goBack();
            Waits.until("it to be refused", () -> host.view.trouble() != null);
            assertFalse(pair.isCut(), "it ends what is good");
            long epoch = host.view.epoch();
            assertEquals(new OlderMap.Accepted(epoch, epoch), host.view.acceptOlder(Waits.limitNs() / 1_000_000));
            Waits.until("both ends to be cut", pair::isCut, () -> host.audit);
            assertEquals(2, host.audit.stream().filter(line -> line.matches("leave .* an older map, epoch=\\d+"))
                    .count(), host.audit::toString);
        }
        host.open(RED).close();
        Waits.until("red to have claimed it twice, as its first claim", () -> host.audit.stream()
                .filter("claim red null address=10.77.0.5 epoch=1"::equals).count() == 2, () -> host.audit);
    }

    /** Has the ensemble know no claim of the address any more, as that of a backup. */
    private void goBack() throws Exception {
        CountDownLatch connected = new CountDownLatch(1);
        try (ZooKeeper raw = new ZooKeeper(zooKeeper.getConnectString(), SESSION_MS, event -> connected.countDown())) {
            assertTrue(connected.await(Waits.limitNs(), TimeUnit.NANOSECONDS), "no connection");
            String path = "/jvrpc-router/" + ensemble.cluster() + "/homes/" + REDS;
            raw.delete(path, -1);
            raw.create(path, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        }
    }
}
