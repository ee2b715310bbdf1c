package org.jvrpc.hdfs;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
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
import org.jvrpc.api.Status;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls one NameNode for one user. Each call goes the best way that works when it is made. What fails is an exception
 * that Hadoop's retrying layers know how to take: a {@link ConnectException} when the call did not leave the client, a
 * {@link SocketException} when nobody knows whether it was executed, a {@link RemoteException} when it was. A repeated
 * call may go another way than the first time: the NameNode's retry cache knows it by the same client and number. Any
 * thread.
 */
final class NameNodeCaller {

    private static final Logger LOG = LoggerFactory.getLogger(NameNodeCaller.class);
    /** As often as a call finds its login gone: a NameNode forgets those used least, but not those just made. */
    private static final int MAX_LOGINS = 5;

    private final Class<?> protocol;
    private final ConnectionId id;
    private final InetSocketAddress server;
    private final HdfsSettings settings;
    private final int maxResponseBytes;
    private final byte[] clientId;
    private volatile NameNodeRoutes routes;
    private volatile ServerConnection.User user;
    private volatile boolean closed;

    /** @param clientId of Hadoop's own transport to the same server */
    NameNodeCaller(Class<?> protocol, ConnectionId id, byte[] clientId, Configuration conf) {
        this.protocol = protocol;
        this.id = id;
        this.clientId = clientId;
        this.server = JvrpcCall.address(id);
        this.settings = new HdfsSettings(conf);
        this.maxResponseBytes = conf.getInt(CommonConfigurationKeys.IPC_MAXIMUM_RESPONSE_LENGTH,
                CommonConfigurationKeys.IPC_MAXIMUM_RESPONSE_LENGTH_DEFAULT);
    }

    /**
     * Returns the connection for a call, or null when it is to be made by Hadoop's own transport.
     *
     * @throws IOException when jvRPC does not work, and Hadoop's own transport is not to be used
     */
    ServerConnection connection() throws IOException {
        if (settings.fallback() && server.isUnresolved()) {
            return null; // it asks for the host's address again
        }
        NameNodeRoutes known = routes;
        if (known == null) {
            known = open();
        }
        return settings.fallback() ? known.ifConnected() : await(known);
    }

    /** Connects; tries again as often as Hadoop's own client would. */
    private ServerConnection await(NameNodeRoutes known) throws IOException {
        for (int tries = 0;; tries++) {
            try {
                return known.connected();
            } catch (IOException e) {
                pause(e, tries);
            }
        }
    }

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

    private synchronized NameNodeRoutes open() throws IOException {
        if (routes == null) {
            if (closed) {
                throw new IOException("the proxy of the NameNode at " + server + " is closed");
            }
            if (server.isUnresolved()) {
                throw new UnknownHostException("unknown host of the NameNode: " + server);
            }
            user = user();
            routes = new NameNodeRoutes(server, settings, JvrpcCall.timeoutMs(id), maxResponseBytes);
        }
        return routes;
    }

    private ServerConnection.User user() throws IOException {
        UserGroupInformation ticket = JvrpcCall.ticket(id);
        if (ticket == null) {
            ticket = UserGroupInformation.getCurrentUser();
        }
        UserGroupInformation real = ticket.getRealUser();
        List<Byte> client = new ArrayList<>();
        for (byte b : clientId) {
            client.add(b);
        }
        return new ServerConnection.User(RPC.getProtocolName(protocol), RPC.getProtocolVersion(protocol),
                ticket.getUserName(), real == null ? null : real.getUserName(), client,
                server.getAddress().getHostAddress(), server.getPort());
    }

    // ---- calling

    /**
     * Makes a call.
     *
     * @param connection of {@link #connection}
     * @return the message of the result
     * @throws PlainTransportException when it is to be made by Hadoop's own transport
     */
    byte[] call(ServerConnection connection, String method, int callId, int retry, ByteBuffer request)
            throws IOException {
        byte[] header = CallerHeader.current();
        for (int logins = 0;; logins++) {
            ServerConnection.Login login = login(connection);
            try {
                return call(connection, login, method, callId, retry, header, request);
            } catch (StaleLoginException e) {
                connection.forget(user, login);
                if (logins == MAX_LOGINS) {
                    throw new IOException("the NameNode at " + connection.address() + " forgets logins", e);
                }
            } catch (CallFailureException e) {
                throw remote(e);
            } catch (RpcException e) {
                throw wrap(ofTransport(e));
            }
        }
    }

    private byte[] call(
            ServerConnection connection,
            ServerConnection.Login login,
            String method,
            int callId,
            int retry,
            byte[] header,
            ByteBuffer request) throws CallFailureException, StaleLoginException, IOException {
        Integer number = login.method(method);
        if (number == null) {
            throw new RemoteException(RpcNoSuchMethodException.class.getName(),
                    "Unknown method " + method + " called on " + RPC.getProtocolName(protocol) + " protocol.",
                    RpcErrorCodeProto.ERROR_NO_SUCH_METHOD);
        }
        if (request.remaining() > login.maxRequestBytes()) {
            IOException e = Failures.tooLong(method, request.remaining(), login.maxRequestBytes());
            throw new RemoteException(IOException.class.getName(), e.getMessage()); // for it is not to be repeated
        }
        NameNodeCalls calls = connection.calls();
        if (login.isLight(number)) {
            try {
                return calls.light(login.number(), number, callId, retry, header, request.duplicate()).array();
            } catch (LockedException e) {
                // A handler waits for the lock instead.
            }
        }
        return calls.queued(login.number(), number, callId, retry, header, request.duplicate()).array();
    }

    private ServerConnection.Login login(ServerConnection connection) throws IOException {
        ServerConnection.Login known = connection.login(user);
        if (known != null) {
            return known;
        }
        byte[] host = InetAddress.getByName(user.server()).getAddress();
        LoginRequest request = new LoginRequest(user.protocol(), user.version(), user.name(), user.realName(),
                clientId, host, user.port());
        try {
            ServerConnection.Login made = new ServerConnection.Login(connection.calls().login(request));
            connection.keep(user, made);
            return made;
        } catch (CallFailureException e) {
            throw remote(e);
        } catch (NotServedHereException e) {
            NameNodeRoutes open = routes;
            if (open != null) { // the proxy is not closed meanwhile
                open.refused(connection, e.getMessage());
            }
            throw elsewhere(e, new IOException(e.getMessage(), e));
        } catch (RpcException e) {
            IOException failed = wrap(ofTransport(e));
            throw e.status() == Status.UNAVAILABLE ? elsewhere(e, failed) : failed;
        }
    }

    /** Returns what is thrown where a user cannot log in over a connection: nothing of the call itself was sent. */
    private IOException elsewhere(Exception why, IOException failed) {
        return settings.fallback() ? new PlainTransportException(why.getMessage(), why) : failed;
    }

    // ---- failing

    private static RemoteException remote(CallFailureException e) {
        return new RemoteException(e.className(), e.text(), RpcErrorCodeProto.forNumber(e.code()));
    }

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
        if (routes != null) {
            routes.close();
            routes = null;
        }
    }
}
