package org.jvrpc.hdfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HDFSPolicyProvider;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.server.namenode.NameNodeRpcServer;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.AuthorizationException;
import org.apache.hadoop.security.authorize.ProxyUsers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.testing.Waits;

/** Who may call, from login to login: numbers, sessions, and rules that change. */
class SessionTest {

    private static final String ACL = "security.client.protocol.acl";

    @TempDir
    private static Path folder;
    private static MiniDFSCluster cluster;
    private static Configuration conf;

    @BeforeAll
    static void start() throws IOException {
        conf = Cluster.conf();
        conf.setBoolean("hadoop.security.authorization", true);
        conf.setInt(HdfsSettings.LOGIN_VALID_MS, 3000);
        conf.set("hadoop.proxyuser.gateway.hosts", "*");
        conf.set("hadoop.proxyuser.gateway.users", "alice");
        cluster = Cluster.builder(conf).numDataNodes(0).build();
    }

    @AfterAll
    static void stop() {
        cluster.shutdown(true);
    }

    private static NameNodeServer server() {
        return (NameNodeServer) ((NameNodeRpcServer) cluster.getNameNodeRpc()).getClientRpcServer();
    }

    private static Logins logins() {
        return server().logins().get(0);
    }

    private static byte[] clientId(int number) {
        return ByteBuffer.allocate(16).putInt(number).array();
    }

    private static ClientProtocol as(UserGroupInformation user) throws IOException {
        return Proxies.protocol(Proxies.jvrpc(cluster.getNameNode().getNameNodeAddress(), user, conf));
    }

    @Test
    void loginsOfSessionsThatEndAreForgotten() throws Exception {
        int before = logins().size();
        for (int s = 0; s < 20; s++) {
            try (RawClient client = new RawClient(cluster)) {
                for (int i = 0; i < 20; i++) {
                    client.light(client.login("user-" + i, null, clientId(i)));
                }
            }
        }
        Waits.until("logins to be forgotten", () -> logins().size() <= before, () -> logins().size());
    }

    @Test
    void aStolenNumberIsRefused() throws Exception {
        try (RawClient owner = new RawClient(cluster); RawClient thief = new RawClient(cluster)) {
            thief.light(thief.login("thief", null, clientId(2)));
            long number = owner.login("owner", null, clientId(1));
            assertThrows(StaleLoginException.class, () -> thief.light(number));
            assertThrows(StaleLoginException.class, () -> thief.queued(number));
            owner.light(number);
        }
    }

    @Test
    void aClientIsBelievedNoAddressThatTheNameNodeDoesNotHave() throws Exception {
        try (RawClient client = new RawClient(cluster)) {
            for (byte[] bad : new byte[][] {{10, 1, 2, 3}, {127, 0, 0, 2}, new byte[15]}) {
                assertThrows(Exception.class, () -> client.login("somebody", null, clientId(1), bad));
            }
            client.light(client.login("somebody", null, clientId(1), new byte[] {0, 0, 0, 0}));
        }
    }

    @Test
    void refreshedAclsTakeEffectForClientsThatAreConnected() throws Exception {
        UserGroupInformation alice = UserGroupInformation.createRemoteUser("alice");
        ClientProtocol protocol = as(alice);
        assertTrue(protocol.getFileInfo("/").isDirectory());
        try {
            refresh("nobody-else");
            RemoteException e = assertThrows(RemoteException.class, () -> protocol.getFileInfo("/"));
            assertEquals(AuthorizationException.class.getName(), e.getClassName());
        } finally {
            refresh("*");
        }
        assertTrue(protocol.getFileInfo("/").isDirectory());
    }

    private static void refresh(String acl) throws IOException {
        Path policy = folder.resolve("policy.xml");
        try (Writer out = Files.newBufferedWriter(policy)) {
            Configuration rules = new Configuration(false);
            rules.set(ACL, acl);
            rules.writeXml(out);
        }
        Configuration loaded = new Configuration(conf);
        loaded.addResource(policy.toUri().toURL());
        server().refreshServiceAclWithLoadedConfiguration(loaded, new HDFSPolicyProvider());
    }

    @Test
    void refreshedProxyRulesTakeEffectForClientsThatAreConnected() throws Exception {
        UserGroupInformation gateway = UserGroupInformation.createRemoteUser("gateway");
        ClientProtocol protocol = as(UserGroupInformation.createProxyUser("alice", gateway));
        assertTrue(protocol.getFileInfo("/").isDirectory());
        Configuration less = new Configuration(conf);
        less.set("hadoop.proxyuser.gateway.users", "bob");
        try {
            ProxyUsers.refreshSuperUserGroupsConfiguration(less);
            Waits.until("a refusal", () -> isRefused(protocol), () -> "calls that succeed");
        } finally {
            ProxyUsers.refreshSuperUserGroupsConfiguration(conf);
        }
        assertTrue(protocol.getFileInfo("/").isDirectory());
    }

    private static boolean isRefused(ClientProtocol protocol) {
        try {
            protocol.getFileInfo("/");
            return false;
        } catch (IOException e) {
            assertTrue(e.getMessage().contains("gateway is not allowed to impersonate alice"), e.getMessage());
            return true;
        }
    }
}
