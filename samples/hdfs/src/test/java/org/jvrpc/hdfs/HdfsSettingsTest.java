package org.jvrpc.hdfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.ClientGSIContext;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolPB;
import org.apache.hadoop.ipc.FairCallQueue;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;

/** What the plugin reads out of a configuration. */
class HdfsSettingsTest {

    private static HdfsSettings of(String address) {
        Configuration conf = new Configuration(false);
        conf.set(HdfsSettings.ADDRESS, address);
        return new HdfsSettings(conf);
    }

    @Test
    void anAddressIsMadeOfHostAndPort() throws IOException {
        assertEquals("shm://hdfs-8020", new HdfsSettings(new Configuration(false)).address("10.9.0.1", 8020));
        assertEquals("rdma://10.9.0.1:9020", of("rdma://{host}:{port+1000}").address("10.9.0.1", 8020));
        assertEquals("rdma://10.9.0.1:8020", of("rdma://{host}:{port}").address("10.9.0.1", 8020));
        assertEquals("shm://fixed", of("shm://fixed").address("10.9.0.1", 8020));
    }

    @Test
    void onlySharedMemoryIsLocal() {
        assertTrue(new HdfsSettings(new Configuration(false)).isLocal());
        assertFalse(of("rdma://{host}:{port}").isLocal());
    }

    @Test
    void anAddressThatIsNoneIsRefused() {
        for (String bad : new String[] {"shm://{port", "{host}", "", "rdma://{host}:{port+60000}", "x://{port-1}"}) {
            assertThrows(IOException.class, () -> of(bad).address("h", 8020), bad);
        }
    }

    @Test
    void aClientIsWhereItsNameNodeIsWhenThatIsHere() throws IOException {
        assertEquals(InetAddress.getByName("127.0.0.1"),
                HdfsSettings.ownAddressTowards(new InetSocketAddress("127.0.0.1", 8020)));
        assertTrue(HdfsSettings.ownAddressTowards(new InetSocketAddress("0.0.0.0", 8020)).isLoopbackAddress());
    }

    @Test
    void fairQueuesAreNotPlain() {
        Configuration conf = new Configuration(false);
        assertTrue(QueueKind.isPlain(conf, 8020));
        conf.set("ipc.8020.callqueue.impl", FairCallQueue.class.getName());
        assertFalse(QueueKind.isPlain(conf, 8020));
        assertTrue(QueueKind.isPlain(conf, 8021));
        conf.set("ipc.callqueue.impl", FairCallQueue.class.getName());
        assertFalse(QueueKind.isPlain(conf, 8021));
        conf.set("ipc.8021.callqueue.impl", LinkedBlockingQueue.class.getName());
        assertTrue(QueueKind.isPlain(conf, 8021));
    }

    @Test
    void readersOfObserversAreLeftToHadoopsTransport() throws IOException {
        Configuration conf = Cluster.conf();
        Object proxy = new JvrpcRpcEngine().getProxy(ClientNamenodeProtocolPB.class, 1,
                new InetSocketAddress("127.0.0.1", 8020), UserGroupInformation.getCurrentUser(), conf,
                NetUtils.getDefaultSocketFactory(conf), 0, null, null, new ClientGSIContext()).getProxy();
        assertFalse(Proxy.getInvocationHandler(proxy) instanceof NameNodeInvoker);
    }
}
