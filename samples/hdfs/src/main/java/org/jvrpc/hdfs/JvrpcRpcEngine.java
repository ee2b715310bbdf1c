package org.jvrpc.hdfs;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.SocketFactory;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.retry.RetryPolicy;
import org.apache.hadoop.ipc.AlignmentContext;
import org.apache.hadoop.ipc.Client.ConnectionId;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.ProtocolProxy;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RpcInvocationHandler;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.SecretManager;
import org.apache.hadoop.security.token.TokenIdentifier;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries a NameNode's client protocol over jvRPC, with Hadoop unchanged on both sides. Chosen by the property
 * {@code rpc.engine.org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolPB}. A server goes on serving all of its
 * protocols at its port, and this one at a jvRPC address beside it; a client makes all calls of this one there.
 *
 * <p>Users are who they say they are, as in Hadoop's simple authentication; with Kerberos the engine refuses to serve
 * or to call, or, where {@value HdfsSettings#FALLBACK} says so, leaves everything to Hadoop's own transport. Any
 * thread.
 */
public final class JvrpcRpcEngine extends ProtobufRpcEngine2 {

    private static final Logger LOG = LoggerFactory.getLogger(JvrpcRpcEngine.class);

    /** For Hadoop, which makes one for each protocol that names it. */
    public JvrpcRpcEngine() {
    }

    /**
     * Returns true when jvRPC is not to be used, as Kerberos is on.
     *
     * @throws IOException when it is to be used, but cannot
     */
    private static boolean leaveToHadoop(Configuration conf, String what) throws IOException {
        if (!UserGroupInformation.isSecurityEnabled()) {
            return false;
        }
        String why = what + " over jvRPC has no authentication but Hadoop's simple one, and"
                + " hadoop.security.authentication asks for Kerberos";
        if (!new HdfsSettings(conf).fallback()) {
            throw new IOException(why + ": do not name " + JvrpcRpcEngine.class.getName() + " in rpc.engine.*, or set "
                    + HdfsSettings.FALLBACK + "=true to use Hadoop's own transport");
        }
        LOG.info("{}: Hadoop's own transport is used", why);
        return true;
    }

    @Override
    public RPC.Server getServer(
            Class<?> protocol,
            Object protocolImpl,
            String bindAddress,
            int port,
            int numHandlers,
            int numReaders,
            int queueSizePerHandler,
            boolean verbose,
            Configuration conf,
            SecretManager<? extends TokenIdentifier> secretManager,
            String portRangeConfig,
            AlignmentContext alignmentContext) throws IOException {
        if (!(protocolImpl instanceof BlockingService service) || leaveToHadoop(conf, "serving a NameNode")
                || NameNodeServer.isNoNameNode(service)) {
            return super.getServer(protocol, protocolImpl, bindAddress, port, numHandlers, numReaders,
                    queueSizePerHandler, verbose, conf, secretManager, portRangeConfig, alignmentContext);
        }
        NameNodeServer server = new NameNodeServer(protocol, protocolImpl, bindAddress, port, numHandlers, numReaders,
                queueSizePerHandler, verbose, conf, secretManager, portRangeConfig, alignmentContext);
        try {
            server.open(protocol, service, alignmentContext, bindAddress, conf);
        } catch (IOException | RuntimeException e) {
            server.stop();
            throw e;
        }
        return server;
    }

    @Override
    public <T> ProtocolProxy<T> getProxy(
            Class<T> protocol,
            long clientVersion,
            InetSocketAddress addr,
            UserGroupInformation ticket,
            Configuration conf,
            SocketFactory factory,
            int rpcTimeout,
            RetryPolicy connectionRetryPolicy,
            AtomicBoolean fallbackToSimpleAuth,
            AlignmentContext alignmentContext) throws IOException {
        return wrap(protocol, super.getProxy(protocol, clientVersion, addr, ticket, conf, factory, rpcTimeout,
                connectionRetryPolicy, fallbackToSimpleAuth, alignmentContext), conf, alignmentContext);
    }

    @Override
    public <T> ProtocolProxy<T> getProxy(
            Class<T> protocol,
            long clientVersion,
            ConnectionId connId,
            Configuration conf,
            SocketFactory factory,
            AlignmentContext alignmentContext) throws IOException {
        return wrap(protocol, super.getProxy(protocol, clientVersion, connId, conf, factory, alignmentContext), conf,
                alignmentContext);
    }

    private static <T> ProtocolProxy<T> wrap(
            Class<T> protocol, ProtocolProxy<T> stock, Configuration conf, AlignmentContext alignment)
            throws IOException {
        if (leaveToHadoop(conf, "calling a NameNode")) {
            return stock;
        }
        if (alignment != null) {
            LOG.info("reading from observers goes by Hadoop's own transport: only there do states of NameNodes travel");
            return stock;
        }
        RpcInvocationHandler plain = (RpcInvocationHandler) Proxy.getInvocationHandler(stock.getProxy());
        NameNodeInvoker invoker = new NameNodeInvoker(protocol, plain, conf);
        return new ProtocolProxy<>(protocol, protocol.cast(
                Proxy.newProxyInstance(protocol.getClassLoader(), new Class<?>[] {protocol}, invoker)), false);
    }
}
