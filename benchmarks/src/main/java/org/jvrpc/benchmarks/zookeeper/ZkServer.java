package org.jvrpc.benchmarks.zookeeper;

import java.io.File;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.jvrpc.benchmarks.harness.ServerEnd;

/** A ZooKeeper server of its own, with its log in the run's folder: in memory. */
public final class ZkServer implements ServerEnd {

    /** Longer than any run: sessions must live while their processes are stopped for the others' turns. */
    static final int SESSION_MS = 3_600_000;
    private static final int TICK_MS = 3000;
    private static final int MOST_CLIENTS = 100;

    private final ZkTransport transport;
    private ServerCnxnFactory factory;

    /** A server. @param transport of its clients */
    public ZkServer(ZkTransport transport) {
        this.transport = transport;
    }

    @Override
    public String start(Path directory, int clients) throws Exception {
        System.setProperty(ServerCnxnFactory.ZOOKEEPER_SERVER_CNXN_FACTORY, transport.server());
        System.setProperty("zookeeper.admin.enableServer", "false");
        File folder = directory.toFile();
        ZooKeeperServer server = new ZooKeeperServer(folder, folder, TICK_MS);
        server.setMaxSessionTimeout(SESSION_MS);
        factory = ServerCnxnFactory.createFactory(new InetSocketAddress("127.0.0.1", 0), MOST_CLIENTS);
        factory.startup(server);
        return "127.0.0.1:" + factory.getLocalPort();
    }

    @Override
    public void close() {
        factory.shutdown();
    }
}
