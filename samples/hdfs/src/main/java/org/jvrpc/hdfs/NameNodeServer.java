package org.jvrpc.hdfs;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.server.namenode.NameNodeRpcServer;
import org.apache.hadoop.ipc.AlignmentContext;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.security.authorize.PolicyProvider;
import org.apache.hadoop.security.token.SecretManager;
import org.apache.hadoop.security.token.TokenIdentifier;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.jvrpc.runtime.RpcServer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hadoop's RPC server of a NameNode, which goes on serving all protocols at its port, with jvRPC servers of the one
 * protocol beside it. Any thread.
 */
final class NameNodeServer extends ProtobufRpcEngine2.Server {

    private static final Logger LOG = LoggerFactory.getLogger(NameNodeServer.class);
    private static final int LOGIN_THREADS = 8;
    /** More clients than log in at once when a cluster starts. */
    private static final int LOGINS_WAITING = 4096;
    private static final int MIN_BODY_LIMIT = 1 << 20;
    /** More than the longest request that Hadoop's setting lets in, for what travels around it. */
    private static final int AROUND = 1 << 20;

    /** A jvRPC address at which the NameNode is served. */
    private record Endpoint(RpcServer server, NameNodeHandler handler) {
    }

    private final List<Endpoint> endpoints = new ArrayList<>();
    private ThreadPoolExecutor logins;
    private QueueDoor door;

    /** Parameters as of {@code RpcEngine.getServer}. */
    NameNodeServer(
            Class<?> protocol,
            Object implementation,
            String bindAddress,
            int port,
            int numHandlers,
            int numReaders,
            int queueSizePerHandler,
            boolean verbose,
            Configuration conf,
            SecretManager<? extends TokenIdentifier> secretManager,
            String portRange,
            AlignmentContext alignment) throws IOException {
        super(protocol, implementation, conf, bindAddress, port, numHandlers, numReaders, queueSizePerHandler, verbose,
                secretManager, portRange, alignment);
    }

    /**
     * Opens the jvRPC addresses; calls are taken from {@link #start()} on.
     *
     * @throws IOException when none of them can be served, and Hadoop's own transport is not to do instead
     */
    synchronized void open(
            Class<?> protocol,
            BlockingService service,
            AlignmentContext alignment,
            String host,
            Configuration conf) throws IOException {
        HdfsSettings settings = new HdfsSettings(conf);
        NamespaceLocks locks = settings.light() ? locks(service) : null;
        int maxRequestBytes = conf.getInt(CommonConfigurationKeys.IPC_MAXIMUM_DATA_LENGTH,
                CommonConfigurationKeys.IPC_MAXIMUM_DATA_LENGTH_DEFAULT);
        logins = newExecutor(getPort());
        door = new QueueDoor(this, settings.waitingCalls(), settings.waitingBytes());
        NameNodeHandler.Shared shared = new NameNodeHandler.Shared(this, service, alignment,
                new Gatekeeper(protocol, this, conf), new MethodTable(service, locks != null),
                () -> locks.areFree(), door, logins, maxRequestBytes, RpcServer::context);
        openAll(shared, settings, host);
        if (locks != null) {
            adviseOnGroups(conf);
        }
    }

    private void openAll(NameNodeHandler.Shared shared, HdfsSettings settings, String host) throws IOException {
        IOException refused = null;
        for (AddressTemplate template : settings.addresses()) {
            String address = template.at(host, getPort());
            try {
                open(address, template.isLocal(), shared, settings);
            } catch (RuntimeException e) {
                String message = "the NameNode at port " + getPort() + " cannot be served at " + address + ": "
                        + e.getMessage() + " (" + HdfsSettings.ADDRESS + ")";
                LOG.info("{}: clients that would come there use another transport", message);
                refused = refused == null ? new IOException(message, e) : refused;
            }
        }
        if (endpoints.isEmpty() && !settings.fallback()) {
            throw refused;
        }
    }

