package org.jvrpc.samples.zookeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.net.InetSocketAddress;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Test;
import org.jvrpc.samples.zookeeper.PluginServer.Events;

/** Clients whose connect string names a server get that one or none, whoever has its port here. */
class EnsembleOfAnotherHostTest {

    /** Of a network that is nowhere (RFC 5737). */
    private static final String ELSEWHERE = "192.0.2.1";

    @Test
    void aClientOfAnotherHostsServerDoesNotReachTheOneThatHasItsPortHere() throws Exception {
        try (PluginServer here = PluginServer.start(0)) {
            Hosts prod = new Hosts("prod", ELSEWHERE, here.port());
            ZooKeeper client = here.open(prod, new Events());
            client.addAuthInfo("digest", "user:secret".getBytes());
            PluginServer.until("it tried twice, or connected",
                    () -> prod.attempts() >= 2 || client.getState().isConnected());
            assertFalse(client.getState().isConnected());
            assertEquals(0, here.server().serverStats().getPacketsReceived());
        }
    }

    @Test
    void ensemblesOfTwoAddressesOfAHostAreToldApart() throws Exception {
        int port = Ports.free();
        try (PluginServer one = PluginServer.startAt(new InetSocketAddress("127.0.0.1", port));
                PluginServer other = PluginServer.startAt(new InetSocketAddress("127.0.0.2", port))) {
            one.client().create("/one", new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
            Events events = new Events();
            ZooKeeper client = other.open("127.0.0.2:" + port, PluginServer.JVRPC, events);
            events.await(KeeperState.SyncConnected);
            assertEquals(null, client.exists("/one", false));
            assertNotNull(one.client().exists("/one", false));
        }
    }

    @Test
    void aServerAtAllAddressesIsFoundByEachOfThem() throws Exception {
        try (PluginServer server = PluginServer.startAt(new InetSocketAddress(Ports.free()))) {
            for (String host : new String[] {"127.0.0.1", "127.0.0.2", "localhost"}) {
                Events events = new Events();
                ZooKeeper client = server.open(host + ":" + server.port(), PluginServer.JVRPC, events);
                events.await(KeeperState.SyncConnected);
                assertNotNull(client.exists("/", false));
            }
        }
    }
}
