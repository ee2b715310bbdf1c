package org.jvrpc.hdfs;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.junit.jupiter.api.Test;

/** The one jar that operators put beside Hadoop's: the build runs this once more when it is made. */
class BundleTest {

    @Test
    void aNameNodeAndAClientNeedTheBundleAlone() throws Exception {
        assumeTrue(Boolean.getBoolean("jvrpc.bundle"), "no bundle yet: run by the build's execution \"bundle\"");
        for (String name : new String[] {JvrpcRpcEngine.class.getName(), "org.jvrpc.runtime.RpcServer",
            "org.jvrpc.softrnic.ShmDeviceProvider", "org.jvrpc.bundle.esotericsoftware.kryo.Kryo"}) {
            String source = Class.forName(name).getProtectionDomain().getCodeSource().getLocation().toString();
            assertTrue(source.endsWith("-all.jar"), name + " comes from " + source);
        }
        try (MiniDFSCluster cluster = Cluster.builder(Cluster.conf()).numDataNodes(0).build()) {
            DistributedFileSystem files = cluster.getFileSystem();
            assertTrue(files.mkdirs(new Path("/made")));
            assertTrue(files.getFileStatus(new Path("/made")).isDirectory());
        }
    }
}
