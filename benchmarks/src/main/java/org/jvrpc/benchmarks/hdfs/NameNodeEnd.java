package org.jvrpc.benchmarks.hdfs;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.jvrpc.benchmarks.harness.ServerEnd;

/** An unmodified NameNode and a DataNode in this process, with files to be asked for. */
public final class NameNodeEnd implements ServerEnd {

    private final boolean plugin;
    private MiniDFSCluster cluster;

    /** @param plugin true when the NameNode has jvRPC beside its own port */
    public NameNodeEnd(boolean plugin) {
        this.plugin = plugin;
    }

    @Override
    public String start(Path directory, int clients) throws Exception {
        cluster = new MiniDFSCluster.Builder(HdfsData.conf(plugin), directory.toFile()).numDataNodes(1).build();
        FileSystem files = cluster.getFileSystem();
        try (OutputStream file = files.create(new org.apache.hadoop.fs.Path(HdfsData.FILE))) {
            file.write(new byte[HdfsData.FILE_BYTES]);
        }
        for (int i = 0; i < HdfsData.ENTRIES; i++) {
            files.create(new org.apache.hadoop.fs.Path(HdfsData.entry(i))).close();
        }
        return cluster.getURI().toString();
    }

    @Override
    public void close() throws IOException {
        cluster.shutdown();
    }
}
