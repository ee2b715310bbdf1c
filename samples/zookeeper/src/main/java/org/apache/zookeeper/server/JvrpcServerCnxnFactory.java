package org.apache.zookeeper.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.common.ZKConfig;
import org.apache.zookeeper.server.ServerCnxn.DisconnectReason;
import org.jvrpc.runtime.MessageServer;
import org.jvrpc.samples.zookeeper.JvrpcAddress;
import org.jvrpc.samples.zookeeper.ZooKeeperLine;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * ZooKeeper's server over jvRPC message sessions, beside its NIO connections: four-letter words and stock clients find
 * the TCP port as ever. Chosen by {@code zookeeper.serverCnxnFactory}. Any thread.
 */
public class JvrpcServerCnxnFactory extends NIOServerCnxnFactory {

    private static final Logger LOG = LoggerFactory.getLogger(JvrpcServerCnxnFactory.class);
    private static final long LOOK_MS = 500;
    /** A frame may be longer than jute's limit by this, so that the limit is found, and told, where ZooKeeper does. */
    private static final int MARGIN = 1 << 16;
    /** Of jute, whose class is not loaded here: it takes its limit from the property when the first packet comes. */
    private static final int DEFAULT_MAX_BUFFER = 0xfffff;

    private MessageServer server;
    private ScheduledExecutorService expirer;

    /** Made by ZooKeeper. */
    public JvrpcServerCnxnFactory() {
        ZooKeeperLine.check();
    }

    @Override
    public void configure(InetSocketAddress address, int maxcc, int backlog, boolean secure) throws IOException {
        if (secure) {
            throw new UnsupportedOperationException("TLS isn't supported by the jvRPC plugin: use the secure port of"
                    + " NettyServerCnxnFactory, without the plugin");
        }
        super.configure(address, maxcc, backlog, false);
    }

    @Override
    public synchronized void start() {
        super.start();
        if (server == null) {
            serve();
            expirer = Executors.newSingleThreadScheduledExecutor(task -> {
                Thread thread = new Thread(task, "JvrpcConnectionExpirer:" + getLocalPort());
                thread.setDaemon(true);
                return thread;
            });
            expirer.scheduleWithFixedDelay(this::expire, LOOK_MS, LOOK_MS, TimeUnit.MILLISECONDS);
        }
    }

    private void serve() {
        server = MessageServer.builder()
                .bind(address())
                .handler(() -> new JvrpcServerCnxn(zkServer, this))
                .spin(JvrpcAddress.spin())
                .maxFrameBytes(maxFrameBytes())
                .start();
        LOG.info("client port {} is served by jvRPC, too, at {}", getLocalPort(), server.address());
    }

    private static int maxFrameBytes() {
        long limit = Integer.getInteger(ZKConfig.JUTE_MAXBUFFER, DEFAULT_MAX_BUFFER);
        return (int) Math.min(1 << 30, limit + MARGIN);
    }

    private String address() {
        InetSocketAddress local = getLocalAddress();
        String host = local.getAddress().isAnyLocalAddress() ? "0.0.0.0" : local.getAddress().getHostAddress();
        return JvrpcAddress.of(System.getProperty(JvrpcAddress.PROPERTY), host, local.getPort());
    }

    @Override
    public synchronized void reconfigure(InetSocketAddress address) {
        super.reconfigure(address);
        if (server == null || !server.isOpen()) {
            return; // without its device there is TCP still
        }
        server.unbind();
        if (getLocalAddress() != null) { // else the new port is in use, and there is none
            server.rebind(address());
            LOG.info("client port {} is served by jvRPC, too, at {}", getLocalPort(), server.address());
        }
    }

    /** Returns true when a client of a host may not connect any more. */
    boolean isFull(InetAddress host) {
        int limit = getMaxClientCnxnsPerHost();
        return limitTotalNumberOfCnxns() || limit > 0 && jvrpcCnxns(host) >= limit;
    }

    private long jvrpcCnxns(InetAddress host) {
        return cnxns.stream().filter(cnxn -> cnxn instanceof JvrpcServerCnxn
                && host.equals(cnxn.getRemoteSocketAddress().getAddress())).count();
    }

    /** Notes a connection. */
    void add(JvrpcServerCnxn cnxn) {
        cnxns.add(cnxn);
    }

    /** Forgets a connection; false when it was forgotten before. */
    boolean remove(JvrpcServerCnxn cnxn) {
        unregisterConnection(cnxn);
        if (!cnxns.remove(cnxn)) {
            return false;
        }
        removeCnxnFromSessionMap(cnxn);
        return true;
    }

    private void expire() {
        long nowMs = System.nanoTime() / 1_000_000;
        for (ServerCnxn cnxn : cnxns) {
            if (cnxn instanceof JvrpcServerCnxn ours && ours.isExpired(nowMs, sessionlessCnxnTimeout)) {
                ServerMetrics.getMetrics().SESSIONLESS_CONNECTIONS_EXPIRED.add(1);
                ours.close(DisconnectReason.CONNECTION_EXPIRED);
            }
        }
    }

    /** Gives both addresses free before it waits for anything: the next server may be on its way. */
    @Override
    public void stop() {
        MessageServer ending;
        synchronized (this) {
            if (expirer != null) {
                expirer.shutdownNow();
                expirer = null;
            }
            ending = server;
            server = null;
            if (ending != null) {
                ending.unbind();
            }
        }
        super.stop();
        if (ending != null) {
            ending.close();
        }
    }
}
