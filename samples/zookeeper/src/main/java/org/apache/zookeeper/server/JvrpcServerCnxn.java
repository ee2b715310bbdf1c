package org.apache.zookeeper.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.security.cert.Certificate;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.jute.BinaryInputArchive;
import org.apache.jute.Record;
import org.apache.zookeeper.ClientCnxn;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.data.Stat;
import org.apache.zookeeper.proto.ConnectRequest;
import org.apache.zookeeper.proto.ReplyHeader;
import org.apache.zookeeper.proto.RequestHeader;
import org.jvrpc.runtime.MessageHandler;
import org.jvrpc.runtime.MessageSession;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client's connection over a jvRPC message session. The polling thread of the factory's message server delivers
 * frames; everything else is for any thread, as ZooKeeper's pipeline needs.
 */
final class JvrpcServerCnxn extends ServerCnxn implements MessageHandler {

    private static final Logger LOG = LoggerFactory.getLogger(JvrpcServerCnxn.class);
    private static final int LENGTH_BYTES = 4;
    /** Where a peer is by shared memory, which has no other hosts. Without a name. */
    private static final InetAddress LOCAL;

    static {
        try {
            LOCAL = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
        } catch (UnknownHostException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final JvrpcServerCnxnFactory factory;
    private final ShortWay shortWay;
    /** Requests without an answer yet; the first is the one to connect. */
    private final AtomicInteger unanswered = new AtomicInteger(1);
    private final AtomicBoolean connectAnswered = new AtomicBoolean();
    private volatile MessageSession session;
    private volatile InetSocketAddress remote;
    private volatile long sessionId;
    private volatile int sessionTimeout;
    private volatile boolean initialized;
    private volatile boolean throttled;
    private volatile long heardMs = System.nanoTime() / 1_000_000;

    JvrpcServerCnxn(ZooKeeperServer server, JvrpcServerCnxnFactory factory) {
        super(server);
        this.factory = factory;
        this.shortWay = new ShortWay(this, server);
        if (factory.login != null) {
            this.zooKeeperSaslServer = new ZooKeeperSaslServer(factory.login);
        }
    }

    // ---- what comes; the polling thread

    @Override
    public void opened(MessageSession opened) {
        session = opened;
        InetAddress host = opened.peerHost() == null ? LOCAL : opened.peerHost();
        remote = new InetSocketAddress(host, (int) (opened.id() & 0xffff));
        addAuthInfo(new Id("ip", host.getHostAddress()));
        if (factory.isFull(host)) {
            ServerMetrics.getMetrics().CONNECTION_REJECTED.add(1);
            LOG.warn("Too many connections from {} - max is {}", host, factory.getMaxClientCnxnsPerHost());
            opened.close();
            return;
        }
        factory.add(this);
    }

    @Override
    public void frame(MessageSession from, ByteBuffer frame) {
        if (isStale()) {
            return;
        }
        heardMs = System.nanoTime() / 1_000_000;
        try {
            take(frame);
        } catch (ServerCnxn.CloseRequestException e) {
            close(e.getReason());
        } catch (IOException e) {
            LOG.warn("Close of session 0x{}", Long.toHexString(sessionId), e);
            close(DisconnectReason.IO_EXCEPTION);
        } catch (ClientCnxnLimitException e) {
            ServerMetrics.getMetrics().CONNECTION_REJECTED.add(1);
            LOG.warn("Closing session 0x{}", Long.toHexString(sessionId), e);
            close(DisconnectReason.CLIENT_CNX_LIMIT);
        }
    }

    private void take(ByteBuffer frame) throws IOException, ClientCnxnLimitException {
        int length = frame.remaining();
        if (length > BinaryInputArchive.maxBuffer) {
            throw new IOException("Len error. A message from " + remote + " with length of " + length
                    + " is either malformed or too large to process (jute.maxbuffer="
                    + BinaryInputArchive.maxBuffer + ")");
        }
        if (zkServer == null || !zkServer.isRunning()) {
            throw new IOException("ZooKeeperServer not running");
        }
        zkServer.checkRequestSizeWhenReceivingMessage(length);
        packetReceived(LENGTH_BYTES + length);
        ByteBuffer copy = ByteBuffer.allocate(length).put(frame).flip(); // the pipeline keeps it
        if (initialized) {
            RequestHeader header = new RequestHeader();
            ByteBufferInputStream.byteBuffer2Record(copy, header);
            RequestRecord record = RequestRecord.fromBytes(copy.slice());
            boolean quiet = unanswered.getAndIncrement() == 0;
            if (!shortWay.take(header, record, quiet)) {
                zkServer.processPacket(this, header, record);
            }
        } else {
            BinaryInputArchive archive = BinaryInputArchive.getArchive(new ByteBufferInputStream(copy));
            ConnectRequest request = protocolManager.deserializeConnectRequest(archive);
            zkServer.processConnectRequest(this, request);
            initialized = true;
        }
    }

    @Override
    public void closed(MessageSession closed, Throwable cause) {
        if (cause != null) {
            LOG.info("connection of session 0x{} broke: {}", Long.toHexString(sessionId), cause.toString());
        }
        close(cause == null ? DisconnectReason.CLIENT_CLOSED_CONNECTION : DisconnectReason.CHANNEL_DISCONNECTED);
    }

    // ---- what goes

    @Override
    void sendBuffer(ByteBuffer... buffers) {
        if (buffers.length == 1 && buffers[0] == ServerCnxnFactory.closeConn) {
            close(DisconnectReason.CLIENT_CLOSED_SESSION);
            return;
        }
        if (!connectAnswered.getPlain() && connectAnswered.compareAndSet(false, true)) {
            unanswered.decrementAndGet();
        }
        try {
            ByteBuffer[] pieces = buffers.clone();
            pieces[0] = buffers[0].duplicate().position(buffers[0].position() + LENGTH_BYTES);
            if (session.send(pieces)) {
                packetSent();
            }
        } catch (IllegalArgumentException e) {
            LOG.warn("Answer to session 0x{} is too long for its client", Long.toHexString(sessionId), e);
            close(DisconnectReason.IO_EXCEPTION);
        }
    }

    @Override
    public int sendResponse(ReplyHeader header, Record record, String tag, String cacheKey, Stat stat, int opCode)
            throws IOException {
        if (isStale()) {
            return 0;
        }
        ByteBuffer[] pieces = serialize(header, record, tag, cacheKey, stat, opCode);
        int size = pieces[0].getInt(pieces[0].position());
        sendBuffer(pieces);
        if (header.getXid() != ClientCnxn.NOTIFICATION_XID) {
            unanswered.decrementAndGet();
        }
        decrOutstandingAndCheckThrottle(header);
        return size;
    }

    @Override
    public void sendCloseSession() {
        sendBuffer(ServerCnxnFactory.closeConn);
    }

    @Override
    public void process(WatchedEvent event, List<ACL> znodeAcl) {
        try {
            zkServer.checkACL(this, znodeAcl, ZooDefs.Perms.READ, getAuthInfo(), event.getPath(), null);
        } catch (KeeperException.NoAuthException e) {
            LOG.trace("Not delivering event {} to 0x{} (filtered by ACL)", event, sessionId);
            return;
        }
        ReplyHeader header = new ReplyHeader(ClientCnxn.NOTIFICATION_XID, event.getZxid(), 0);
        try {
            int size = sendResponse(header, event.getWrapper(), "notification", null, null, ZooDefs.OpCode.error);
            ServerMetrics.getMetrics().WATCH_BYTES.add(size);
        } catch (IOException e) {
            LOG.debug("Problem sending to {}", remote, e);
            close(DisconnectReason.IO_EXCEPTION);
        }
    }

    // ---- states

    @Override
    void enableRecv() {
        if (throttled) {
            throttled = false;
            session.resume();
        }
    }

    @Override
    void disableRecv(boolean waitDisableRecv) {
        throttled = true;
        session.pause();
    }

    /** Returns true when the client said nothing for so long that it is not there any more. */
    boolean isExpired(long nowMs, int sessionlessMs) {
        return nowMs - heardMs > (initialized ? Math.max(sessionTimeout, sessionlessMs) : sessionlessMs) && !throttled;
    }

    @Override
    public void close(DisconnectReason reason) {
        disconnectReason = reason;
        setStale();
        if (factory.remove(this)) {
            if (zkServer != null) {
                zkServer.removeCnxn(this);
            }
        }
        MessageSession now = session;
        if (now != null) {
            now.close();
        }
    }

    @Override
    public long getSessionId() {
        return sessionId;
    }

    @Override
    void setSessionId(long id) {
        sessionId = id;
        factory.addSession(id, this);
    }

    @Override
    int getSessionTimeout() {
        return sessionTimeout;
    }

    @Override
    void setSessionTimeout(int timeout) {
        sessionTimeout = timeout;
    }

    @Override
    protected ServerStats serverStats() {
        return zkServer == null ? null : zkServer.serverStats();
    }

    @Override
    public InetSocketAddress getRemoteSocketAddress() {
        return remote;
    }

    @Override
    public int getInterestOps() {
        MessageSession now = session;
        if (now == null || !now.isOpen()) {
            return 0;
        }
        return (throttled ? 0 : SelectionKey.OP_READ) | (now.queuedBytes() > 0 ? SelectionKey.OP_WRITE : 0);
    }

    @Override
    public boolean isSecure() {
        return false;
    }

    @Override
    public Certificate[] getClientCertificateChain() {
        throw new UnsupportedOperationException("TLS is unsupported by the jvRPC plugin");
    }

    @Override
    public void setClientCertificateChain(Certificate[] chain) {
        throw new UnsupportedOperationException("TLS is unsupported by the jvRPC plugin");
    }

    @Override
    public String toString() {
        return "jvrpc: " + remote + " sessionId: 0x" + Long.toHexString(sessionId);
    }
}
