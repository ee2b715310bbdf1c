package org.jvrpc.hdfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.server.namenode.NameNodeRpcServer;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.ipc.Client;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RpcConstants;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.AuthorizationException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.jvrpc.testing.Waits;

/** What a NameNode knows of a call that came over jvRPC, and what its caller hears. */
class NameNodeTest {

    private static final int MAX_REQUEST = 1 << 20;

    private static MiniDFSCluster cluster;
    private static Configuration conf;
    private static DistributedFileSystem files;
    private static InetSocketAddress nameNode;

    @BeforeAll
    static void start() throws IOException {
        conf = Cluster.conf();
        conf.set("dfs.namenode.audit.loggers", Audit.class.getName());
        conf.setBoolean("hadoop.caller.context.enabled", true);
        conf.setInt("ipc.maximum.data.length", MAX_REQUEST);
        conf.set("hadoop.proxyuser.gateway.hosts", "*");
        conf.set("hadoop.proxyuser.gateway.users", "alice");
        cluster = Cluster.builder(conf).numDataNodes(0).build();
        files = cluster.getFileSystem();
        files.setPermission(new Path("/"), new FsPermission("777"));
        nameNode = cluster.getNameNode().getNameNodeAddress();
    }

    @AfterAll
    static void stop() {
        cluster.shutdown(true);
    }

    private static RPC.Server server() {
        return ((NameNodeRpcServer) cluster.getNameNodeRpc()).getClientRpcServer();
    }

    private static <T> T as(UserGroupInformation user, PrivilegedExceptionAction<T> action) throws Exception {
        return user.doAs(action);
    }

    private static DistributedFileSystem filesOf(UserGroupInformation user) throws Exception {
        return as(user, () -> (DistributedFileSystem) org.apache.hadoop.fs.FileSystem.newInstance(
                cluster.getURI(), conf));
    }

    @Test
    void noConnectionOfHadoopsOwnIsMade() throws Exception {
        files.mkdirs(new Path("/none"));
        assertTrue(files.getFileStatus(new Path("/none")).isDirectory());
        assertEquals(0, server().getNumOpenConnections());
    }

    @Test
    void exceptionsArriveAsThemselves() {
        assertThrows(FileNotFoundException.class, () -> files.getClient().getLocatedBlocks("/missing", 0));
        assertThrows(FileNotFoundException.class, () -> files.setOwner(new Path("/missing"), "somebody", null));
        RemoteException e = assertThrows(RemoteException.class, () -> direct().getBlockLocations("/missing", 0, 1));
        assertEquals(FileNotFoundException.class.getName(), e.getClassName());
        assertTrue(e.getMessage().startsWith("File does not exist: /missing\n\tat "), e.getMessage());
    }

    private static ClientProtocol direct() throws IOException {
        return Proxies.protocol(Proxies.jvrpc(nameNode, UserGroupInformation.getCurrentUser(), conf));
    }

    @Test
    void callsAreMadeForTheirUser() throws Exception {
        UserGroupInformation alice = UserGroupInformation.createUserForTesting("alice", new String[] {"people"});
        UserGroupInformation bob = UserGroupInformation.createUserForTesting("bob", new String[] {"people"});
        Path own = new Path("/alice/own");
        try (DistributedFileSystem ofAlice = filesOf(alice); DistributedFileSystem ofBob = filesOf(bob)) {
            ofAlice.mkdirs(own);
            ofAlice.setPermission(new Path("/alice"), new FsPermission("700"));
            FileStatus status = ofAlice.getFileStatus(own);
            assertEquals("alice", status.getOwner());
            assertThrows(AccessControlException.class, () -> ofBob.getFileStatus(own)); // light
            assertThrows(AccessControlException.class, () -> ofBob.delete(own, true)); // queued
            assertEquals("alice", ofAlice.getFileStatus(own).getOwner());
        }
    }

