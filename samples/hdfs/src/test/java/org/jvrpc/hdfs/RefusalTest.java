package org.jvrpc.hdfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolPB;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Where jvRPC cannot be, which is said clearly, or left to Hadoop's own transport where a property allows it. */
class RefusalTest {

    private static MiniDFSCluster cluster;
    private static InetSocketAddress nameNode;

    /** The NameNode's jvRPC address is another than clients expect: for them it has no plugin. */
    @BeforeAll
    static void start() throws IOException {
        Configuration elsewhere = Cluster.conf();
        elsewhere.set(HdfsSettings.ADDRESS, "shm://elsewhere-{port}");
        cluster = Cluster.builder(elsewhere).numDataNodes(0).build();
        nameNode = cluster.getNameNode().getNameNodeAddress();
    }

    @AfterAll
    static void stop() {
        cluster.shutdown(true);
    }

    private static Configuration conf() {
        Configuration conf = Cluster.conf();
        conf.setInt("ipc.client.connect.max.retries", 1);
        conf.setInt("ipc.client.connect.retry.interval", 20);
        return conf;
    }

    private static Configuration jvrpcOnly() {
        Configuration conf = conf();
        conf.setBoolean(HdfsSettings.FALLBACK, false);
        return conf;
    }

    private static ClientNamenodeProtocolPB proxy(InetSocketAddress server, Configuration conf) throws IOException {
        return Proxies.jvrpc(server, UserGroupInformation.getCurrentUser(), conf);
    }

    private static int connections() {
        return ((org.apache.hadoop.hdfs.server.namenode.NameNodeRpcServer) cluster.getNameNodeRpc())
                .getClientRpcServer().getNumOpenConnections();
    }

    @Test
    void aServerWithoutThePluginIsAClearError() throws IOException {
        ConnectException e = assertThrows(ConnectException.class,
                () -> Proxies.protocol(proxy(nameNode, jvrpcOnly())).getFileInfo("/"));
        assertTrue(e.getMessage().contains("no NameNode at shm://hdfs-" + nameNode.getPort()), e.getMessage());
    }

    @Test
    void aServerWithoutThePluginIsCalledByTcp() throws IOException {
        ClientNamenodeProtocolPB proxy = proxy(nameNode, conf());
        assertNotNull(Proxies.protocol(proxy).getFileInfo("/"));
        assertTrue(Proxies.protocol(proxy).mkdirs("/by-tcp", FsPermission.getDirDefault(), true));
        assertEquals(1, connections());
        RPC.stopProxy(proxy);
    }

    @Test
    void aNameNodeOfAnotherHostIsNotLookedForInSharedMemory() throws IOException {
        InetAddress far = InetAddress.getByAddress("far.invalid", new byte[] {(byte) 192, 0, 2, 1});
        Configuration conf = jvrpcOnly();
        conf.set(HdfsSettings.ADDRESS, "shm://hdfs-{port}");
        IOException e = assertThrows(IOException.class,
                () -> Proxies.protocol(proxy(new InetSocketAddress(far, nameNode.getPort()), conf)).getFileInfo("/"));
        assertTrue(e.getMessage().contains("is not on this host"), e.getMessage());
        assertTrue(e.getMessage().contains(HdfsSettings.FALLBACK), e.getMessage());
    }

    @Test
    void aHostThatIsNotKnownIsSaidToBe() {
        InetSocketAddress unknown = InetSocketAddress.createUnresolved("no.such.host.invalid", 8020);
        assertThrows(UnknownHostException.class, () -> Proxies.protocol(proxy(unknown, conf())).getFileInfo("/"));
    }

    @Test
    void anAddressThatIsNoneIsAnError() {
        for (String address : new String[] {"shm://{nothing}", "hdfs", "rdma://{host}:{port+65000}", "tcp://{host}"}) {
            Configuration conf = jvrpcOnly();
            conf.set(HdfsSettings.ADDRESS, address);
            IOException e = assertThrows(IOException.class,
                    () -> Proxies.protocol(proxy(nameNode, conf)).getFileInfo("/"), address);
            assertFalse(e.getMessage().isBlank());
        }
    }

    @Test
    void twoNameNodesCannotHaveOneAddress() throws IOException {
        Configuration conf = jvrpcOnly();
        conf.set(HdfsSettings.ADDRESS, "shm://elsewhere-" + nameNode.getPort());
        IOException e = assertThrows(IOException.class, () -> new JvrpcRpcEngine().getServer(
                ClientNamenodeProtocolPB.class, WireTest.idleService(), "127.0.0.1", 0, 1, -1, -1, false, conf, null,
                null, null));
        assertTrue(e.getMessage().contains(HdfsSettings.ADDRESS), e.getMessage());
        conf.setBoolean(HdfsSettings.FALLBACK, true);
        RPC.Server second = serve(conf);
        try { // the second one is called by Hadoop's own transport: the first is not taken for it
            second.start();
            ClientNamenodeProtocolPB proxy = proxy(new InetSocketAddress("127.0.0.1", second.getPort()), conf);
            assertThrows(IOException.class, () -> Proxies.protocol(proxy).getFileInfo("/")); // its service is none
            assertEquals(1, second.getNumOpenConnections());
            RPC.stopProxy(proxy);
        } finally {
            second.stop();
        }
    }

    @Test
    void kerberosIsRefusedOnBothSides() throws IOException {
        Configuration kerberos = jvrpcOnly();
        kerberos.set("hadoop.security.authentication", "kerberos");
        UserGroupInformation user = UserGroupInformation.createRemoteUser("somebody");
        System.setProperty("java.security.krb5.realm", "EXAMPLE.COM"); // looked for, and never used
        System.setProperty("java.security.krb5.kdc", "kdc.invalid");
        try {
            UserGroupInformation.setConfiguration(kerberos);
            IOException client = assertThrows(IOException.class, () -> Proxies.jvrpc(nameNode, user, kerberos));
            assertTrue(client.getMessage().contains("asks for Kerberos"), client.getMessage());
            IOException server = assertThrows(IOException.class, () -> serve(kerberos));
            assertTrue(server.getMessage().contains(HdfsSettings.FALLBACK + "=true"), server.getMessage());
            kerberos.setBoolean(HdfsSettings.FALLBACK, true);
            assertNotNull(Proxies.jvrpc(nameNode, user, kerberos));
            RPC.Server plain = serve(kerberos);
            assertFalse(plain instanceof NameNodeServer);
            plain.stop();
        } finally {
            UserGroupInformation.setConfiguration(conf());
            System.clearProperty("java.security.krb5.realm");
            System.clearProperty("java.security.krb5.kdc");
        }
    }

    private static RPC.Server serve(Configuration conf) throws IOException {
        return new JvrpcRpcEngine().getServer(ClientNamenodeProtocolPB.class, WireTest.idleService(), "127.0.0.1", 0, 1,
                -1, -1, false, conf, null, null, null);
    }

    @Test
    void proxiesThatAreClosedRefuse() throws IOException {
        ClientNamenodeProtocolPB proxy = proxy(nameNode, conf());
        RPC.stopProxy(proxy);
        IOException e = assertThrows(IOException.class, () -> Proxies.protocol(proxy).getFileInfo("/"));
        assertTrue(e.getMessage().contains("closed"), e.getMessage());
    }
}