    private void open(String address, boolean local, NameNodeHandler.Shared shared, HdfsSettings settings) {
        Logins table = new Logins(settings.maxLogins(), settings.loginValidNs());
        NameNodeHandler handler = new NameNodeHandler(shared, table, local);
        RpcServer server = RpcServer.builder()
                .bind(address)
                .service(NameNodeService.class, handler)
                .idle(settings.idle())
                .context(true) // whose session it is, and where a client is
                .onSessionEnd(table::end)
                .maxBodyBytes(bodyLimit(shared.maxRequestBytes()))
                .start();
        endpoints.add(new Endpoint(server, handler));
        LOG.info("NameNode at port {} is served at {} too", getPort(), server.address());
    }

    /** Returns true for the service of a router of a federation, which asks NameNodes, and must not on a poller. */
    static boolean isNoNameNode(BlockingService service) {
        ClientProtocol target = implementation(service);
        if (target == null || target instanceof NameNodeRpcServer) {
            return false;
        }
        LOG.info("{} is no NameNode: it is served by Hadoop's own transport alone", target.getClass().getName());
        return true;
    }

    private static ClientProtocol implementation(BlockingService service) {
        try {
            return NamespaceLocks.implementation(service);
        } catch (ReflectiveOperationException | RuntimeException e) {
            LOG.warn("what answers the calls of {} is unknown: {}", service.getClass().getName(), e.toString());
            return null;
        }
    }

    /** Returns null when nobody can say whether a reader would have to wait: no method is light then. */
    private static NamespaceLocks locks(BlockingService service) {
        try {
            return implementation(service) instanceof NameNodeRpcServer nameNode ? NamespaceLocks.of(nameNode) : null;
        } catch (ReflectiveOperationException | RuntimeException e) {
            LOG.warn("all calls go through the call queue, for the locks of this NameNode are unknown: {}",
                    e.toString());
            return null;
        }
    }

    /** Light methods need the caller's groups; where those are looked up anew, all light calls wait for it. */
    private static void adviseOnGroups(Configuration conf) {
        String key = CommonConfigurationKeysPublic.HADOOP_SECURITY_GROUPS_CACHE_BACKGROUND_RELOAD;
        if (!conf.getBoolean(
                key, CommonConfigurationKeysPublic.HADOOP_SECURITY_GROUPS_CACHE_BACKGROUND_RELOAD_DEFAULT)) {
            LOG.info("{} is not set: each time that {} are over, light calls wait until a user's groups are known",
                    key, CommonConfigurationKeysPublic.HADOOP_SECURITY_GROUPS_CACHE_SECS);
        }
    }

    private static long bodyLimit(int maxRequestBytes) {
        return Math.max(MIN_BODY_LIMIT, Math.min((long) maxRequestBytes + AROUND, 1 << 30));
    }

    private static ThreadPoolExecutor newExecutor(int port) {
        AtomicInteger number = new AtomicInteger();
        ThreadPoolExecutor pool = new ThreadPoolExecutor(LOGIN_THREADS, LOGIN_THREADS, 10, TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(LOGINS_WAITING), task -> {
                    Thread thread = new Thread(task, "jvrpc-hdfs-login-" + port + "-" + number.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    @Override
    public void refreshServiceAcl(Configuration conf, PolicyProvider provider) {
        super.refreshServiceAcl(conf, provider);
        rulesChanged();
    }

    @Override
    public void refreshServiceAclWithLoadedConfiguration(Configuration conf, PolicyProvider provider) {
        super.refreshServiceAclWithLoadedConfiguration(conf, provider);
        rulesChanged();
    }

    private synchronized void rulesChanged() {
        endpoints.forEach(endpoint -> endpoint.handler().logins().rulesChanged());
    }

    /** Returns the tables of logins, one for each address that is served. For tests. */
    synchronized List<Logins> logins() {
        return endpoints.stream().map(endpoint -> endpoint.handler().logins()).toList();
    }

    /** Returns what leads into the call queue. For tests. */
    synchronized QueueDoor door() {
        return door;
    }

    /** Ends the jvRPC addresses only, as if their device were gone. For tests. */
    synchronized void closeEndpoints() {
        endpoints.forEach(endpoint -> endpoint.server().shutdownNow());
    }

    @Override
    public synchronized void start() {
        super.start();
        endpoints.forEach(endpoint -> endpoint.handler().start());
    }

    @Override
    public synchronized void stop() {
        closeEndpoints();
        if (door != null) {
            door.close();
        }
        if (logins != null) {
            logins.shutdownNow();
        }
        super.stop();
    }
}
