package org.jvrpc.router.control.zookeeper;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingServer;
import org.apache.zookeeper.ZooKeeper;
import org.jvrpc.router.Quota;
import org.jvrpc.router.TenantId;
import org.jvrpc.router.VirtualAddress;
import org.jvrpc.router.control.Edits;
import org.jvrpc.router.map.RouterRecord;
import org.jvrpc.testing.Waits;

/** A server of ZooKeeper, and in it clusters with the hosts h1 and h2 and the tenants red and blue. */
final class Plane implements AutoCloseable {

    static final TenantId RED = new TenantId("red");
    static final TenantId BLUE = new TenantId("blue");
    static final VirtualAddress REDS = new VirtualAddress("10.77.0.5");
    static final VirtualAddress BLUES = new VirtualAddress("10.77.0.6");
    static final int SESSION_MS = 10_000;
    static final long BOUND_NS = 500_000_000;
    static final long OPEN_MS = 30_000;

    private static final int TICK_MS = 500;
    private static final int MAX_CONNECTIONS = 100;
    private static final AtomicInteger CLUSTERS = new AtomicInteger();

    final TestingServer server;

    Plane() throws Exception {
        server = new TestingServer(new InstanceSpec(null, InstanceSpec.getRandomPort(), -1, -1, true, -1, TICK_MS,
                MAX_CONNECTIONS), true);
    }

    /** Returns a cluster of its own. */
    Ensemble ensemble() throws IOException, InterruptedException {
        return ensemble(SESSION_MS);
    }

    /** Returns a cluster of its own, whose sessions last for a while. */
    Ensemble ensemble(int sessionMs) throws IOException, InterruptedException {
        Ensemble ensemble = new Ensemble(server.getConnectString(), "c" + CLUSTERS.incrementAndGet(), null, null,
                sessionMs);
        try (ZooKeeperStore store = new ZooKeeperStore(ensemble)) {
            fill(store);
        }
        return ensemble;
    }

    static void fill(ZooKeeperStore store) throws IOException, InterruptedException {
        store.init();
        store.addHost("h1");
        store.addHost("h2");
        store.change("create", Edits.create(RED, 70001, List.of(REDS), Quota.DEFAULT));
        store.change("create", Edits.create(BLUE, 70002, List.of(BLUES), Quota.DEFAULT));
    }

    static RouterRecord router(String host, long incarnation) {
        return new RouterRecord(host, host + ":4900", "roce://10.78.0.1:4800", new byte[32], incarnation, false, 1);
    }

    static ZooKeeperView open(Ensemble ensemble, String host) throws IOException, InterruptedException {
        return ZooKeeperView.open(ensemble, host == null ? null : router(host, 1), BOUND_NS, OPEN_MS);
    }

    /** Opens a client past views and stores, which is connected. */
    static Ensemble.Client raw(Ensemble ensemble) throws IOException {
        Ensemble.Client client = ensemble.open(event -> { });
        Waits.until("a connection", () -> client.zooKeeper().getState() == ZooKeeper.States.CONNECTED);
        return client;
    }

    /** Writes a znode past the store. */
    static void write(Ensemble ensemble, String path, String text) throws Exception {
        Ensemble.Client client = raw(ensemble);
        client.zooKeeper().setData(ensemble.layout().root() + path, text.getBytes(StandardCharsets.UTF_8), -1);
        client.close();
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
