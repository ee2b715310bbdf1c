package org.apache.hadoop.ipc;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.net.InetAddress;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.io.retry.RetryPolicy;
import org.apache.hadoop.ipc.ProcessingDetails.Timing;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto.RpcStatusProto;
import org.apache.hadoop.security.AuthorizationContext;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.util.Time;

/**
 * A call that did not come by Hadoop's own connection, with everything that the server asks a call for: number, retry
 * count, client, user, caller context, times. It is put into the call queue ({@link Server#queueCall}) or run at once
 * ({@link #runHere}). The answer waits, as for Hadoop's own calls, until the edits that the call logged are durable.
 * One thread runs it; another may answer.
 */
public abstract class JvrpcCall extends Server.Call {

    private final UserGroupInformation user;
    private final InetAddress host;
    private final byte[] authorization;
    private Message result;
    private Throwable failure;

    /**
     * Makes a call.
     *
     * @param callId the client's number of it, the same in each repetition
     * @param retry how often it was repeated
     * @param clientId 16 bytes that name the client
     * @param context null when the caller said nothing
     * @param authorization null when the caller said nothing
     * @param user whom it is made for
     * @param host where the client is
     */
    protected JvrpcCall(
            int callId,
            int retry,
            byte[] clientId,
            CallerContext context,
            byte[] authorization,
            UserGroupInformation user,
            InetAddress host) {
        super(callId, retry, RPC.RpcKind.RPC_PROTOCOL_BUFFER, clientId, null, context, authorization);
        this.user = user;
        this.host = host;
        this.authorization = authorization;
    }

    /** Does what is asked. @throws Exception what the caller is to be told */
    protected abstract Message execute() throws Exception;

    /** Returns the name of the method, for the metrics. */
    protected abstract String methodName();

    /** Hears, before anybody else, what came of {@link #execute()}. The thread that ran it. */
    protected void executed(Message answer, Throwable cause) {
    }

    /**
     * Takes the answer, once. The thread that ran the call, or the one that made its edits durable.
     *
     * @param answer null when it failed
     * @param cause null when it did not
     */
    protected abstract void answer(Message answer, Throwable cause);

    @Override
    public final UserGroupInformation getRemoteUser() {
        return user;
    }

    @Override
    public final InetAddress getHostInetAddress() {
        return host;
    }

    /** Returns what stands in audit logs as {@code proto}: the same as of Hadoop's own connections. */
    @Override
    public final String getProtocol() {
        return "rpc";
    }

    @Override
    public final Void run() throws IOException {
        long startNs = Time.monotonicNowNanos();
        setStartHandleTimestampNanos(startNs);
        try {
            result = execute();
            setDetailedMetricsName(methodName());
        } catch (Throwable t) {
            failure = t;
            setDetailedMetricsName(t.getClass().getSimpleName());
        }
        executed(result, failure);
        ProcessingDetails details = getProcessingDetails();
        long tookNs = Time.monotonicNowNanos() - startNs;
        details.set(Timing.PROCESSING, tookNs, TimeUnit.NANOSECONDS);
        details.set(Timing.LOCKFREE, tookNs - details.get(Timing.LOCKWAIT, TimeUnit.NANOSECONDS)
                - details.get(Timing.LOCKSHARED, TimeUnit.NANOSECONDS)
                - details.get(Timing.LOCKEXCLUSIVE, TimeUnit.NANOSECONDS), TimeUnit.NANOSECONDS);
        sendResponse();
        details.setReturnStatus(failure == null ? RpcStatusProto.SUCCESS : RpcStatusProto.ERROR);
        return null;
    }

    @Override
    final void doResponse(Throwable fatal, RpcStatusProto status) {
        Throwable cause = fatal == null ? failure : fatal;
        answer(cause == null ? result : null, cause);
    }

    /**
     * Runs this call on the calling thread as a handler would: as its user, with itself as the current call, and
     * counted in the metrics. When it logged an edit, the answer comes later.
     */
    public final void runHere(Server server) {
        long startNs = Time.monotonicNowNanos();
        Server.getCurCall().set(this);
        CallerContext.setCurrent(getCallerContext());
        AuthorizationContext.setCurrentAuthorizationHeader(authorization);
        try {
            user.doAs(this);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // of sendResponse, which throws none here
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            Server.getCurCall().set(null);
        }
        server.updateMetrics(this, startNs, false);
    }

    /**
     * Puts a call into a server's call queue, where there is room at once; with the priority that the server's
     * scheduler has for its user.
     *
     * @return false when there is no room
     * @throws IOException when the server has its clients back off
     */
    public static boolean offer(Server server, JvrpcCall call) throws IOException {
        call.setPriorityLevel(server.getPriorityLevel(call));
        CallQueueManager<Server.Call> queue = server.getCallQueue();
        if (!queue.isClientBackoffEnabled()) {
            return queue.offer(call);
        }
        try {
            server.queueCall(call); // does not wait then
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RetriableException("interrupted");
        }
    }

    /** Returns the 16 bytes by which Hadoop's own transport behind a proxy names its client to retry caches. */
    public static byte[] clientId(RpcInvocationHandler plain) {
        try {
            Object client = field(ProtobufRpcEngine2.Invoker.class, "client").get(plain);
            return ((byte[]) field(Client.class, "clientId").get(client)).clone();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this is not the Hadoop that the plugin is for, 3.5.0: " + e, e);
        }
    }

    private static Field field(Class<?> type, String name) throws ReflectiveOperationException {
        Field field = type.getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }

    /** Writes what a call failed with to the server's log, in the manner that the server was told to. */
    public static void log(Server server, Throwable thrown, Server.Call call) {
        server.logException(Server.LOG, thrown, call);
    }

    /** Returns when an attempt to connect is to be repeated. */
    public static RetryPolicy retryPolicy(Client.ConnectionId id) {
        return id.getRetryPolicy();
    }

    /** Returns how long a call may take, in milliseconds; 0 and less is for ever. */
    public static int timeoutMs(Client.ConnectionId id) {
        return id.getRpcTimeout();
    }

    /** Returns where the server is. */
    public static java.net.InetSocketAddress address(Client.ConnectionId id) {
        return id.getAddress();
    }

    /** Returns whom calls are made for; null for whoever makes them. */
    public static UserGroupInformation ticket(Client.ConnectionId id) {
        return id.getTicket();
    }
}
