package org.jvrpc.hdfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.ClientGSIContext;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolPB;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;

/** What the plugin reads out of a configuration. */
class HdfsSettingsTest {

    private static HdfsSettings with(String name, String value) {
        Configuration conf = new Configuration(false);
        conf.set(name, value);
        return new HdfsSettings(conf);
    }

    private static List<String> addresses(HdfsSettings settings, String host) throws IOException {
        List<String> addresses = new ArrayList<>();
        for (AddressTemplate template : settings.addresses()) {
            addresses.add(template.at(host, 8020));
        }
        return addresses;
    }

    @Test
    void addressesAreMadeOfHostAndPort() throws IOException {
        HdfsSettings defaults = new HdfsSettings(new Configuration(false));
        assertEquals(List.of("shm://hdfs-8020", "rdma://10.9.0.1:8020"), addresses(defaults, "10.9.0.1"));
        assertEquals(List.of("shm://hdfs-8020", "rdma://[fe80::1]:8020"), addresses(defaults, "fe80::1%eth0"));
        assertEquals(List.of("rdma://10.9.0.1:9020", "shm://fixed"),
                addresses(with(HdfsSettings.ADDRESS, "rdma://{host}:{port+1000} , shm://fixed"), "10.9.0.1"));
    }

    @Test
    void onlySharedMemoryIsLocal() {
        assertTrue(new AddressTemplate("shm://hdfs-{port}").isLocal());
        assertFalse(new AddressTemplate("rdma://{host}:{port}").isLocal());
        assertFalse(new AddressTemplate("roce://{host}:{port}").isLocal());
    }

    @Test
    void addressesThatAreNoneAreRefused() {
        String[] bad = {"shm://{port", "{host}", "", "rdma://{host}:{port+65535}", "x://{port-1}", "shm://a,,shm://b"};
        for (String list : bad) {
            HdfsSettings settings = with(HdfsSettings.ADDRESS, list);
            IOException e = assertThrows(IOException.class, settings::addresses, list);
            assertTrue(e.getMessage().contains(HdfsSettings.ADDRESS), e.getMessage());
        }
    }

    @Test
    void numbersOutOfRangeAreRefused() {
        for (String bad : new String[] {HdfsSettings.SLOTS + "=0", HdfsSettings.SLOTS + "=4097",
            HdfsSettings.MAX_LOGINS + "=1", HdfsSettings.LOGIN_VALID_MS + "=0", HdfsSettings.WAITING_CALLS + "=-1",
            HdfsSettings.WAITING_BYTES + "=-1"}) {
            String[] parts = bad.split("=");
            IllegalArgumentException e =
                    assertThrows(IllegalArgumentException.class, () -> with(parts[0], parts[1]), bad);
            assertTrue(e.getMessage().startsWith(bad), e.getMessage());
        }
    }

    @Test
    void aServerIsReachedWhereItIsBound() throws IOException {
        InetAddress one = InetAddress.getByName("127.0.0.1");
        InetAddress two = InetAddress.getByName("127.0.0.2");
        InetAddress any = InetAddress.getByName("0.0.0.0");
        InetAddress far = InetAddress.getByName("192.0.2.1");
        assertTrue(Hosts.reaches(one, one) && Hosts.reaches(any, one) && Hosts.reaches(two, any));
        assertFalse(Hosts.reaches(two, one) || Hosts.reaches(far, any) || Hosts.reaches(far, one));
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
