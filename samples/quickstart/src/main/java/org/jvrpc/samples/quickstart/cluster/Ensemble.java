package org.jvrpc.samples.quickstart.cluster;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingCluster;

/** ZooKeeper on three ports of this host, in this process; its files go with it. One thread. */
final class Ensemble implements AutoCloseable {

    private static final int SERVERS = 3;
    private static final int MAX_CONNECTIONS = 100;
    /** A quarter of the shortest session: a server that is killed is missed after two seconds. */
    private static final int TICK_MS = 500;

    private final TestingCluster cluster;

    Ensemble() throws IOException {
        System.setProperty("zookeeper.admin.enableServer", "false");
        List<InstanceSpec> specs = new ArrayList<>();
        for (int i = 1; i <= SERVERS; i++) {
            specs.add(new InstanceSpec(null, -1, -1, -1, true, i, TICK_MS, MAX_CONNECTIONS));
        }
        cluster = new TestingCluster(specs);
        try {
            cluster.start();
        } catch (Exception e) {
            cluster.close();
            throw new IOException("ZooKeeper does not start: " + e.getMessage(), e);
        }
    }

    /** Returns the target of the orders' servers. */
    String target() {
        return "zk://" + cluster.getConnectString() + "/orders?session-timeout=2s";
    }

    @Override
    public void close() throws IOException {
        cluster.close();
    }
}
