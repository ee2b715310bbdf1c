package org.jvrpc.hdfs.network;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.namenode.NameNodeRpcServer;
import org.apache.hadoop.ipc.RPC;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.jvrpc.hdfs.Audit;
import org.jvrpc.hdfs.Cluster;

/** Files of an unmodified cluster, through the engine over a network. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class NetworkClusterContract {

    static final String ADDRESS = "jvrpc.hdfs.address";
    static final String FALLBACK = "jvrpc.hdfs.fallback";

    private MiniDFSCluster cluster;
    private DistributedFileSystem files;

    /** Returns the NameNode's jvRPC address. */
    abstract String server();

    /** Returns the same as clients have it. */
    abstract String client();

    /** Returns the address that clients come from. */
    abstract String clientHost();

    /** Returns the NameNode's RPC port, 0 for any. */
    abstract int port() throws IOException;

    @BeforeAll
    void start() throws IOException {
        Configuration conf = Cluster.conf();
        conf.set(ADDRESS, server());
        conf.setBoolean(FALLBACK, false); // or calls would not wait until there is a connection
        conf.set(DFSConfigKeys.DFS_NAMENODE_AUDIT_LOGGERS_KEY, Audit.class.getName());
        cluster = Cluster.builder(conf).nameNodePort(port()).numDataNodes(1).build();
        conf.set(ADDRESS, client());
        files = (DistributedFileSystem) FileSystem.newInstance(cluster.getURI(), conf);
    }

    @AfterAll
    void stop() throws IOException {
        if (files != null) {
            files.close();
        }
        if (cluster != null) {
            cluster.shutdown(true);
        }
    }

    private RPC.Server rpc() {
        return ((NameNodeRpcServer) cluster.getNameNodeRpc()).getClientRpcServer();
    }

    @Test
    void filesAreWrittenListedAndRead() throws Exception {
        long before = rpc().getTotalRequests();
        Path file = new Path("/folder/file");
        DFSTestUtil.createFile(files, file, 300_000, (short) 1, 7);
        assertEquals(1, files.listStatus(file.getParent()).length);
        assertEquals(300_000, files.getFileStatus(file).getLen());
        assertEquals(1, files.getClient().getLocatedBlocks("/folder/file", 0).locatedBlockCount());
        assertArrayEquals(
                DFSTestUtil.calculateFileContentsFromSeed(7, 300_000), DFSTestUtil.readFileAsBytes(files, file));
        assertTrue(files.delete(file, false));
        assertTrue(rpc().getTotalRequests() - before >= 8);
    }

    @Test
    void aClientIsWhereItsConnectionComesFrom() throws Exception {
        assertTrue(files.mkdirs(new Path("/where")));
        assertTrue(files.getFileStatus(new Path("/where")).isDirectory());
        String queued = Audit.last("mkdirs", "/where");
        String light = Audit.last("getfileinfo", "/where");
        String from = " /" + clientHost() + " ";
        assertTrue(queued.contains(from) && light.contains(from), queued + ", " + light);
    }
}
