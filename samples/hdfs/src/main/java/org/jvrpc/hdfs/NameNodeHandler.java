package org.jvrpc.hdfs;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.ipc.AlignmentContext;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.RpcNoSuchMethodException;
import org.apache.hadoop.ipc.RpcServerException;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcRequestHeaderProto;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.UserGroupInformation.AuthenticationMethod;
import org.apache.hadoop.security.authorize.ProxyUsers;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.InvalidProtocolBufferException;
import org.jvrpc.runtime.RpcServer;

/**
 * Answers the calls of clients by a NameNode's protobuf service: light ones on the thread that calls, which is the
 * poller, the others through the call queue of Hadoop's server. Any thread.
 */
final class NameNodeHandler implements NameNodeService {

    private final Class<?> protocol;
    private final RPC.Server server;
    private final BlockingService service;
    private final AlignmentContext alignment;
    private final Executor executor;
    private final Configuration conf;
    private final MethodTable methods;
    private final Logins logins = new Logins();
    private final int maxRequestBytes;
    private final boolean queueIsPlain;
    private final boolean authorize;
    private final boolean local;
    private volatile boolean started;

    /**
     * @param executor where a call waits for room in a queue that is full
     * @param alignment null when clients need not be told how far the namespace is
     */
    NameNodeHandler(
            Class<?> protocol,
            RPC.Server server,
            BlockingService service,
            AlignmentContext alignment,
            Executor executor,
            Configuration conf) {
        HdfsSettings settings = new HdfsSettings(conf);
        this.protocol = protocol;
        this.server = server;
        this.service = service;
        this.alignment = alignment;
        this.executor = executor;
        this.conf = conf;
        this.methods = new MethodTable(service, settings.light());
        this.local = settings.isLocal();
        this.maxRequestBytes = conf.getInt(CommonConfigurationKeys.IPC_MAXIMUM_DATA_LENGTH,
                CommonConfigurationKeys.IPC_MAXIMUM_DATA_LENGTH_DEFAULT);
        this.authorize = conf.getBoolean(CommonConfigurationKeys.HADOOP_SECURITY_AUTHORIZATION, false);
        this.queueIsPlain = QueueKind.isPlain(conf, server.getPort());
    }

    /** Hadoop's server handles calls from now on. */
    void start() {
        started = true;
    }

    int maxRequestBytes() {
        return maxRequestBytes;
    }

    // ---- logging in

    @Override
    public LoginReply login(LoginRequest request) throws CallFailure {
        try {
            checkServer(request);
            InetAddress host = host(request);
            UserGroupInformation user = user(request);
            permit(user, host);
            user.getGroupsSet(); // looked up here, and not by the poller
            long login = logins.add(user, host, request.clientId());
            if (login == -1) {
                throw new RetriableException("more than " + Logins.MAX + " users and clients");
            }
            return new LoginReply(login, methods.names(), methods.light(), maxRequestBytes);
        } catch (IOException | RuntimeException e) {
            throw Failures.toWire(e);
        }
    }

    private void checkServer(LoginRequest request) throws IOException {
        if (!started) {
            throw new RetriableException("NameNode still not started");
        }
        String name = RPC.getProtocolName(protocol);
        if (!name.equals(request.protocol()) || request.version() != RPC.getProtocolVersion(protocol)) {
            throw new RPC.VersionMismatch(request.protocol(), request.version(), RPC.getProtocolVersion(protocol));
        }
        if (request.port() != server.getPort()) {
            throw new RpcServerException("a client of the NameNode at RPC port=" + request.port()
                    + " reached the one at port=" + server.getPort() + ": look at " + HdfsSettings.ADDRESS);
        }
        if (request.clientId().length != 16) {
            throw new RpcServerException("clientId must have bytes=16, has bytes=" + request.clientId().length);
        }
    }

    /**
     * Returns where the client is, by the connection. On one host that is this host; which of its addresses is the
     * client's word.
     */
    private InetAddress host(LoginRequest request) throws UnknownHostException {
        InetAddress known = local ? null : RpcServer.context().clientHost();
        if (known != null) {
            return known;
        }
        InetAddress said = InetAddress.getByAddress(request.host());
        return !local || HdfsSettings.isOfThisHost(said) ? said : InetAddress.getLoopbackAddress();
    }

