package org.jvrpc.samples.zookeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryNTimes;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.server.ServerCnxn.DisconnectReason;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.samples.zookeeper.PluginServer.Events;

/**
 * The order of a session, which ZooKeeper promises beyond the end of a connection, while the log is slow: over the
 * plugin, and over ZooKeeper's own transport, which says what is right.
 */
@Timeout(240)
class ReconnectTest {

    private static final String SOCKET = "zookeeper.clientCnxnSocket";
    private static final int SESSIONS = 4;
    private static final int ROUNDS = 6;

    private final String before = System.getProperty(SOCKET);
    private final AtomicInteger answers = new AtomicInteger();
    private HeldLog log;
    private PluginServer server;

    private void start(String transport) throws Exception {
        server = PluginServer.start(transport, this::log, (own, tickMs) -> new ZooKeeperServer(own, tickMs, ""));
    }

    private HeldLog log(File folder) {
        try {
            log = new HeldLog(folder);
            return log;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @AfterEach
    void stop() throws Exception {
        log.release();
        server.close();
        if (before == null) {
            System.clearProperty(SOCKET);
        } else {
            System.setProperty(SOCKET, before);
        }
    }

    /** Cuts all connections while what came by them waits for the log. */
    private void cutWhileTheLogWaits() {
        PluginServer.until("the log has something to do", log::isWaiting);
        server.factory().closeAll(DisconnectReason.CLOSE_ALL_CONNECTIONS_FORCED);
    }

    /** Lets the log go on once nobody is on his way into the pipeline: what overtakes it has done so by then. */
    private void releaseWhen(int requests, int early) {
        PluginServer.until("requests are answered or in process", () ->
                answers.get() - early + server.server().getInProcess() >= requests);
        log.release();
    }

    @ParameterizedTest
    @ValueSource(strings = {PluginServer.JVRPC, PluginServer.NIO})
    void aReadDoesNotOvertakeAWriteThatAConnectionBeforeLeftInTheLog(String transport) throws Exception {
        start(transport);
        Events events = new Events();
        ZooKeeper client = server.client(transport, events);
        log.hold();
        CompletableFuture<Code> created = new CompletableFuture<>();
        client.create("/node", new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT,
                (rc, path, context, name) -> created.complete(Code.get(rc)), null);
        cutWhileTheLogWaits();
        events.await(KeeperState.Disconnected);
        events.await(KeeperState.SyncConnected);
        assertEquals(Code.CONNECTIONLOSS, created.get(30, TimeUnit.SECONDS));
        CompletableFuture<Code> read = new CompletableFuture<>();
        client.exists("/node", false, (rc, path, context, stat) -> {
            answers.incrementAndGet();
            read.complete(Code.get(rc));
        }, null);
        releaseWhen(2, 0);
        assertEquals(Code.OK, read.get(30, TimeUnit.SECONDS));
    }

    @ParameterizedTest
    @ValueSource(strings = {PluginServer.JVRPC, PluginServer.NIO})
    void sessionsThatLoseTheirConnectionsSeeTheirRequestsInTheirOrder(String transport) throws Exception {
        long seed = System.nanoTime();
        System.out.println("seed=" + seed + " transport=" + transport);
        SplittableRandom random = new SplittableRandom(seed);
        start(transport);
        List<Session> sessions = new ArrayList<>();
        for (int i = 0; i < SESSIONS; i++) {
            sessions.add(new Session("/session" + i, transport));
        }
        for (int round = 0; round < ROUNDS; round++) {
            int answered = answers.get();
            log.hold();
            for (Session session : sessions) {
                session.ask(1 + random.nextInt(3), random);
            }
            cutWhileTheLogWaits();
            int asked = 0;
            for (Session session : sessions) {
                session.events.await(KeeperState.Disconnected);
                session.events.await(KeeperState.SyncConnected);
                PluginServer.until("lost requests are answered", () -> session.open.get() == 0);
            }
            int lost = answers.get();
            for (Session session : sessions) {
                session.list();
                asked++;
            }
            releaseWhen(asked + 1, lost);
            PluginServer.until("all is answered", () -> sessions.stream().allMatch(all -> all.open.get() == 0));
            assertTrue(answers.get() > answered);
        }
        int unanswered = 0;
        for (Session session : sessions) {
            List<String> end = session.client.getChildren(session.path, false);
            assertEquals(List.of(), session.order.faults(end), session.path + " seed=" + seed);
            unanswered += session.order.madeUnanswered(end);
        }
        System.out.println("made without an answer=" + unanswered);
        assertTrue(unanswered > 0, "no connection was lost while a write was in the log, seed=" + seed);
    }

    /** A client that makes children of a node of its own and lists them. */
    private final class Session {

        private final SessionOrder order = new SessionOrder();
        private final Events events = new Events();
        private final AtomicInteger open = new AtomicInteger();
        private final String path;
        private final ZooKeeper client;
        private int children;

        Session(String path, String transport) throws Exception {
            this.path = path;
            this.client = server.client(transport, events);
            client.create(path, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        }

        void ask(int count, SplittableRandom random) {
            for (int i = 0; i < count; i++) {
                if (i > 0 && random.nextInt(3) == 0) {
                    list();
                } else {
                    make();
                }
            }
        }

        private void make() {
            String child = "n" + ++children;
            int step = order.makes(child);
            open.incrementAndGet();
            client.create(path + "/" + child, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT,
                    (rc, of, context, name) -> {
                        if (rc == Code.OK.intValue()) {
                            order.made(step);
                        }
                        answered();
                    }, null);
        }

        private void list() {
            int step = order.lists();
            open.incrementAndGet();
            client.getChildren(path, false, (rc, of, context, names) -> {
                if (rc == Code.OK.intValue()) {
                    order.listed(step, names);
                }
                answered();
            }, null);
        }

        private void answered() {
            answers.incrementAndGet();
            open.decrementAndGet();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {PluginServer.JVRPC, PluginServer.NIO})
    void aProtectedCreateOfCuratorMakesOneNodeWhateverBecomesOfItsConnection(String transport) throws Exception {
        start(transport);
        System.setProperty(SOCKET, transport);
        ExecutorService caller = Executors.newSingleThreadExecutor();
        // A client that tracks its ensemble has a watch, which it sets again through the pipeline before all else.
        try (CuratorFramework curator = CuratorFrameworkFactory.builder().connectString(server.address())
                .sessionTimeoutMs(10_000).connectionTimeoutMs(30_000).retryPolicy(new RetryNTimes(50, 20))
                .ensembleTracker(false).build()) {
            curator.start();
            curator.create().forPath("/parent");
            for (int round = 0; round < ROUNDS; round++) {
                String data = "create" + round;
                log.hold();
                CompletableFuture<String> made = CompletableFuture.supplyAsync(() -> create(curator, data), caller);
                cutWhileTheLogWaits();
                releaseWhen(2, 0);
                String path = made.get(60, TimeUnit.SECONDS);
                assertEquals(List.of(path), nodes(curator, data), "round=" + round);
            }
        } finally {
            log.release();
            caller.shutdownNow();
        }
    }

    private static String create(CuratorFramework curator, String data) {
        try {
            return curator.create().withProtection().withMode(CreateMode.EPHEMERAL_SEQUENTIAL)
                    .forPath("/parent/node-", data.getBytes(StandardCharsets.UTF_8));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<String> nodes(CuratorFramework curator, String data) throws Exception {
        List<String> found = new ArrayList<>();
        for (String child : curator.getChildren().forPath("/parent")) {
            String path = "/parent/" + child;
            if (data.equals(new String(curator.getData().forPath(path), StandardCharsets.UTF_8))) {
                found.add(path);
            }
        }
        return found;
    }
}
