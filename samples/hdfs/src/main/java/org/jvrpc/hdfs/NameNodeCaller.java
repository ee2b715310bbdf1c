package org.jvrpc.hdfs;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.io.retry.RetryPolicy;
import org.apache.hadoop.io.retry.RetryPolicy.RetryAction;
import org.apache.hadoop.ipc.Client.ConnectionId;
import org.apache.hadoop.ipc.JvrpcCall;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RpcNoSuchMethodException;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto.RpcErrorCodeProto;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.jvrpc.api.RpcException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls one NameNode for one user. What fails is an exception that Hadoop's retrying layers know how to take: a
 * {@link ConnectException} when the call did not leave the client, a {@link SocketException} when nobody knows whether
 * it was executed, a {@link RemoteException} when it was. Any thread.
 */
final class NameNodeCaller {

    private static final Logger LOG = LoggerFactory.getLogger(NameNodeCaller.class);
    /** How long Hadoop's transport is used before jvRPC is tried again. */
    private static final long PLAIN_NS = 10_000_000_000L;

    private final Class<?> protocol;
    private final ConnectionId id;
    private final InetSocketAddress server;
    private final HdfsSettings settings;
    private final int maxResponseBytes;
    private volatile NameNodeLink link;
    private volatile NameNodeLink.Who who;
    private volatile NameNodeLink.Session session;
    private volatile NameNodeLink.Live sessionOf;
    private volatile boolean reached;
    private volatile boolean plain;
    private volatile long plainUntilNs;
    private volatile boolean closed;

    NameNodeCaller(Class<?> protocol, ConnectionId id, Configuration conf) {
        this.protocol = protocol;
        this.id = id;
        this.server = JvrpcCall.address(id);
        this.settings = new HdfsSettings(conf);
        this.maxResponseBytes = conf.getInt(CommonConfigurationKeys.IPC_MAXIMUM_RESPONSE_LENGTH,
                CommonConfigurationKeys.IPC_MAXIMUM_RESPONSE_LENGTH_DEFAULT);
    }

    /** True while jvRPC was found not to work, and Hadoop's own transport may be used. */
    boolean isPlain() {
        if (plain && System.nanoTime() - plainUntilNs > 0) {
            plain = false;
        }
        return plain;
    }

    /**
     * Makes a call.
     *
     * @return the message of the result
     * @throws PlainTransport when it is to be made by Hadoop's own transport
     */
    byte[] call(String method, int callId, int retry, ByteBuffer request) throws IOException {
        byte[] header = CallerHeader.current();
        for (int attempt = 0;; attempt++) {
            NameNodeLink.Live live = connect(retry);
            try {
                NameNodeLink.Session now = sessionOf == live ? session : login(live);
                return call(live, now, method, callId, retry, header, request);
            } catch (StaleLogin e) {
                live.sessions().remove(who);
                sessionOf = null;
                if (attempt > 0) {
                    throw new IOException("the NameNode at " + link.key().address() + " forgets logins", e);
                }
            } catch (CallFailure e) {
                RpcErrorCodeProto code = RpcErrorCodeProto.forNumber(e.code());
                throw new RemoteException(e.className(), e.text(), code);
            } catch (RpcException e) {
                throw wrap(ofTransport(e));
            }
        }
    }

    private byte[] call(
            NameNodeLink.Live live,
            NameNodeLink.Session now,
            String method,
            int callId,
            int retry,
            byte[] header,
            ByteBuffer request) throws CallFailure, StaleLogin, IOException {
        Integer number = now.numbers().get(method);
        if (number == null) {
            throw new RemoteException(RpcNoSuchMethodException.class.getName(),
                    "Unknown method " + method + " called on " + RPC.getProtocolName(protocol) + " protocol.",
                    RpcErrorCodeProto.ERROR_NO_SUCH_METHOD);
        }
        if (request.remaining() > now.maxRequestBytes()) {
            IOException e = Failures.tooLong(method, request.remaining(), now.maxRequestBytes());
            throw new RemoteException(IOException.class.getName(), e.getMessage()); // for it is not to be repeated
        }
        ByteBuffer result = now.light()[number]
                ? live.calls().light(now.login(), number, callId, retry, header, request)
                : live.calls().queued(now.login(), number, callId, retry, header, request);
        return result.array();
    }

    // ---- connecting

