package org.jvrpc.samples.zookeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.KeeperException.NoNodeException;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.apache.zookeeper.server.DataTree;
import org.apache.zookeeper.server.ServerCnxn;
import org.apache.zookeeper.server.ServerCnxn.DisconnectReason;
import org.apache.zookeeper.server.ZKDatabase;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.apache.zookeeper.server.auth.AuthenticationProvider;
import org.apache.zookeeper.server.auth.ProviderRegistry;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;
import org.junit.jupiter.api.Test;
import org.jvrpc.samples.zookeeper.PluginServer.Events;

/** What takes long for one client holds up no other: it is not done by the thread that polls for all. */
class SlowWorkTest {

    private static final String POLLER = "jvrpc-messages-";

    /** Knows by which thread a node was read last. */
    private static final class Database extends ZKDatabase {

        private volatile String reader;

        Database(FileTxnSnapLog log) {
            super(log);
        }

        @Override
        public byte[] getData(String path, Stat stat, Watcher watcher) throws NoNodeException {
            reader = Thread.currentThread().getName();
            return super.getData(path, stat, watcher);
        }

        @Override
        public List<String> getChildren(String path, Stat stat, Watcher watcher) throws NoNodeException {
            reader = Thread.currentThread().getName();
            return super.getChildren(path, stat, watcher);
        }

        @Override
        public Stat statNode(String path, ServerCnxn watcher) throws NoNodeException {
            reader = Thread.currentThread().getName();
            return super.statNode(path, watcher);
        }
    }

    private static boolean passesThePipeline(ZooKeeper client, Database database) {
        try {
            assertNotNull(client.exists("/long", false));
        } catch (KeeperException | InterruptedException e) {
            throw new AssertionError(e);
        }
        return database.reader.startsWith(POLLER);
    }

    @Test
    void shortAnswersComeFromThePollingThreadAndLongOnesDoNot() throws Exception {
        Database[] database = new Database[1];
        try (PluginServer server = PluginServer.start((log, tickMs) -> {
            database[0] = new Database(log);
            return new ZooKeeperServer(log, tickMs, -1, -1, -1, database[0], "");
        })) {
            ZooKeeper client = server.client();
            client.create("/short", new byte[1000], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
            client.create("/long", new byte[1_000_000], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
            client.create("/many", new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
            DataTree tree = database[0].getDataTree();
            for (int i = 0; i < 100_000; i++) {
                tree.createNode("/many/" + Integer.toString(i, 36), new byte[0], Ids.OPEN_ACL_UNSAFE, 0, -1, 1, 1);
            }
            // A read goes the long way as long as the write before it is in the pipeline, also behind its answer.
            PluginServer.until("a read to pass the pipeline", () -> passesThePipeline(client, database[0]));
            assertEquals(1000, client.getData("/short", false, null).length);
            assertTrue(database[0].reader.startsWith(POLLER), database[0].reader);
            assertEquals(4, client.getChildren("/", false).size());
            assertTrue(database[0].reader.startsWith(POLLER), database[0].reader);
            assertEquals(1_000_000, client.getData("/long", false, null).length);
            assertFalse(database[0].reader.startsWith(POLLER), database[0].reader);
            assertEquals(100_000, client.getChildren("/many", false).size());
            assertFalse(database[0].reader.startsWith(POLLER), database[0].reader);
        }
    }

    /** Asks somebody who takes his time. */
    public static final class SlowProvider implements AuthenticationProvider {

        private static volatile CountDownLatch asked;
        private static volatile CountDownLatch answer;

        @Override
        public String getScheme() {
            return "slow";
        }

        @Override
        public Code handleAuthentication(ServerCnxn cnxn, byte[] authData) {
            asked.countDown();
            try {
                return answer.await(60, TimeUnit.SECONDS) ? Code.OK : Code.AUTHFAILED;
            } catch (InterruptedException e) {
                return Code.AUTHFAILED;
            }
        }

        @Override
        public boolean matches(String id, String aclExpr) {
            return false;
        }

        @Override
        public boolean isAuthenticated() {
            return true;
        }

        @Override
        public boolean isValid(String id) {
            return true;
        }
    }

    @Test
    void aLoginThatTakesLongHoldsUpItsOwnConnectionAndNoOther() throws Exception {
        String property = "zookeeper.authProvider.slow";
        System.setProperty(property, SlowProvider.class.getName());
        ProviderRegistry.addOrUpdateProvider(property);
        SlowProvider.asked = new CountDownLatch(1);
        SlowProvider.answer = new CountDownLatch(1);
        try (PluginServer server = PluginServer.start(0)) {
            ZooKeeper other = server.client();
            ZooKeeper slow = server.client();
            slow.addAuthInfo("slow", new byte[0]);
            assertTrue(SlowProvider.asked.await(30, TimeUnit.SECONDS));
            CompletableFuture<Integer> behind = new CompletableFuture<>();
            slow.exists("/", false, (rc, path, context, stat) -> behind.complete(rc), null);
            assertAnswered(other);
            assertNotNull(server.client().exists("/", false)); // nor is it kept from connecting
            assertFalse(behind.isDone());
            SlowProvider.answer.countDown();
            assertEquals(0, behind.get(30, TimeUnit.SECONDS));
        } finally {
            SlowProvider.answer.countDown();
            System.clearProperty(property);
        }
    }

    private static void assertAnswered(ZooKeeper client) throws Exception {
        CompletableFuture<Integer> answer = new CompletableFuture<>();
        client.exists("/", false, (rc, path, context, stat) -> answer.complete(rc), null);
        assertEquals(0, answer.get(20, TimeUnit.SECONDS));
    }

    /** A server whose leader takes long to say whether a session is there. */
    private static final class SlowServer extends ZooKeeperServer {

        private final CountDownLatch asked = new CountDownLatch(1);
        private final CountDownLatch answer = new CountDownLatch(1);

        SlowServer(FileTxnSnapLog log, int tickMs) {
            super(log, tickMs, "");
        }

        @Override
        protected void revalidateSession(ServerCnxn cnxn, long sessionId, int sessionTimeout) throws IOException {
            asked.countDown();
            try {
                assertTrue(answer.await(60, TimeUnit.SECONDS));
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            super.revalidateSession(cnxn, sessionId, sessionTimeout);
        }
    }

    @Test
    void aSessionThatIsLookedForAtALeaderHoldsUpNoOtherConnection() throws Exception {
        SlowServer[] made = new SlowServer[1];
        try (PluginServer server = PluginServer.start((log, tickMs) -> {
            made[0] = new SlowServer(log, tickMs);
            return made[0];
        })) {
            Events events = new Events();
            ZooKeeper back = server.client(PluginServer.JVRPC, events);
            server.factory().closeAll(DisconnectReason.CLOSE_ALL_CONNECTIONS_FORCED);
            events.await(KeeperState.Disconnected);
            assertTrue(made[0].asked.await(30, TimeUnit.SECONDS));
            Events others = new Events();
            ZooKeeper other = server.open(server.address(), PluginServer.JVRPC, others);
            others.await(KeeperState.SyncConnected);
            assertAnswered(other);
            made[0].answer.countDown();
            events.await(KeeperState.SyncConnected);
            assertNotNull(back.exists("/", false));
        } finally {
            made[0].answer.countDown();
        }
    }
}
