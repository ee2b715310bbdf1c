package org.jvrpc.samples.zookeeper;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.apache.zookeeper.ClientCnxnSocketJvrpc;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Test;

/** The one jar that operators put beside ZooKeeper's: the build runs this once more when it is made. */
class BundleTest {

    @Test
    void aServerAndAClientNeedTheBundleAlone() throws Exception {
        assumeTrue(Boolean.getBoolean("jvrpc.bundle"), "no bundle yet: run by the build's execution \"bundle\"");
        for (String name : new String[] {ClientCnxnSocketJvrpc.class.getName(), "org.jvrpc.runtime.MessageServer",
            "org.jvrpc.softrnic.ShmDeviceProvider", "org.jvrpc.bundle.esotericsoftware.kryo.Kryo"}) {
            String source = Class.forName(name).getProtectionDomain().getCodeSource().getLocation().toString();
            assertTrue(source.endsWith("-all.jar"), name + " comes from " + source);
        }
        try (PluginServer server = PluginServer.start(0)) {
            ZooKeeper client = server.client();
            client.create("/node", new byte[] {1}, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
            assertArrayEquals(new byte[] {1}, client.getData("/node", false, null));
        }
    }
}
