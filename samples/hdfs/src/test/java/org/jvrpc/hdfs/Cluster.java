package org.jvrpc.hdfs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolPB;

/** Configurations and clusters of one process for tests. */
public final class Cluster {

    static final String ENGINE = "rpc.engine." + ClientNamenodeProtocolPB.class.getName();

    private Cluster() {
    }

    /** Returns a configuration that does nothing but choose the engine. */
    public static Configuration conf() {
        Configuration conf = new HdfsConfiguration();
        conf.setClass(ENGINE, JvrpcRpcEngine.class, org.apache.hadoop.ipc.RpcEngine.class);
        return conf;
    }

    /** Begins a cluster in a folder of its own. */
    public static MiniDFSCluster.Builder builder(Configuration conf) throws IOException {
        Path folder = Files.createTempDirectory("jvrpc-hdfs-test");
        // A cluster that is shut down leaves folders of its NameNodes there.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> FileUtil.fullyDelete(folder.toFile())));
        conf.setInt("ipc.client.connect.max.retries", 2);
        conf.setInt("ipc.client.connect.retry.interval", 100);
        return new MiniDFSCluster.Builder(conf, folder.toFile());
    }
}
