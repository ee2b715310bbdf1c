package org.jvrpc.hdfs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Files of an unmodified cluster, through the engine over RDMA. */
@Tag("device")
class RdmaClusterTest {

    private static MiniDFSCluster cluster;
    private static DistributedFileSystem files;

    @BeforeAll
    static void start() throws IOException {
        for (String device : new String[] {"rxe0", "rxe1"}) {
            assumeTrue(Files.exists(java.nio.file.Path.of("/sys/class/infiniband", device)), "this machine has no RDMA"
                    + " device " + device + "; mvn -Prdma-vm verify runs this test in a virtual machine that has");
        }
        Configuration conf = Cluster.conf();
        conf.set(HdfsSettings.ADDRESS, "rdma://10.9.0.1:{port}");
        conf.setBoolean(HdfsSettings.FALLBACK, false); // or calls would not wait until there is a connection
        conf.set(DFSConfigKeys.DFS_NAMENODE_AUDIT_LOGGERS_KEY, Audit.class.getName());
        cluster = Cluster.builder(conf).numDataNodes(1).build();
        conf.set(HdfsSettings.ADDRESS, "rdma://10.9.0.1:{port}?from=10.9.0.2");
        files = (DistributedFileSystem) FileSystem.newInstance(cluster.getURI(), conf);
    }

    @AfterAll
    static void stop() throws IOException {
        if (files != null) {
            files.close();
        }
        if (cluster != null) {
            cluster.shutdown(true);
        }
    }

    private static RPC.Server server() {
        return ((NameNodeRpcServer) cluster.getNameNodeRpc()).getClientRpcServer();
    }

    @Test
    void filesAreWrittenListedAndRead() throws Exception {
        long before = server().getTotalRequests();
        Path file = new Path("/folder/file");
        DFSTestUtil.createFile(files, file, 300_000, (short) 1, 7);
        assertEquals(1, files.listStatus(file.getParent()).length);
        assertEquals(300_000, files.getFileStatus(file).getLen());
        assertEquals(1, files.getClient().getLocatedBlocks("/folder/file", 0).locatedBlockCount());
        assertArrayEquals(
                DFSTestUtil.calculateFileContentsFromSeed(7, 300_000), DFSTestUtil.readFileAsBytes(files, file));
        assertTrue(files.delete(file, false));
        assertTrue(server().getTotalRequests() - before >= 8);
    }

    @Test
    void aClientIsWhereItsConnectionComesFrom() throws Exception {
        assertTrue(files.mkdirs(new Path("/where")));
        assertTrue(files.getFileStatus(new Path("/where")).isDirectory());
        String queued = Audit.last("mkdirs", "/where");
        String light = Audit.last("getfileinfo", "/where");
        assertTrue(queued.contains(" /10.9.0.2 ") && light.contains(" /10.9.0.2 "), queued + ", " + light);
    }
}
