package org.jvrpc.hdfs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FsShell;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.server.namenode.NameNodeRpcServer;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

    @Test
    void theStockShellNeedsOnlyConfiguration(@TempDir java.nio.file.Path folder) throws Exception {
        java.nio.file.Path site = folder.resolve("core-site.xml");
        Files.writeString(site, "<configuration>"
                + property("fs.defaultFS", cluster.getURI().toString())
                + property(Cluster.ENGINE, JvrpcRpcEngine.class.getName())
                + "</configuration>");
        java.nio.file.Path text = Files.writeString(folder.resolve("text"), "over jvRPC\n");
        Configuration conf = new Configuration();
        conf.addResource(site.toUri().toURL());
        long before = server().getTotalRequests();
        assertEquals("", shell(conf, "-mkdir", "-p", "/shell"));
        assertEquals("", shell(conf, "-put", text.toString(), "/shell/text"));
        assertEquals("over jvRPC\n", shell(conf, "-cat", "/shell/text"));
        String listed = shell(conf, "-ls", "/shell");
        assertTrue(listed.contains("Found 1 items") && listed.contains("/shell/text"), listed);
        assertTrue(server().getTotalRequests() - before >= 8);
    }

    private static RPC.Server server() {
        return ((NameNodeRpcServer) cluster.getNameNodeRpc()).getClientRpcServer();
    }

    private static String property(String name, String value) {
        return "<property><name>" + name + "</name><value>" + value + "</value></property>";
    }

    private static String shell(Configuration conf, String... arguments) throws Exception {
        PrintStream before = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        try (PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8)) {
            System.setOut(out);
            assertEquals(0, ToolRunner.run(new FsShell(conf), arguments), () -> String.join(" ", arguments));
        } finally {
            System.setOut(before);
        }
        return printed.toString(StandardCharsets.UTF_8);
    }
}
