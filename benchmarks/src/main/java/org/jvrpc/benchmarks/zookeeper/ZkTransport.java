package org.jvrpc.benchmarks.zookeeper;

/** A transport of ZooKeeper: the classes that its two properties name. */
public enum ZkTransport {

    /** The plugin of the samples. */
    JVRPC("org.apache.zookeeper.ClientCnxnSocketJvrpc", "org.apache.zookeeper.server.JvrpcServerCnxnFactory"),
    /** ZooKeeper's default. */
    NIO("org.apache.zookeeper.ClientCnxnSocketNIO", "org.apache.zookeeper.server.NIOServerCnxnFactory"),
    /** ZooKeeper's other one. */
    NETTY("org.apache.zookeeper.ClientCnxnSocketNetty", "org.apache.zookeeper.server.NettyServerCnxnFactory");

    private final String client;
    private final String server;

    ZkTransport(String client, String server) {
        this.client = client;
        this.server = server;
    }

    String client() {
        return client;
    }

    String server() {
        return server;
    }
}
