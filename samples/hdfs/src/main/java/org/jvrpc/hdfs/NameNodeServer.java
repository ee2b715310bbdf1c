package org.jvrpc.hdfs;

import java.io.IOException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.ipc.AlignmentContext;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.security.token.SecretManager;
import org.apache.hadoop.security.token.TokenIdentifier;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.jvrpc.runtime.RpcServer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hadoop's RPC server of a NameNode, which goes on serving all protocols at its port, with a jvRPC server of the one
 * protocol beside it. Any thread.
 */
final class NameNodeServer extends ProtobufRpcEngine2.Server {

    private static final Logger LOG = LoggerFactory.getLogger(NameNodeServer.class);
    private static final int EXECUTOR_THREADS = 4;
    private static final int MIN_BODY_LIMIT = 1 << 20;
    /** More than the longest request that Hadoop's setting lets in, for what travels around it. */
    private static final int AROUND = 1 << 20;

    private NameNodeHandler handler;
    private ThreadPoolExecutor executor;
    private volatile RpcServer jvrpc;

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

    /** Opens the address of the jvRPC server; calls are taken from {@link #start()} on. */
    void open(
            Class<?> protocol, BlockingService service, AlignmentContext alignment, String host, Configuration conf)
            throws IOException {
        HdfsSettings settings = new HdfsSettings(conf);
        String address = settings.address(host, getPort());
        executor = newExecutor(address);
        handler = new NameNodeHandler(protocol, this, service, alignment, executor, conf);
        try {
            jvrpc = RpcServer.builder()
                    .bind(address)
                    .service(NameNodeService.class, handler)
                    .executor(executor)
                    .idle(settings.idle())
                    .context(!settings.isLocal()) // where a client is
                    .maxBodyBytes(bodyLimit(handler.maxRequestBytes()))
                    .start();
        } catch (RuntimeException e) {
            throw new IOException("the NameNode cannot be served at " + address + ": " + e.getMessage()
                    + " (" + HdfsSettings.ADDRESS + ")", e);
        }
        LOG.info("NameNode at port {} is served at {} too", getPort(), jvrpc.address());
        adviseOnGroups(conf, settings);
    }

    /** Light methods need the caller's groups; where those are looked up anew, all light calls wait for it. */
    private static void adviseOnGroups(Configuration conf, HdfsSettings settings) {
        String key = CommonConfigurationKeysPublic.HADOOP_SECURITY_GROUPS_CACHE_BACKGROUND_RELOAD;
        if (settings.light() && !conf.getBoolean(
                key, CommonConfigurationKeysPublic.HADOOP_SECURITY_GROUPS_CACHE_BACKGROUND_RELOAD_DEFAULT)) {
            LOG.info("{} is not set: each time that {} are over, light calls wait until a user's groups are known",
                    key, CommonConfigurationKeysPublic.HADOOP_SECURITY_GROUPS_CACHE_SECS);
        }
    }

    private static long bodyLimit(int maxRequestBytes) {
        return Math.max(MIN_BODY_LIMIT, Math.min((long) maxRequestBytes + AROUND, 1 << 30));
    }

    private static ThreadPoolExecutor newExecutor(String address) {
        AtomicInteger number = new AtomicInteger();
        ThreadPoolExecutor pool = new ThreadPoolExecutor(EXECUTOR_THREADS, EXECUTOR_THREADS, 10, TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, "jvrpc-hdfs-" + address + "-" + number.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    @Override
    public synchronized void start() {
        super.start();
        if (handler != null) {
            handler.start();
        }
    }

    @Override
    public synchronized void stop() {
        if (jvrpc != null) {
            jvrpc.shutdownNow();
        }
        if (executor != null) {
            executor.shutdownNow();
        }
        super.stop();
    }
}
