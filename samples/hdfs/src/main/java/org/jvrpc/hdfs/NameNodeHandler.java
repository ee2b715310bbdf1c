package org.jvrpc.hdfs;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.ipc.AlignmentContext;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.RpcNoSuchMethodException;
import org.apache.hadoop.ipc.RpcServerException;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcRequestHeaderProto;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.InvalidProtocolBufferException;
import org.jvrpc.api.ServerContext;

/**
 * Answers the calls of clients at one jvRPC address by a NameNode's protobuf service: light ones on the thread that
 * calls, which is the poller, the others through the call queue of Hadoop's server. Any thread.
 */
final class NameNodeHandler implements NameNodeService {

    /**
     * What the handlers of all addresses of a NameNode share.
     *
     * @param alignment null when clients need not be told how far the namespace is
     * @param methods light ones only where the locks are known
     * @param free tells whether a reader of the namespace would not have to wait
     * @param door into the call queue
     * @param logins where clients are logged in; refuses when too many wait for that
     * @param context of the call that the calling thread answers
     */
    record Shared(
            RPC.Server server,
            BlockingService service,
            AlignmentContext alignment,
            Gatekeeper gatekeeper,
            MethodTable methods,
            BooleanSupplier free,
            QueueDoor door,
            Executor logins,
            int maxRequestBytes,
            Supplier<ServerContext> context) {
    }

    private final Shared shared;
    private final Logins logins;
    private final boolean local;
    private volatile boolean started;

    /** @param local when clients are processes of this host */
    NameNodeHandler(Shared shared, Logins logins, boolean local) {
        this.shared = shared;
        this.logins = logins;
        this.local = local;
    }

    /** Hadoop's server handles calls from now on. */
    void start() {
        started = true;
    }

    Logins logins() {
        return logins;
    }

    // ---- logging in

    @Override
    public CompletableFuture<LoginReply> login(LoginRequest request) {
        CompletableFuture<LoginReply> reply = new CompletableFuture<>();
        ServerContext context = shared.context().get();
        Logins.Session session = session(context);
        InetAddress known = context.clientHost();
        try {
            shared.logins().execute(() -> login(request, session, known, reply));
        } catch (RejectedExecutionException e) {
            reply.completeExceptionally(Failures.toWire(
                    new RetriableException("too many clients log in, or the NameNode is stopping")));
        }
        return reply;
    }

    /** Returns what the caller's session has; of one that ended meanwhile nothing stays. */
    private Logins.Session session(ServerContext context) {
        Logins.Session session = logins.session(context.sessionId());
        if (context.isCancelled()) { // its end may have been told before
            logins.end(context.sessionId());
        }
        return session;
    }

    private void login(
            LoginRequest request, Logins.Session session, InetAddress known, CompletableFuture<LoginReply> reply) {
        try {
            reply.complete(login(request, session, known));
        } catch (NotServedHereException e) {
            reply.completeExceptionally(e);
        } catch (Throwable t) {
            reply.completeExceptionally(Failures.toWire(t));
        }
    }

    private LoginReply login(LoginRequest request, Logins.Session session, InetAddress known)
            throws IOException, NotServedHereException {
        if (!started) {
            throw new RetriableException("NameNode still not started");
        }
        Gatekeeper gatekeeper = shared.gatekeeper();
        gatekeeper.checkClient(request);
        InetAddress host = gatekeeper.host(request, local, known);
        long rules = logins.rules();
        UserGroupInformation user = gatekeeper.admit(request, host);
        long login = logins.add(session, user, host, request.clientId(), rules, System.nanoTime());
        MethodTable methods = shared.methods();
        return new LoginReply(login, methods.names(), methods.light(), shared.maxRequestBytes());
    }

    private Logins.Login find(long login) throws StaleLoginException {
        return logins.find(login, shared.context().get().sessionId(), System.nanoTime());
    }

    // ---- calls

    @Override
    public ByteBuffer light(long login, int method, int callId, int retry, byte[] header, ByteBuffer request)
            throws CallFailureException, StaleLoginException, LockedException {
        Logins.Login who = find(login);
        MethodTable.Entry target = target(method, request.remaining());
        if (!target.light()) {
            throw Failures.toWire(new RpcServerException(target.name() + " is not a light method here"));
        }
        RpcRequestHeaderProto extras = extras(target, header);
        if (!shared.free().getAsBoolean()) {
            throw new LockedException();
        }
        LightCall call = new LightCall(who, callId, retry, extras, shared.service(), target, bytes(request));
        call.runHere(shared.server());
        return call.take(shared.server());
    }

    @Override
    public CompletableFuture<ByteBuffer> queued(
            long login, int method, int callId, int retry, byte[] header, ByteBuffer request)
            throws CallFailureException, StaleLoginException {
        Logins.Login who = find(login);
        MethodTable.Entry target = target(method, request.remaining());
        QueuedCall call = new QueuedCall(who, callId, retry, extras(target, header), shared.server(), shared.service(),
                target, bytes(request));
        shared.door().enter(call);
        return call.answer();
    }

    private static byte[] bytes(ByteBuffer request) {
        byte[] bytes = new byte[request.remaining()];
        request.get(bytes);
        return bytes;
    }

    private MethodTable.Entry target(int method, int length) throws CallFailureException {
        MethodTable.Entry target = shared.methods().find(method);
        if (target == null) {
            throw Failures.toWire(new RpcNoSuchMethodException("no method number=" + method + " here"));
        }
        if (length > shared.maxRequestBytes()) {
            throw Failures.toWire(Failures.tooLong(target.name(), length, shared.maxRequestBytes()));
        }
        return target;
    }

    /** Decodes what else the caller said; null is nothing. */
    private RpcRequestHeaderProto extras(MethodTable.Entry target, byte[] header) throws CallFailureException {
        try {
            RpcRequestHeaderProto extras = header.length == 0
                    ? null
                    : RpcRequestHeaderProto.newBuilder().mergeFrom(header).buildPartial();
            AlignmentContext alignment = shared.alignment();
            String protocol = RPC.getProtocolName(shared.gatekeeper().protocol());
            if (alignment != null && alignment.isCoordinatedCall(protocol, target.name())) {
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
