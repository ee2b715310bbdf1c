package org.jvrpc.hdfs.demo;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.StartupOption;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/** An unmodified NameNode and DataNode with the plugin, in a folder: {@code FOLDER}. Ends with its input. */
public final class DemoNode {

    static final String READY = "READY ";
    static final String FILE = "/demo/file";
    static final String FOLDER = "/demo/folder";
    static final int ENTRIES = 100;

    private static final int FILE_BYTES = 4096;
    private static final int LOOKS = 600;

    private DemoNode() {
    }

    /** Serves. */
    public static void main(String[] args) {
        try {
            serve(args[0]);
            System.exit(0);
        } catch (Exception e) {
            e.printStackTrace();
            System.exit(1); // for a NameNode that started in part has threads that go on
        }
    }

    private static void serve(String folder) throws Exception {
        DefaultMetricsSystem.setMiniClusterMode(true); // formatting is a NameNode of its own in this process
        Configuration conf = new HdfsConfiguration();
        conf.set(Demo.ENGINE, Demo.PLUGIN);
        conf.set("hadoop.tmp.dir", folder);
        conf.set("fs.defaultFS", "hdfs://127.0.0.1:0");
        conf.set("dfs.namenode.http-address", "127.0.0.1:0");
        conf.setInt("dfs.replication", 1);
        conf.set("dfs.datanode.address", "127.0.0.1:0");
        conf.set("dfs.datanode.ipc.address", "127.0.0.1:0");
        conf.set("dfs.datanode.http.address", "127.0.0.1:0");
        NameNode.format(conf);
        StartupOption.REGULAR.setClusterId("demo");
        NameNode nameNode = NameNode.createNameNode(new String[0], conf);
        InetSocketAddress address = nameNode.getNameNodeAddress();
        conf.set("fs.defaultFS", "hdfs://127.0.0.1:" + address.getPort());
        DataNode dataNode = DataNode.createDataNode(new String[0], conf);
        try (FileSystem files = FileSystem.get(conf)) {
            awaitDataNode((DistributedFileSystem) files);
            fill(files);
        }
        System.out.println(READY + conf.get("fs.defaultFS"));
        while (System.in.read() >= 0) {
            continue; // whoever started this ends it
        }
        dataNode.shutdown();
        nameNode.stop();
    }

    private static void awaitDataNode(DistributedFileSystem files) throws IOException, InterruptedException {
        for (int i = 0; files.getDataNodeStats(DatanodeReportType.LIVE).length == 0; i++) {
            if (i == LOOKS) {
                throw new IOException("the DataNode does not report to the NameNode");
            }
            Thread.sleep(100);
        }
    }

    private static void fill(FileSystem files) throws IOException {
        try (OutputStream out = files.create(new Path(FILE))) {
            out.write(new byte[FILE_BYTES]);
        }
        for (int i = 0; i < ENTRIES; i++) {
            files.create(new Path(FOLDER, "entry-" + i)).close();
        }
    }
}
