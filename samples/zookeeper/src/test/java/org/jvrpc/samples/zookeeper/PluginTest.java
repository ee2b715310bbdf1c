package org.jvrpc.samples.zookeeper;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.management.ObjectName;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.FourLetterWordMain;
import org.apache.zookeeper.data.Stat;
import org.apache.zookeeper.server.ServerCnxn.DisconnectReason;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.samples.zookeeper.PluginServer.Events;

/** What users see of a server and clients over the plugin. */
class PluginTest {

    private static final String NODE = "/node";

    private PluginServer server;

    @BeforeEach
    void start() throws Exception {
        server = PluginServer.start(0);
    }

    @AfterEach
    void stop() throws Exception {
        server.close();
    }

    private static void create(ZooKeeper client, byte[] data) throws Exception {
        client.create(NODE, data, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
    }

    @Test
    void stockClientsAndJvrpcClientsShareOnePortAndSeeEachOthersChanges() throws Exception {
        ZooKeeper ours = server.client();
        ZooKeeper stock = server.client(PluginServer.NIO, new Events());
        create(ours, new byte[] {1});
        Events atStock = new Events();
        Events atOurs = new Events();
        assertArrayEquals(new byte[] {1}, stock.getData(NODE, atStock, null));
        assertArrayEquals(new byte[] {1}, ours.getData(NODE, atOurs, null));
        stock.setData(NODE, new byte[] {2}, -1);
        assertEquals(EventType.NodeDataChanged, atOurs.next().getType());
        assertEquals(EventType.NodeDataChanged, atStock.next().getType());
        assertArrayEquals(new byte[] {2}, ours.getData(NODE, false, null));
    }

    @Test
    void fourLetterWordsAnswerOnTheClientPortAndShowTheConnections() throws Exception {
        ZooKeeper ours = server.client();
        assertEquals("imok", FourLetterWordMain.send4LetterWord("127.0.0.1", server.port(), "ruok").trim());
        String cons = FourLetterWordMain.send4LetterWord("127.0.0.1", server.port(), "cons");
        assertTrue(cons.contains("sid=0x" + Long.toHexString(ours.getSessionId())), cons);
        String stat = FourLetterWordMain.send4LetterWord("127.0.0.1", server.port(), "stat");
        // This one is the other, unless one of those before is not gone yet.
        assertTrue(stat.matches("(?s).*Connections: [234]\\s.*"), stat);
    }

    @Test
    void connectionsAreRegisteredInJmxAsLongAsTheyLive() throws Exception {
        ZooKeeper ours = server.client();
        ObjectName name = new ObjectName("org.apache.ZooKeeperService:*,name3=0x"
                + Long.toHexString(ours.getSessionId()));
        assertEquals(1, ManagementFactory.getPlatformMBeanServer().queryNames(name, null).size());
        ours.close();
        PluginServer.until("the bean goes",
                () -> ManagementFactory.getPlatformMBeanServer().queryNames(name, null).isEmpty());
    }

    @Test
    void statisticsCountPacketsAndLatenciesOfReadsThatTakeTheShortWay() throws Exception {
        ZooKeeper ours = server.client();
        create(ours, new byte[1]);
        long before = server.server().serverStats().getPacketsReceived();
        for (int i = 0; i < 100; i++) {
            assertNotNull(ours.exists(NODE, false));
        }
        assertTrue(server.server().serverStats().getPacketsReceived() - before >= 100);
        assertEquals("EXIS", info().get("last_operation"));
        assertTrue((long) info().get("packets_received") >= 101, info().toString());
        // The answer leaves before its connection, and the last processor, are done with the request.
        PluginServer.until("no request is outstanding", () -> info().get("outstanding_requests").equals(0L));
        PluginServer.until("no request is in process", () -> server.server().getInProcess() == 0);
    }

    private Map<String, Object> info() {
        return server.factory().getAllConnectionInfo(false).iterator().next();
    }

    @Test
    void answersOfAlmostAMegabyteArriveWhole() throws Exception {
        ZooKeeper ours = server.client();
        byte[] data = new byte[1_000_000];
        new java.util.Random(1).nextBytes(data);
        create(ours, data);
        assertArrayEquals(data, ours.getData(NODE, false, null));
    }

    @Test
    void closeAllEndsTheConnectionsAndClientsComeBackWithTheirSessions() throws Exception {
        Events events = new Events();
        ZooKeeper ours = server.client(PluginServer.JVRPC, events);
        long id = ours.getSessionId();
        server.factory().closeAll(DisconnectReason.CLOSE_ALL_CONNECTIONS_FORCED);
        events.await(KeeperState.Disconnected);
        events.await(KeeperState.SyncConnected);
        assertEquals(id, ours.getSessionId());
        assertNotNull(ours.exists("/", false));
    }

    @Test
    void aReadThatFollowsWritesOfItsSessionSeesThem() throws Exception {
        ZooKeeper ours = server.client();
        create(ours, new byte[1]);
        long seed = System.nanoTime();
        System.out.println("seed=" + seed);
        SplittableRandom random = new SplittableRandom(seed);
        AtomicReference<String> wrong = new AtomicReference<>();
        int calls = 3000;
        CountDownLatch left = new CountDownLatch(calls);
        int version = 0;
        for (int i = 0; i < calls; i++) {
            if (random.nextInt(3) == 0) {
                version++;
                byte[] data = new byte[random.nextInt(10_000)];
                ours.setData(NODE, data, -1, (rc, path, context, stat) -> left.countDown(), null);
            } else {
                int least = version;
                ours.getData(NODE, false, (rc, path, context, bytes, stat) -> {
                    if (rc != 0 || stat.getVersion() != least) {
                        wrong.set("rc=" + rc + " version=" + (stat == null ? -1 : stat.getVersion()) + " not " + least);
                    }
                    left.countDown();
                }, null);
            }
        }
        assertTrue(left.await(30, TimeUnit.SECONDS));
        assertEquals(null, wrong.get());
    }

    /** The server's end comes right behind its answer, often before who asked for it runs again. */
    @Test
    void watchersHearOfACloseAndNotOfALoss() throws Exception {
        for (int i = 0; i < 200; i++) {
            Events events = new Events();
            server.client(PluginServer.JVRPC, events).close();
            assertEquals(KeeperState.Closed, events.next().getState(), "close " + i);
        }
    }

    @Test
    void nobodySeesNewDataBeforeTheEventOfItsWatch() throws Exception {
        ZooKeeper reader = server.client();
        ZooKeeper writer = server.client();
        create(writer, new byte[1]);
        AtomicInteger told = new AtomicInteger();
        AtomicReference<String> wrong = new AtomicReference<>();
        int writes = 500;
        CountDownLatch end = new CountDownLatch(1);
        read(reader, told, wrong, writes, end);
        for (int i = 0; i < writes; i++) {
            writer.setData(NODE, new byte[1], -1);
        }
        assertTrue(end.await(30, TimeUnit.SECONDS));
        assertEquals(null, wrong.get());
    }

    /** Reads with a watch, over and over; callbacks and events come by one thread, in the order of the session. */
    private static void read(ZooKeeper reader, AtomicInteger told, AtomicReference<String> wrong, int writes,
            CountDownLatch end) {
        int[] watched = {-1};
        reader.getData(NODE, event -> told.incrementAndGet(), (rc, path, context, data, stat) -> {
            int events = told.get();
            again(reader, told, wrong, writes, end, stat, events, watched);
        }, null);
    }

    private static void again(ZooKeeper reader, AtomicInteger told, AtomicReference<String> wrong, int writes,
            CountDownLatch end, Stat stat, int events, int[] watched) {
        if (stat.getVersion() >= writes) {
            end.countDown();
            return;
        }
        watched[0] = stat.getVersion();
        reader.getData(NODE, event -> told.incrementAndGet(), (rc, path, context, data, next) -> {
            if (next.getVersion() > watched[0] && told.get() == events) {
                wrong.set("version " + next.getVersion() + " came before the event of version " + watched[0]);
            }
            again(reader, told, wrong, writes, end, next, told.get(), watched);
        }, null);
    }

    @Test
    void callsAfterCloseAreRefused() throws Exception {
        ZooKeeper ours = server.client();
        ours.close();
        assertThrows(KeeperException.SessionExpiredException.class, () -> ours.exists("/", false));
    }
}
