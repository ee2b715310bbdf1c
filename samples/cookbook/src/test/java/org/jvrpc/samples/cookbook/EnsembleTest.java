package org.jvrpc.samples.cookbook;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.Test;
import org.jvrpc.samples.cookbook.servers.Discovery;

/** Servers find each other by a ZooKeeper in this process. */
final class EnsembleTest {

    @Test
    void serversThatRegisterAreFoundAndLeaveAgain() throws Exception {
        System.setProperty("zookeeper.admin.enableServer", "false");
        try (TestingServer zooKeeper = new TestingServer()) {
            assertEquals(List.of("both have answered", "left: 2"),
                    Printed.by(Discovery::main, zooKeeper.getConnectString()));
        }
    }
}
