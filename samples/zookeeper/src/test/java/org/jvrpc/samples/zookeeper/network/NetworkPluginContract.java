package org.jvrpc.samples.zookeeper.network;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.samples.zookeeper.JvrpcAddress;
import org.jvrpc.samples.zookeeper.PluginServer;
import org.jvrpc.samples.zookeeper.PluginServer.Events;
import org.jvrpc.samples.zookeeper.Ports;

/** A server and clients over a network. */
abstract class NetworkPluginContract {

    private static final String NODE = "/node";

    private PluginServer server;
    private Events events;
    private ZooKeeper client;

    /** Returns the template of servers. */
    abstract String servers();

    /** Returns the template of clients. */
    abstract String clients();

    /** Returns the address that clients come from. */
    abstract String clientHost();

    /** Returns an address that clients do not come from. */
    abstract String otherHost();

    @BeforeEach
    void start() throws Exception {
        System.setProperty(JvrpcAddress.PROPERTY, servers());
        server = PluginServer.startAt(new InetSocketAddress("127.0.0.1", Ports.free())).reachedBy(clients());
        events = new Events();
        client = server.client(PluginServer.JVRPC, events);
    }

    @AfterEach
    void stop() throws Exception {
        System.clearProperty(JvrpcAddress.PROPERTY);
        if (server != null) {
            server.close();
        }
    }

    private void create(byte[] data, List<ACL> acl) throws Exception {
        client.create(NODE, data, acl, CreateMode.PERSISTENT);
    }

    @Test
    void callsLongDataAndWatchesPass() throws Exception {
        byte[] data = new byte[1_000_000];
        new Random(1).nextBytes(data);
        create(data, Ids.OPEN_ACL_UNSAFE);
        Events watched = new Events();
        assertArrayEquals(data, client.getData(NODE, watched, null));
        for (int version = 0; version < 200; version++) {
            assertEquals(version + 1, client.setData(NODE, new byte[] {(byte) version}, version).getVersion());
            assertEquals(version + 1, client.exists(NODE, false).getVersion());
        }
        assertEquals(EventType.NodeDataChanged, watched.next().getType());
    }

    @Test
    void clientsAreWhereTheirConnectionComesFromAndAccessFollowsThat() throws Exception {
        assertEquals(clientHost(),
                server.factory().getConnections().iterator().next().getRemoteSocketAddress().getAddress()
                        .getHostAddress());
        create(new byte[1], Arrays.asList(new ACL(Perms.READ, new Id("ip", clientHost())),
                new ACL(Perms.WRITE, new Id("ip", otherHost()))));
        assertEquals(1, client.getData(NODE, false, null).length);
        assertThrows(KeeperException.NoAuthException.class, () -> client.setData(NODE, new byte[2], -1));
    }

    @Test
    void aClientComesBackWithItsSessionWhenTheServerDoes() throws Exception {
        create(new byte[] {7}, Ids.OPEN_ACL_UNSAFE);
        long session = client.getSessionId();
        server.restartWithPlugin();
        events.await(KeeperState.Disconnected);
        events.await(KeeperState.SyncConnected);
        assertEquals(session, client.getSessionId());
        assertArrayEquals(new byte[] {7}, client.getData(NODE, false, null));
    }
}
