package org.jvrpc.samples.zookeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Properties, and the line of ZooKeeper releases. */
class JvrpcAddressTest {

    private static InetSocketAddress at(String name, String numeric) throws Exception {
        return new InetSocketAddress(
                InetAddress.getByAddress(name, InetAddress.getByName(numeric).getAddress()), 2181);
    }

    @Test
    void serversSayTheHostByTheAddressThatTheyListenAt() throws Exception {
        assertEquals("shm://zookeeper-10.1.2.3-2181", JvrpcAddress.ofServer(null, at("db", "10.1.2.3")));
        assertEquals("shm://zookeeper-any-2181", JvrpcAddress.ofServer(" ", at("", "0.0.0.0")));
        assertEquals("shm://zookeeper-any-2181", JvrpcAddress.ofServer(null, at("", "::")));
        assertEquals("rdma://10.1.2.3:12181", JvrpcAddress.ofServer("rdma://{host}:1{port}", at("db", "10.1.2.3")));
        assertEquals("rdma://0.0.0.0:12181", JvrpcAddress.ofServer("rdma://{host}:1{port}", at("", "::")));
        assertEquals("roce://[0:0:0:0:0:0:0:1]:2181", JvrpcAddress.ofServer("roce://{host}:{port}", at("db", "::1")));
    }

    @Test
    void clientsLookForTheirServersAddressAndForAServerAtAllOfThem() throws Exception {
        List<String> both = List.of("shm://zookeeper-127.0.0.1-2181", "shm://zookeeper-any-2181");
        assertEquals(both, JvrpcAddress.ofClient(null, at("localhost", "127.0.0.1")));
        assertEquals(List.of("shm://zk-2181"), JvrpcAddress.ofClient("shm://zk-{port}", at("localhost", "127.0.0.1")));
        assertEquals(List.of("rdma://db:12181"),
                JvrpcAddress.ofClient("rdma://{host}:1{port}", at("db", "192.0.2.1")));
        assertEquals(List.of("roce://[::1]:2181"), JvrpcAddress.ofClient("roce://{host}:{port}", at("::1", "::1")));
    }

    @Test
    void namesOfIPv6AddressesAreAddressesOfSharedMemory() throws Exception {
        String longest = JvrpcAddress.ofServer(null,
                new InetSocketAddress(InetAddress.getByName("2001:db8:ffff:ffff:ffff:ffff:ffff:ffff"), 65535));
        assertEquals("shm://zookeeper-20010db8ffffffffffffffffffffffff-65535", longest);
        assertTrue(longest.length() - "shm://".length() <= 48, longest);
    }

    @Test
    void sharedMemoryReachesNoOtherHost() throws Exception {
        for (String template : new String[] {null, "shm://zk-{port}"}) {
            String message = assertThrows(ConnectException.class,
                    () -> JvrpcAddress.ofClient(template, at("prod", "192.0.2.1"))).getMessage();
            assertTrue(message.contains("prod/192.0.2.1:2181 is not on this host")
                    && message.contains("jvrpc.zookeeper.address=shm://") && message.contains("fallback=tcp"), message);
        }
        assertThrows(UnknownHostException.class,
                () -> JvrpcAddress.ofClient(null, InetSocketAddress.createUnresolved("nowhere", 2181)));
    }

    @Test
    void aTemplateWithoutAPortIsRefused() {
        String message = assertThrows(IllegalArgumentException.class,
                () -> JvrpcAddress.ofServer("shm://zk", at("db", "127.0.0.1"))).getMessage();
        assertTrue(message.contains("jvrpc.zookeeper.address=shm://zk has no {port}"), message);
    }

    @Test
    void theFallbackIsTcpOrNone() {
        assertFalse(JvrpcAddress.fallsBack(null));
        assertFalse(JvrpcAddress.fallsBack("none"));
        assertTrue(JvrpcAddress.fallsBack("tcp"));
        assertThrows(IllegalArgumentException.class, () -> JvrpcAddress.fallsBack("yes"));
    }

    @Test
    void anotherMinorLineOfZooKeeperIsRefusedByName() {
        ZooKeeperLine.check("3.9.5");
        ZooKeeperLine.check("3.9.0");
        for (String other : new String[] {"3.8.4", "3.10.0", "3.90.1", "4.0.0"}) {
            String message = assertThrows(IllegalStateException.class, () -> ZooKeeperLine.check(other)).getMessage();
            assertTrue(message.contains("3.9.x") && message.contains(other), message);
        }
    }
}