    private static UserGroupInformation user(LoginRequest request) {
        UserGroupInformation user = request.realUser() == null
                ? UserGroupInformation.createRemoteUser(request.user())
                : UserGroupInformation.createProxyUser(
                        request.user(), UserGroupInformation.createRemoteUser(request.realUser()));
        user.setAuthenticationMethod(
                request.realUser() == null ? AuthenticationMethod.SIMPLE : AuthenticationMethod.PROXY);
        return user;
    }

    private void permit(UserGroupInformation user, InetAddress host) throws IOException {
        if (user.getRealUser() != null) {
            ProxyUsers.authorize(user, host.getHostAddress());
        }
        if (authorize) {
            server.getServiceAuthorizationManager().authorize(user, protocol, conf, host);
        }
    }

    // ---- calls

    @Override
    public ByteBuffer light(long login, int method, int callId, int retry, byte[] header, ByteBuffer request)
            throws CallFailure, StaleLogin {
        Logins.Login who = logins.find(login);
        MethodTable.Entry target = target(method, request.remaining());
        if (!target.light()) {
            throw Failures.toWire(new RpcServerException(target.name() + " is not a light method here"));
        }
        RpcRequestHeaderProto extras = extras(target, header);
        LightCall call = new LightCall(who, callId, retry, extras, service, target, bytes(request));
        call.runHere(server);
        return call.take(server);
    }

    @Override
    public CompletableFuture<ByteBuffer> queued(
            long login, int method, int callId, int retry, byte[] header, ByteBuffer request)
            throws CallFailure, StaleLogin {
        Logins.Login who = logins.find(login);
        MethodTable.Entry target = target(method, request.remaining());
        QueuedCall call = new QueuedCall(
                who, callId, retry, extras(target, header), server, service, target, bytes(request));
        if (queueIsPlain && server.getCallQueueLen() < server.getMaxQueueSize() / 2) {
            enqueue(call);
        } else {
            try {
                executor.execute(() -> enqueue(call)); // for it may have to wait, and the poller must not
            } catch (RejectedExecutionException e) {
                call.fail(new RetriableException("the NameNode is stopping"));
            }
        }
        return call.answer();
    }

    private void enqueue(QueuedCall call) {
        try {
            server.queueCall(call);
        } catch (IOException | RuntimeException e) {
            call.fail(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            call.fail(new RetriableException("the NameNode is stopping"));
        }
    }

    private static byte[] bytes(ByteBuffer request) {
        byte[] bytes = new byte[request.remaining()];
        request.get(bytes);
        return bytes;
    }

    private MethodTable.Entry target(int method, int length) throws CallFailure {
        MethodTable.Entry target = methods.find(method);
        if (target == null) {
            throw Failures.toWire(new RpcNoSuchMethodException("no method number=" + method + " here"));
        }
        if (length > maxRequestBytes) {
            throw Failures.toWire(Failures.tooLong(target.name(), length, maxRequestBytes));
        }
        return target;
    }

    /** Decodes what else the caller said; null is nothing. */
    private RpcRequestHeaderProto extras(MethodTable.Entry target, byte[] header) throws CallFailure {
        try {
            RpcRequestHeaderProto extras = header.length == 0
                    ? null
                    : RpcRequestHeaderProto.newBuilder().mergeFrom(header).buildPartial();
            if (alignment != null && alignment.isCoordinatedCall(RPC.getProtocolName(protocol), target.name())) {
                // Clients that follow states do not come this way, so an observer must send this one to the active one.
                alignment.receiveRequestState(RpcRequestHeaderProto.getDefaultInstance(), 0);
            }
            return extras;
        } catch (InvalidProtocolBufferException e) {
            throw Failures.toWire(Failures.unreadable("header of " + target.name(), e));
        } catch (IOException e) {
            throw Failures.toWire(e);
        }
    }
}
