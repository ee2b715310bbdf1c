package org.jvrpc.benchmarks.hdfs;

import org.apache.hadoop.conf.Configuration;

/** What both ends know: the configuration, and which files there are. */
final class HdfsData {

    /** A file of one block. */
    static final String FILE = "/bench/file";
    static final int FILE_BYTES = 4096;
    /** A folder of so many empty files. */
    static final String FOLDER = "/bench/folder";
    static final int ENTRIES = 100;

    private HdfsData() {
    }

    /** Returns the configuration of either end: Hadoop's own but for the engine. */
    static Configuration conf(boolean plugin) {
        Configuration conf = new Configuration();
        conf.set("rpc.engine.org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolPB", plugin
                ? "org.jvrpc.hdfs.JvrpcRpcEngine"
                : "org.apache.hadoop.ipc.ProtobufRpcEngine2");
        conf.setBoolean("jvrpc.hdfs.fallback", false); // what is measured is never the other transport
        return conf;
    }

    /** Returns the name of one of the folder's files. */
    static String entry(int index) {
        return FOLDER + "/entry-" + index;
    }
}
