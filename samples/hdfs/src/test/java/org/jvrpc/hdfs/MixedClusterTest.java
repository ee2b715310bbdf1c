package org.jvrpc.hdfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Collections;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ClientNamenodeProtocol;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolPB;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolServerSideTranslatorPB;
import org.apache.hadoop.hdfs.server.namenode.NameNodeRpcServer;
import org.apache.hadoop.ipc.Client;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Clients that reach a NameNode by different transports, all with the one property that chooses the engine. */
class MixedClusterTest {

    private MiniDFSCluster cluster;
    private Configuration conf;

    @BeforeEach
    void start() throws IOException {
        conf = Cluster.conf();
        cluster = Cluster.builder(conf).numDataNodes(0).build();
    }

    @AfterEach
    void stop() {
        cluster.shutdown(true);
    }

    private NameNodeServer server() {
        return (NameNodeServer) ((NameNodeRpcServer) cluster.getNameNodeRpc()).getClientRpcServer();
    }

    private ClientProtocol protocol(Configuration with) throws IOException {
        return Proxies.protocol(Proxies.jvrpc(cluster.getNameNode().getNameNodeAddress(),
                UserGroupInformation.getCurrentUser(), with));
    }

    /** Returns a client as it would be on another host: nothing that it looks for in shared memory is there. */
    private ClientProtocol farProtocol() throws IOException {
        Configuration far = new Configuration(conf);
        far.set(HdfsSettings.ADDRESS, "shm://nobody-{port}");
        return protocol(far);
    }

    private static boolean mkdirs(ClientProtocol protocol, String path) throws IOException {
        return protocol.mkdirs(path, FsPermission.getDirDefault(), true);
    }

    @Test
    void nearClientsComeBySharedMemoryAndOthersByHadoopsTransport() throws Exception {
        assertTrue(mkdirs(protocol(conf), "/near"));
        assertEquals(0, server().getNumOpenConnections());
        assertTrue(mkdirs(farProtocol(), "/far"));
        assertEquals(1, server().getNumOpenConnections());
    }

    @Test
    void aNameNodeOfAnotherHostIsCalledByHadoopsTransport() throws Exception {
        InetAddress far = InetAddress.getByAddress("far", new byte[] {(byte) 192, 0, 2, 1});
        NameNodeRoutes routes = new NameNodeRoutes(new InetSocketAddress(far, cluster.getNameNodePort()),
                new HdfsSettings(conf), 0, 1);
        try {
            long begunNs = System.nanoTime();
            for (int i = 0; i < 1000; i++) {
                assertEquals(null, routes.ifConnected());
            }
            System.out.println("1000 looks for a way to a far host took us=" + (System.nanoTime() - begunNs) / 1000);
        } finally {
            routes.close();
        }
    }

    @Test
    void aCallThatIsRepeatedOverAnotherTransportIsExecutedOnce() throws Exception {
        ClientProtocol near = protocol(conf);
        ClientProtocol far = farProtocol();
        mkdirs(near, "/first");
        mkdirs(near, "/second");
        mkdirs(near, "/third");
        int id = Client.nextCallId();
        assertTrue(delete(near, "/first", id, 0));
        assertTrue(delete(far, "/first", id, 1), "by shared memory, then by TCP");
        int other = Client.nextCallId();
        assertTrue(delete(far, "/second", other, 0));
        assertTrue(delete(near, "/second", other, 1), "by TCP, then by shared memory");
        int last = Client.nextCallId();
        assertTrue(delete(near, "/third", last, 0));
        server().closeEndpoints();
        assertTrue(deleteAgain(near, "/third", last), "by shared memory, which is gone then");
        assertFalse(near.delete("/third", true), "another call");
        assertEquals(0, near.getListing("/", new byte[0], false).getPartialListing().length);
    }

    /** As Hadoop's policy of retries has it, also where the end of a connection is not noticed before the call. */
    private static boolean deleteAgain(ClientProtocol protocol, String path, int callId) throws IOException {
        try {
            return delete(protocol, path, callId, 1);
        } catch (SocketException e) {
            return delete(protocol, path, callId, 2);
        }
    }

    private static boolean delete(ClientProtocol protocol, String path, int callId, int retry) throws IOException {
        Client.setCallIdAndRetryCount(callId, retry, null);
        return protocol.delete(path, true);
    }

    @Test
    void aNameNodeAtAllAddressesIsReachedBySharedMemoryAtEachOfThisHost() throws Exception {
        Configuration all = Cluster.conf();
        all.set("dfs.namenode.rpc-bind-host", "0.0.0.0");
        try (MiniDFSCluster everywhere = Cluster.builder(all).numDataNodes(0).build()) {
            for (NetworkInterface device : Collections.list(NetworkInterface.getNetworkInterfaces())) {
                for (InetAddress address : Collections.list(device.getInetAddresses())) {
                    if (address instanceof Inet4Address) {
                        ClientNamenodeProtocolPB proxy = Proxies.jvrpc(
                                new InetSocketAddress(address, everywhere.getNameNodePort()),
                                UserGroupInformation.getCurrentUser(), conf);
                        assertTrue(Proxies.protocol(proxy).getFileInfo("/").isDirectory());
                        RPC.stopProxy(proxy);
                    }
                }
            }
            assertEquals(0, ((NameNodeRpcServer) everywhere.getNameNodeRpc()).getClientRpcServer()
                    .getNumOpenConnections());
        }
    }

    @Test
    void aRouterOfAFederationIsLeftAlone() throws Exception {
        ClientProtocol router = (ClientProtocol) Proxy.newProxyInstance(ClientProtocol.class.getClassLoader(),
                new Class<?>[] {ClientProtocol.class}, (proxy, method, args) -> null);
        Object service = ClientNamenodeProtocol.newReflectiveBlockingService(
                new ClientNamenodeProtocolServerSideTranslatorPB(router));
        RPC.Server plain = new JvrpcRpcEngine().getServer(ClientNamenodeProtocolPB.class, service, "127.0.0.1", 0, 1,
                -1, -1, false, conf, null, null, null);
        try {
            assertFalse(plain instanceof NameNodeServer, plain.getClass().getName());
        } finally {
            plain.stop();
        }
    }
}
