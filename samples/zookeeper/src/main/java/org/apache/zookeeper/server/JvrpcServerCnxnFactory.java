package org.apache.zookeeper.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
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

    /** The property that limits how many bytes may wait for a client that does not take them. */
    static final String MAX_QUEUED = "jvrpc.zookeeper.maxQueuedBytes";
    private static final long DEFAULT_MAX_QUEUED = 64 << 20;
    private static final long LEAST_MAX_QUEUED = 1 << 20;
    /** Logins and connects at a time; those that wait for somebody else keep nobody else from going on. */
    private static final int WORKERS = 64;
    private static final long WORKER_IDLE_S = 10;

    private final long maxQueuedBytes = checkQueued(Long.getLong(MAX_QUEUED, DEFAULT_MAX_QUEUED));
    private MessageServer server;
    private ScheduledExecutorService expirer;
    private volatile ExecutorService workers;

    /** Made by ZooKeeper. @throws IllegalArgumentException when a property of the plugin makes no sense */
    public JvrpcServerCnxnFactory() {
        ZooKeeperLine.check();
    }

    private static long checkQueued(long bytes) {
        if (bytes < LEAST_MAX_QUEUED) {
            throw new IllegalArgumentException(MAX_QUEUED + "=" + bytes + ", must be " + LEAST_MAX_QUEUED + " or more");
        }
        return bytes;
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
            ThreadPoolExecutor pool = new ThreadPoolExecutor(WORKERS, WORKERS, WORKER_IDLE_S, TimeUnit.SECONDS,
                    new LinkedBlockingQueue<>(), threads("JvrpcConnectionWorker"));
            pool.allowCoreThreadTimeOut(true);
            workers = pool;
            serve();
            expirer = Executors.newSingleThreadScheduledExecutor(threads("JvrpcConnectionExpirer"));
            expirer.scheduleWithFixedDelay(this::expire, LOOK_MS, LOOK_MS, TimeUnit.MILLISECONDS);
        }
    }

    private ThreadFactory threads(String name) {
        return task -> {
            Thread thread = new Thread(task, name + ":" + getLocalPort());
            thread.setDaemon(true);
            return thread;
        };
    }

    private void serve() {
        server = MessageServer.builder()
                .bind(address())
                .handler(() -> new JvrpcServerCnxn(zkServer, this))
                .admission(peerHost -> refusal(JvrpcServerCnxn.hostOf(peerHost)))
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
        return JvrpcAddress.ofServer(System.getProperty(JvrpcAddress.PROPERTY), getLocalAddress());
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

    /** Returns why a client of a host may not connect, or null when it may. Any thread. */
    String refusal(InetAddress host) {
        int limit = getMaxClientCnxnsPerHost();
        String refusal = null;
        if (limitTotalNumberOfCnxns()) {
            refusal = "Too many connections - maxCnxns is " + getMaxCnxns();
        } else if (limit > 0 && jvrpcCnxns(host) >= limit) {
            refusal = "Too many connections from " + host.getHostAddress() + " - max is " + limit;
        }
        if (refusal != null) {
            ServerMetrics.getMetrics().CONNECTION_REJECTED.add(1);
            LOG.warn(refusal);
        }
        return refusal;
    }

    /** Returns who does what may take long. */
    ExecutorService workers() {
        return workers;
    }

    /** Returns how many bytes may wait for a client. */
    long maxQueuedBytes() {
        return maxQueuedBytes;
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
            workers.shutdown();
        }
    }
}
