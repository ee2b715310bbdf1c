package org.jvrpc.hdfs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Files of an unmodified cluster, through the engine. */
class ClusterTest {

    private static MiniDFSCluster cluster;
    private static DistributedFileSystem files;

    @BeforeAll
    static void start() throws IOException {
        cluster = Cluster.builder(Cluster.conf()).numDataNodes(1).build();
        files = cluster.getFileSystem();
    }

    @AfterAll
    static void stop() {
        cluster.shutdown(true);
    }

    @Test
    void blocksOfAWrittenFileAreLocated() throws Exception {
        Path file = new Path("/blocks");
        DFSTestUtil.createFile(files, file, 3000, (short) 1, 7);
        LocatedBlocks blocks = files.getClient().getLocatedBlocks("/blocks", 0);
        assertEquals(3000, blocks.getFileLength());
        assertEquals(1, blocks.locatedBlockCount());
        assertEquals(1, blocks.get(0).getLocations().length);
        assertArrayEquals(
                DFSTestUtil.calculateFileContentsFromSeed(7, 3000), DFSTestUtil.readFileAsBytes(files, file));
        assertTrue(files.delete(file, false));
    }
}
