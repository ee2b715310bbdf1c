package org.apache.zookeeper;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Queue;
import java.util.concurrent.LinkedBlockingDeque;
import org.apache.zookeeper.ClientCnxn.Packet;
import org.apache.zookeeper.ClientCnxn.SendThread;
import org.apache.zookeeper.client.ZKClientConfig;
import org.jvrpc.samples.zookeeper.JvrpcAddress;
import org.jvrpc.samples.zookeeper.ZooKeeperLine;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * ZooKeeper's client over jvRPC: chosen by {@code zookeeper.clientCnxnSocket}. Where {@value JvrpcAddress#FALLBACK}
 * allows it, a server that does not serve jvRPC is spoken to by TCP, by ZooKeeper's own class; each new connection
 * tries jvRPC first. ZooKeeper's threads.
 */
public final class ClientCnxnSocketJvrpc extends ClientCnxnSocket {

    private static final Logger LOG = LoggerFactory.getLogger(ClientCnxnSocketJvrpc.class);

    private final JvrpcClientSocket jvrpc;
    /** Null where there is no falling back. */
    private final ClientCnxnSocketNIO tcp;
    private volatile ClientCnxnSocket active;

    /** Made by ZooKeeper. @throws IOException when a property of ZooKeeper's makes no sense */
    public ClientCnxnSocketJvrpc(ZKClientConfig config) throws IOException {
        ZooKeeperLine.check();
        this.clientConfig = config;
        this.jvrpc = new JvrpcClientSocket(config);
        String fallback = config.getProperty(JvrpcAddress.FALLBACK, System.getProperty(JvrpcAddress.FALLBACK));
        this.tcp = JvrpcAddress.fallsBack(fallback) ? new ClientCnxnSocketNIO(config) : null;
        this.active = jvrpc;
    }

    @Override
    void introduce(SendThread thread, long session, LinkedBlockingDeque<Packet> queue) {
        jvrpc.introduce(thread, session, queue);
        if (tcp != null) {
            tcp.introduce(thread, session, queue);
        }
    }

    @Override
    void connect(InetSocketAddress address) throws IOException {
        ClientCnxnSocket before = active;
        take(jvrpc, before);
        jvrpc.connect(address);
        IOException refusal = jvrpc.refusal();
        if (refusal != null && tcp != null) {
            LOG.info("{} is spoken to by TCP: {}", address, refusal.getMessage());
            jvrpc.cleanup();
            take(tcp, before);
            tcp.connect(address);
        }
    }

    /** Goes on with a transport: what it counts from is the time since a server was heard by any. */
    private void take(ClientCnxnSocket next, ClientCnxnSocket before) {
        next.now = before.now;
        next.lastHeard = before.lastHeard;
        next.lastSend = before.lastSend;
        next.sessionId = before.sessionId;
        active = next;
    }

    @Override
    boolean isConnected() {
        return active.isConnected();
    }

    @Override
    SocketAddress getRemoteSocketAddress() {
        return active.getRemoteSocketAddress();
    }

    @Override
    SocketAddress getLocalSocketAddress() {
        return active.getLocalSocketAddress();
    }

    @Override
    void cleanup() {
        active.cleanup();
    }

    @Override
    void close() {
        jvrpc.close();
        if (tcp != null) {
            tcp.close();
        }
    }

    @Override
    void packetAdded() {
        active.packetAdded();
    }

    @Override
    void onClosing() {
        active.onClosing();
    }

    @Override
    void saslCompleted() {
        active.saslCompleted();
    }

    @Override
    void connectionPrimed() {
        active.connectionPrimed();
    }

    @Override
    void doTransport(int waitTimeOut, Queue<Packet> pendingQueue, ClientCnxn cnxn)
            throws IOException, InterruptedException {
        active.doTransport(waitTimeOut, pendingQueue, cnxn);
    }

    @Override
    void testableCloseSocket() throws IOException {
        active.testableCloseSocket();
    }

    @Override
    void sendPacket(Packet packet) throws IOException {
        active.sendPacket(packet);
    }

    // ---- clocks and counts

    @Override
    void updateNow() {
        active.updateNow();
    }

    @Override
    int getIdleRecv() {
        return active.getIdleRecv();
    }

    @Override
    int getIdleSend() {
        return active.getIdleSend();
    }

    @Override
    long getSentCount() {
        return jvrpc.getSentCount() + (tcp == null ? 0 : tcp.getSentCount());
    }

    @Override
    long getRecvCount() {
        return jvrpc.getRecvCount() + (tcp == null ? 0 : tcp.getRecvCount());
    }

    @Override
    void updateLastHeard() {
        active.updateLastHeard();
    }

    @Override
    void updateLastSend() {
        active.updateLastSend();
    }

    @Override
    void updateLastSendAndHeard() {
        active.updateLastSendAndHeard();
    }
}
