package org.jvrpc.samples.zookeeper.network;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.samples.zookeeper.PluginServer;
import org.jvrpc.samples.zookeeper.PluginServer.Events;
import org.jvrpc.samples.zookeeper.Ports;
import org.jvrpc.samples.zookeeper.ServerProcess;
import org.jvrpc.testing.ChildJvm;
import org.jvrpc.verbs.VerbsException;

/** A server and clients over UDP: ZooKeeper has the TCP port of a number, jvRPC the UDP port of the same. */
class RocePluginTest extends NetworkPluginContract {

    /** Clients of this host have its other addresses, too. */
    private static final String CLIENTS = "127.0.0.2";
    private static final String TEMPLATE = "roce://{host}:{port}";

    @TempDir
    private Path folder;

    @Override
    String servers() {
        return TEMPLATE;
    }

    @Override
    String clients() {
        return TEMPLATE + "?from=" + CLIENTS;
    }

    @Override
    String clientHost() {
        return CLIENTS;
    }

    @Override
    String otherHost() {
        return "127.0.0.1";
    }

    @Test
    void aServerAtAllAddressesOfItsHostIsToldToNameOne() throws Exception {
        VerbsException e = assertThrows(VerbsException.class, () -> {
            try (PluginServer all = PluginServer.startAt(new InetSocketAddress(Ports.free()))) {
                throw new AssertionError("serves at port=" + all.port());
            }
        });
        assertTrue(e.getMessage().contains("name the one that peers connect to"), e.getMessage());
    }

    @Test
    void aSessionOutlivesItsKilledServerAtTheSamePort() throws Exception {
        int port = Ports.free();
        try (PluginServer clients = PluginServer.startStock()) {
            clients.reachedBy(clients());
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
            try (ChildJvm second = ServerProcess.single(folder, port)) {
                events.await(KeeperState.SyncConnected);
                assertEquals(id, client.getSessionId());
                assertNotNull(client.exists("/kept", false));
                client.close();
                assertTrue(second.isAlive());
            }
        }
    }

    @Test
    void theNodesOfAKilledClientGoWithItsSession() throws Exception {
        try (PluginServer server = PluginServer.startAt(new InetSocketAddress("127.0.0.1", Ports.free()))) {
            ZooKeeper watching = server.client();
            ChildJvm killed = ServerProcess.client(folder, server.address(), "/ephemeral");
            Events events = new Events();
            assertNotNull(watching.exists("/ephemeral", events));
            killed.kill();
            assertEquals(EventType.NodeDeleted, events.next().getType());
            PluginServer.until("its connection ends", () -> server.factory().getNumAliveConnections() == 1);
        }
    }
}
