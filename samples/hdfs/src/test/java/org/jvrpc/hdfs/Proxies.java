package org.jvrpc.hdfs;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolPB;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolTranslatorPB;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RpcEngine;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;

/** Proxies of a NameNode without the layer that retries, over either engine; closed with their test class. */
final class Proxies {

    private static final Queue<ClientNamenodeProtocolPB> MADE = new ConcurrentLinkedQueue<>();

    private Proxies() {
    }

    /** Closes all that were made; what is closed stays so. */
    static void closeAll() {
        for (ClientNamenodeProtocolPB proxy = MADE.poll(); proxy != null; proxy = MADE.poll()) {
            RPC.stopProxy(proxy);
        }
    }

    /** Returns a proxy over jvRPC for a user. */
    static ClientNamenodeProtocolPB jvrpc(InetSocketAddress nameNode, UserGroupInformation user, Configuration conf)
            throws IOException {
        return proxy(new JvrpcRpcEngine(), nameNode, user, conf);
    }

    /** Returns a proxy over Hadoop's own transport, whatever engine this JVM has chosen. */
    static ClientNamenodeProtocolPB stock(InetSocketAddress nameNode, UserGroupInformation user, Configuration conf)
            throws IOException {
        return proxy(new ProtobufRpcEngine2(), nameNode, user, conf);
    }

    /** Returns Hadoop's client protocol over a proxy. */
    static ClientNamenodeProtocolTranslatorPB protocol(ClientNamenodeProtocolPB proxy) {
        return new ClientNamenodeProtocolTranslatorPB(proxy);
    }

    private static ClientNamenodeProtocolPB proxy(
            RpcEngine engine, InetSocketAddress nameNode, UserGroupInformation user, Configuration conf)
            throws IOException {
        ClientNamenodeProtocolPB proxy = engine.getProxy(ClientNamenodeProtocolPB.class,
                RPC.getProtocolVersion(ClientNamenodeProtocolPB.class), nameNode, user, conf,
                NetUtils.getDefaultSocketFactory(conf), 20_000, null, null, null).getProxy();
        MADE.add(proxy);
        return proxy;
    }
}