    @Test
    void oneMayCallForAnotherWhereItIsAllowed() throws Exception {
        UserGroupInformation gateway = UserGroupInformation.createRemoteUser("gateway");
        try (DistributedFileSystem forAlice = filesOf(UserGroupInformation.createProxyUser("alice", gateway))) {
            Path path = new Path("/by-gateway");
            assertTrue(forAlice.mkdirs(path));
            assertEquals("alice", forAlice.getFileStatus(path).getOwner());
        }
        UserGroupInformation forCarol = UserGroupInformation.createProxyUser("carol", gateway);
        try (DistributedFileSystem refused = filesOf(forCarol)) {
            RemoteException e = assertThrows(RemoteException.class, () -> refused.getFileStatus(new Path("/")));
            assertEquals(AuthorizationException.class.getName(), e.getClassName());
            assertTrue(e.getMessage().contains("gateway is not allowed to impersonate carol"), e.getMessage());
        }
    }

    @Test
    void repeatedCallsAreAnsweredFromTheRetryCache() throws Exception {
        ClientProtocol protocol = direct();
        files.mkdirs(new Path("/once"));
        int id = Client.nextCallId();
        Client.setCallIdAndRetryCount(id, 0, null);
        assertTrue(protocol.delete("/once", true));
        Client.setCallIdAndRetryCount(id, 1, null);
        assertTrue(protocol.delete("/once", true), "the same call once more");
        assertFalse(protocol.delete("/once", true), "another call");
    }

    @Test
    void theNumberOfACallIsTakenOnce() throws Exception {
        ClientProtocol protocol = direct();
        for (int i = 0; i < 3; i++) { // refused with IllegalStateException when the last was not taken
            Client.setCallIdAndRetryCount(Client.nextCallId(), RpcConstants.INVALID_RETRY_COUNT + 1, null);
            assertNotNull(protocol.getFileInfo("/"));
        }
    }

    @Test
    void auditLogsNameCallerAndContext() throws Exception {
        CallerContext before = CallerContext.getCurrent();
        try {
            CallerContext.setCurrent(new CallerContext.Builder("job-42").setSignature(new byte[] {1, 2}).build());
            files.getFileStatus(new Path("/")); // light
            files.mkdirs(new Path("/audited")); // queued
        } finally {
            CallerContext.setCurrent(before);
        }
        files.getFileStatus(new Path("/audited"));
        String user = UserGroupInformation.getCurrentUser().getUserName();
        assertEquals(user + " /127.0.0.1 getfileinfo job-42 2", Audit.last("getfileinfo", "/"));
        assertEquals(user + " /127.0.0.1 mkdirs job-42 2", Audit.last("mkdirs", "/audited"));
        assertEquals(user + " /127.0.0.1 getfileinfo null 0", Audit.last("getfileinfo", "/audited"));
    }

    @Test
    void aRequestThatIsTooLongIsRefusedAndTheNextOneServed() throws Exception {
        String longName = "/" + "x".repeat(MAX_REQUEST + 10);
        IOException e = assertThrows(IOException.class, () -> direct().getFileInfo(longName));
        assertTrue(e.getMessage().contains("ipc.maximum.data.length"), e.getMessage());
        assertNotNull(direct().getFileInfo("/"));
    }

    @Test
    void longListingsArriveWhole() throws Exception {
        for (int i = 0; i < 300; i++) {
            files.mkdirs(new Path("/many/" + "long-name-".repeat(10) + i));
        }
        assertEquals(300, files.listStatus(new Path("/many")).length);
    }

    @Test
    void manyThreadsCallAtOnce() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(16);
        List<Future<Integer>> results = new ArrayList<>();
        for (int t = 0; t < 16; t++) {
            String folder = "/threads/" + t;
            results.add(threads.submit(() -> work(folder)));
        }
        for (Future<Integer> result : results) {
            assertEquals(100, result.get(60, TimeUnit.SECONDS));
        }
        threads.shutdown();
    }

    private static int work(String folder) throws IOException {
        for (int i = 0; i < 100; i++) {
            Path path = new Path(folder, "p" + i);
            assertTrue(files.mkdirs(path));
            assertEquals(path.getName(), files.getFileStatus(path).getPath().getName());
            assertNull(files.getClient().getFileInfo(folder + "/missing"));
        }
        return files.listStatus(new Path(folder)).length;
    }

    @Test
    void metricsCountBothKinds() throws Exception {
        long before = server().getTotalRequests();
        HdfsFileStatus root = files.getClient().getFileInfo("/");
        assertNotNull(root);
        files.mkdirs(new Path("/counted"));
        Waits.until("both to be counted", () -> server().getTotalRequests() == before + 2, // after the answer
                () -> before + " and then " + server().getTotalRequests());
    }
}