    private NameNodeLink.Live connect(int retry) throws IOException {
        for (int tries = 0;; tries++) {
            try {
                NameNodeLink.Live live = link().connected();
                reached = true;
                return live;
            } catch (IOException e) {
                // A repeated call may be in the retry cache of jvRPC's client, of which the other transport knows
                // nothing.
                if (settings.fallback() && (retry <= 0 || !reached)) {
                    LOG.warn("{}: Hadoop's own transport is used", e.getMessage());
                    plainUntilNs = System.nanoTime() + PLAIN_NS;
                    plain = true;
                    throw new PlainTransport(e);
                }
                pause(e, tries);
            }
        }
    }

    /** Waits as Hadoop's own client would before it tries again to connect, or gives up. */
    private void pause(IOException e, int tries) throws IOException {
        RetryPolicy policy = JvrpcCall.retryPolicy(id);
        RetryAction action;
        try {
            action = e instanceof ConnectException && policy != null ? policy.shouldRetry(e, tries, 0, true) : null;
        } catch (Exception refused) {
            throw refused instanceof IOException io ? io : new IOException(refused);
        }
        if (action == null || action.action == RetryAction.RetryDecision.FAIL || closed) {
            throw wrap(e);
        }
        LOG.info("Retrying connect to server: {}. Already tried {} time(s): {}", server, tries, e.getMessage());
        try {
            Thread.sleep(action.delayMillis);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw (IOException) new InterruptedIOException("interrupted while waiting to connect to " + server)
                    .initCause(interrupted);
        }
    }

    private NameNodeLink link() throws IOException {
        NameNodeLink known = link;
        return known != null ? known : open();
    }

    private synchronized NameNodeLink open() throws IOException {
        if (link == null) {
            if (closed) {
                throw new IOException("the proxy of the NameNode at " + server + " is closed");
            }
            if (server.isUnresolved()) {
                throw new UnknownHostException("unknown host of the NameNode: " + server);
            }
            if (settings.isLocal() && !HdfsSettings.isOfThisHost(server.getAddress())) {
                throw new IOException("the NameNode at " + server + " is not on this host, and " + HdfsSettings.ADDRESS
                        + " is an address of shared memory: give it an rdma:// one, or set "
                        + HdfsSettings.FALLBACK + "=true");
            }
            String address = settings.address(server.getAddress().getHostAddress(), server.getPort());
            who = who();
            link = NameNodeLinks.take(new NameNodeLinks.Key(
                    address, JvrpcCall.timeoutMs(id), maxResponseBytes, settings.idle()));
        }
        return link;
    }

    private NameNodeLink.Who who() throws IOException {
        UserGroupInformation user = JvrpcCall.ticket(id);
        if (user == null) {
            user = UserGroupInformation.getCurrentUser();
        }
        UserGroupInformation real = user.getRealUser();
        return new NameNodeLink.Who(RPC.getProtocolName(protocol), RPC.getProtocolVersion(protocol),
                user.getUserName(), real == null ? null : real.getUserName(),
                HdfsSettings.ownAddressTowards(server).getHostAddress(), server.getPort());
    }

    private NameNodeLink.Session login(NameNodeLink.Live live) throws CallFailure, IOException {
        NameNodeLink.Session known = live.sessions().get(who);
        if (known == null) {
            byte[] host = java.net.InetAddress.getByName(who.host()).getAddress();
            LoginRequest request = new LoginRequest(who.protocol(), who.version(), who.user(), who.realUser(),
                    NameNodeLink.clientId(), host, who.port());
            known = NameNodeLink.Session.of(live.calls().login(request));
            live.sessions().put(who, known);
        }
        synchronized (this) {
            session = known;
            sessionOf = live;
        }
        return known;
    }

    // ---- failing

    private IOException ofTransport(RpcException e) {
        IOException io = switch (e.status()) {
            case UNAVAILABLE -> new SocketException("connection to the NameNode is lost: " + e.getMessage());
            case DEADLINE_EXCEEDED -> new SocketTimeoutException(e.getMessage());
            case CANCELLED -> new InterruptedIOException(e.getMessage());
            case RESOURCE_EXHAUSTED -> new RemoteException(IOException.class.getName(), e.getMessage());
            default -> new IOException("jvRPC: " + e.status() + ": " + e.getMessage());
        };
        if (io.getCause() == null && !(io instanceof RemoteException)) {
            io.initCause(e);
        }
        return io;
    }

    /** Says between whom it happened, as Hadoop does. */
    private IOException wrap(IOException e) {
        return e instanceof RemoteException
                ? e
                : NetUtils.wrapException(server.getHostName(), server.getPort(), NetUtils.getHostname(), 0, e);
    }

    synchronized void close() {
        closed = true;
        if (link != null) {
            NameNodeLinks.give(link);
            link = null;
        }
    }
}
