package org.jvrpc.samples.zookeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Properties, and the line of ZooKeeper releases. */
class JvrpcAddressTest {

    @Test
    void addressesFollowTheTemplate() {
        assertEquals("shm://zookeeper-2181", JvrpcAddress.of(null, "db", 2181));
        assertEquals("shm://zookeeper-2181", JvrpcAddress.of(" ", "db", 2181));
        assertEquals("rdma://db:12181", JvrpcAddress.of("rdma://{host}:1{port}", "db", 2181));
    }

    @Test
    void aTemplateWithoutAPortIsRefused() {
        String message = assertThrows(IllegalArgumentException.class, () -> JvrpcAddress.of("shm://zk", "db", 1))
                .getMessage();
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
