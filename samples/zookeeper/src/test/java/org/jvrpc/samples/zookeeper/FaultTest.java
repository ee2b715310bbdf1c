package org.jvrpc.samples.zookeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.server.ServerCnxn.DisconnectReason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.samples.zookeeper.PluginServer.Events;
import org.jvrpc.testing.ChildJvm;

/** Peers that are killed, connections that are cut, and servers without the plugin. */
class FaultTest {

    @TempDir
    private Path folder;

    @Test
    void aSessionOutlivesItsKilledServer() throws Exception {
        int port = Ports.free();
        try (PluginServer clients = PluginServer.startStock()) {
            Events events = new Events();
            ZooKeeper client;
            long id;
            try (ChildJvm first = ServerProcess.single(folder, port)) {
                client = clients.open("127.0.0.1:" + port, PluginServer.JVRPC, events);
                events.await(KeeperState.SyncConnected);
                id = client.getSessionId();
                client.create("/kept", new byte[] {7}, Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);
                first.kill();
                events.await(KeeperState.Disconnected);
            }
            ChildJvm second = ServerProcess.single(folder, port);
            try {
                events.await(KeeperState.SyncConnected);
                assertEquals(id, client.getSessionId());
                assertNotNull(client.exists("/kept", false));
                client.close();
            } finally {
                second.close();
            }
        }
    }

    @Test
    void theNodesOfAKilledClientGoWithItsSessionAndItsConnectionAtOnce() throws Exception {
        try (PluginServer server = PluginServer.start(0)) {
            ZooKeeper watching = server.client();
            ChildJvm killed = ServerProcess.client(folder, server.address(), "/ephemeral");
            Events events = new Events();
            assertNotNull(watching.exists("/ephemeral", events));
            assertEquals(2, server.factory().getNumAliveConnections());
            killed.kill();
            PluginServer.until("its connection ends", () -> server.factory().getNumAliveConnections() == 1);
            assertEquals(EventType.NodeDeleted, events.next().getType());
        }
    }

    @Test
    void aMultiWhoseConnectionIsCutHappensWholeOrNotAtAll() throws Exception {
        long seed = System.nanoTime();
        System.out.println("seed=" + seed);
        SplittableRandom random = new SplittableRandom(seed);
        int lost = 0;
        try (PluginServer server = PluginServer.start(0)) {
            Events events = new Events();
            ZooKeeper client = server.client(PluginServer.JVRPC, events);
            ZooKeeper looking = server.client();
            for (int round = 0; round < 12; round++) {
                String root = "/multi" + round;
                List<Op> ops = new ArrayList<>();
                ops.add(Op.create(root, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT));
                for (int i = 0; i < 50; i++) {
                    ops.add(Op.create(root + "/" + i, new byte[500], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT));
                }
                CompletableFuture<Code> result = new CompletableFuture<>();
                client.multi(ops, (rc, path, context, results) -> result.complete(Code.get(rc)), null);
                LockSupport.parkNanos(random.nextInt(2_000_000));
                server.factory().closeAll(DisconnectReason.CLOSE_ALL_CONNECTIONS_FORCED);
                Code code = result.get(30, TimeUnit.SECONDS);
                events.await(KeeperState.SyncConnected);
                boolean there = children(looking, root) > 0;
                assertTrue(code != Code.OK || there, "acknowledged and not there: " + root);
                lost += code == Code.CONNECTIONLOSS ? 1 : 0;
            }
        }
        System.out.println("rounds that lost the connection=" + lost);
    }

    private static int children(ZooKeeper looking, String root) throws Exception {
        for (int tries = 0; ; tries++) {
            try {
                int count = looking.exists(root, false) == null ? 0 : looking.getChildren(root, false).size();
                assertTrue(count == 0 || count == 50, root + " has children=" + count);
                return count;
            } catch (KeeperException.ConnectionLossException e) {
                if (tries == 20) {
                    throw e; // its connection was cut as well, and comes back
                }
                LockSupport.parkNanos(100_000_000);
            }
        }
    }

    @Test
    void withoutTheFallbackAClientDoesNotConnectToAServerWithoutThePlugin() throws Exception {
        try (PluginServer stock = PluginServer.startStock()) {
            Hosts hosts = new Hosts("localhost", "127.0.0.1", stock.port());
            ZooKeeper client = stock.open(hosts, new Events());
            PluginServer.until("it tried twice", () -> hosts.attempts() >= 2);
            assertFalse(client.getState().isConnected());
            assertNotNull(stock.client(PluginServer.NIO, new Events()).exists("/", false));
        }
    }

    private static String connection(PluginServer server) {
        return server.factory().getConnections().iterator().next().toString();
    }

    @Test
    void withTheFallbackAClientSpeaksTcpUntilTheServerHasThePlugin() throws Exception {
        System.setProperty(JvrpcAddress.FALLBACK, "tcp");
        try (PluginServer server = PluginServer.startStock()) {
            Events events = new Events();
            ZooKeeper client = server.client(PluginServer.JVRPC, events);
            long id = client.getSessionId();
            client.create("/node", new byte[1], Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);
            assertTrue(connection(server).startsWith("ip: "), connection(server));
            server.restartWithPlugin();
            events.await(KeeperState.Disconnected);
            events.await(KeeperState.SyncConnected);
            assertEquals(id, client.getSessionId());
            assertNotNull(client.exists("/node", false));
            if (!connection(server).startsWith("jvrpc: ")) { // it was back before the server had its second address
                server.factory().closeAll(DisconnectReason.CLOSE_ALL_CONNECTIONS_FORCED);
                events.await(KeeperState.Disconnected);
                events.await(KeeperState.SyncConnected);
            }
            assertTrue(connection(server).startsWith("jvrpc: "), connection(server));
        } finally {
            System.clearProperty(JvrpcAddress.FALLBACK);
        }
    }
}
