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
import org.apache.zookeeper.ZooDefs.OpCode;
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
 * frames, and hands to a worker what may take long and does not go through the pipeline: requests to connect and to
 * log in, during which the connection takes nothing else. Everything else is for any thread, as ZooKeeper's pipeline
 * needs.
 */
final class JvrpcServerCnxn extends ServerCnxn implements MessageHandler {

    private static final Logger LOG = LoggerFactory.getLogger(JvrpcServerCnxn.class);
    private static final int LENGTH_BYTES = 4;
    /** Requests wait as long as more bytes than these wait for the client. */
    private static final int MANY_QUEUED = 1 << 20;
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
    private volatile Intake intake;
    private volatile InetSocketAddress remote;
    private volatile long sessionId;
    private volatile int sessionTimeout;
    private volatile boolean initialized;
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
        intake = new Intake(opened);
        InetAddress host = hostOf(opened.peerHost());
        remote = new InetSocketAddress(host, (int) (opened.id() & 0xffff));
        addAuthInfo(new Id("ip", host.getHostAddress()));
        if (factory.refusal(host) != null) { // of two that were admitted at once
            opened.close();
            return;
        }
        factory.add(this);
    }

    /** Returns where a peer is, by what its session says. */
    static InetAddress hostOf(InetAddress peerHost) {
        return peerHost == null ? LOCAL : peerHost;
    }

    @Override
    public void frame(MessageSession from, ByteBuffer frame) {
        if (isStale()) {
            return;
        }
        heardMs = System.nanoTime() / 1_000_000;
        try {
            take(frame);
        } catch (IOException e) {
            fail(e);
        }
    }

    private void fail(Throwable e) {
        if (e instanceof ServerCnxn.CloseRequestException asked) {
            close(asked.getReason());
            return;
        }
        LOG.warn("Close of session 0x{}", Long.toHexString(sessionId), e);
        if (e instanceof ClientCnxnLimitException) {
            ServerMetrics.getMetrics().CONNECTION_REJECTED.add(1);
            close(DisconnectReason.CLIENT_CNX_LIMIT);
        } else {
            close(DisconnectReason.IO_EXCEPTION);
        }
    }

    private void take(ByteBuffer frame) throws IOException {
        int length = frame.remaining();
        if (length > BinaryInputArchive.maxBuffer) {
            throw new IOException("Len error. A message from " + remote + " with length of " + length
                    + " is either malformed or too large to process (jute.maxbuffer="
                    + BinaryInputArchive.maxBuffer + ")");
        }
        checkServes();
        zkServer.checkRequestSizeWhenReceivingMessage(length);
        packetReceived(LENGTH_BYTES + length);
        ByteBuffer copy = ByteBuffer.allocate(length).put(frame).flip(); // the pipeline keeps it
        if (!initialized) {
            handOver(() -> connect(copy));
            return;
        }
        RequestHeader header = new RequestHeader();
        ByteBufferInputStream.byteBuffer2Record(copy, header);
        RequestRecord record = RequestRecord.fromBytes(copy.slice());
        boolean quiet = unanswered.getAndIncrement() == 0;
        if (header.getType() == OpCode.auth || header.getType() == OpCode.sasl) {
            handOver(() -> zkServer.processPacket(this, header, record));
        } else if (!shortWay.take(header, record, quiet)) {
            zkServer.processPacket(this, header, record);
        }
    }

    private void checkServes() throws IOException {
        if (zkServer == null || !zkServer.isRunning()) {
            throw new IOException("ZooKeeperServer not running");
        }
    }

    private void connect(ByteBuffer bytes) throws IOException, ClientCnxnLimitException {
        checkServes(); // a worker may come late to it
        BinaryInputArchive archive = BinaryInputArchive.getArchive(new ByteBufferInputStream(bytes));
        ConnectRequest request = protocolManager.deserializeConnectRequest(archive);
        if (request.getSessionId() != 0) {
            shortWay.followOthers();
        }
        zkServer.processConnectRequest(this, request);
        initialized = true;
    }

    /** What a worker does for a connection. */
    @FunctionalInterface
    private interface Step {
        void run() throws IOException, ClientCnxnLimitException;
    }

    /** Has a worker do what may wait for others: a log-in server, a learner's leader. Requests behind it wait. */
    private void handOver(Step step) {
        intake.stop(Intake.AT_WORK);
        factory.workers().execute(() -> {
            try {
                if (!isStale()) {
                    step.run();
                }
            } catch (Throwable e) { // an authentication provider is its user's code
                fail(e);
            } finally {
                intake.allow(Intake.AT_WORK);
            }
        });
    }

    /** Takes no more requests until all that came are answered: of one at least the answer is due. */
    void stopUntilAnswered() {
        intake.stop(Intake.ANSWERS_DUE);
    }

    /** What waited for the client is on its way. */
    @Override
    public void drained(MessageSession of) {
        intake.allow(Intake.ANSWERS_WAIT);
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
                if (session.queuedBytes() > MANY_QUEUED) {
                    holdUp();
                }
            }
        } catch (IllegalArgumentException e) {
            LOG.warn("Answer to session 0x{} is too long for its client", Long.toHexString(sessionId), e);
            close(DisconnectReason.IO_EXCEPTION);
        }
    }

    /** Has the requests of a client wait that does not take its answers, and parts with it when too much waits. */
    private void holdUp() {
        if (session.queuedBytes() > factory.maxQueuedBytes()) {
            LOG.warn("Close of session 0x{}: its client does not take what it is sent, bytes waiting={} limit={} ({})",
                    Long.toHexString(sessionId), session.queuedBytes(), factory.maxQueuedBytes(),
                    JvrpcServerCnxnFactory.MAX_QUEUED);
            close(DisconnectReason.IO_EXCEPTION);
            return;
        }
        intake.stop(Intake.ANSWERS_WAIT);
        if (session.queuedBytes() <= MANY_QUEUED) {
            intake.allow(Intake.ANSWERS_WAIT); // it left before the stop, and nobody will say so again
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
        if (header.getXid() != ClientCnxn.NOTIFICATION_XID && unanswered.decrementAndGet() == 0) {
            intake.allow(Intake.ANSWERS_DUE);
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
            int size = sendResponse(header, event.getWrapper(), "notification", null, null, OpCode.error);
            ServerMetrics.getMetrics().WATCH_BYTES.add(size);
        } catch (IOException e) {
            LOG.debug("Problem sending to {}", remote, e);
            close(DisconnectReason.IO_EXCEPTION);
        }
    }

    // ---- states

    /** Returns how many bytes wait for the client. */
    long queuedBytes() {
        return session.queuedBytes();
    }

    @Override
    void enableRecv() {
        intake.allow(Intake.THROTTLED);
    }

    @Override
    void disableRecv(boolean waitDisableRecv) {
        intake.stop(Intake.THROTTLED);
    }

    /** Returns true when the client said nothing for so long that it is not there any more. */
    boolean isExpired(long nowMs, int sessionlessMs) {
        return nowMs - heardMs > (initialized ? Math.max(sessionTimeout, sessionlessMs) : sessionlessMs)
                && !intake.isStopped(Intake.THROTTLED | Intake.AT_WORK);
    }

    @Override
    public void close(DisconnectReason reason) {
        if (!isStale()) {
            disconnectReason = reason;
        }
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
        return (intake.isOpen() ? SelectionKey.OP_READ : 0) | (now.queuedBytes() > 0 ? SelectionKey.OP_WRITE : 0);
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
