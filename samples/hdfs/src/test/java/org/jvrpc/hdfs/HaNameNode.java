package org.jvrpc.hdfs;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import org.apache.commons.io.FileUtils;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.ha.HAServiceProtocol.RequestSource;
import org.apache.hadoop.ha.HAServiceProtocol.StateChangeRequestInfo;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenSecretManager;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.StartupOption;
import org.apache.hadoop.hdfs.server.namenode.HdfsAuditLogger;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.NameNodeRpcServer;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.jvrpc.testing.Parent;

/**
 * One of two NameNodes, in a process of its own: {@code FOLDER NAME PORT-OF-A PORT-OF-B}. Its edits lie in a folder
 * that both share. Commands come by lines: {@code active}; {@code die COMMAND}, which ends the process as a crash would
 * when the next call of that name has its edit on disk, before it is answered; {@code connections}, which asks for the
 * number of clients that use Hadoop's own transport.
 */
public final class HaNameNode {

    static final String READY = "READY";
    static final String[] NAMES = {"a", "b"};

    private static volatile String deadly;

    private HaNameNode() {
    }

    /** An audit log, which hears of a call after its edit is durable and before its answer. */
    public static final class Crash extends HdfsAuditLogger {

        @Override
        public void initialize(Configuration conf) {
            // Nothing to read.
        }

        @Override
        public void logAuditEvent(
                boolean succeeded, String userName, InetAddress addr, String cmd, String src, String dst,
                FileStatus stat, CallerContext callerContext, UserGroupInformation ugi,
                DelegationTokenSecretManager dtSecretManager) {
            if (succeeded && cmd.startsWith(String.valueOf(deadly))) {
                Runtime.getRuntime().halt(1);
            }
        }

        @Override
        public void logAuditEvent(
                boolean succeeded, String userName, InetAddress addr, String cmd, String src, String dst,
                FileStatus stat, UserGroupInformation ugi, DelegationTokenSecretManager dtSecretManager) {
            throw new AssertionError("NameNodes call the other method");
        }
    }

    private static Configuration conf(Path folder, String name, String... ports) {
        Configuration conf = Cluster.conf();
        conf.set("hadoop.tmp.dir", folder.resolve("tmp-" + name).toString());
        conf.set("fs.defaultFS", "hdfs://ns");
        conf.set("dfs.nameservices", "ns");
        conf.set("dfs.ha.namenodes.ns", String.join(",", NAMES));
        conf.set("dfs.ha.namenode.id", name);
        for (int i = 0; i < NAMES.length; i++) {
            conf.set("dfs.namenode.rpc-address.ns." + NAMES[i], "127.0.0.1:" + ports[i]);
            conf.set("dfs.namenode.http-address.ns." + NAMES[i], "127.0.0.1:0");
        }
        conf.set("dfs.namenode.name.dir", names(folder, name).toURI().toString());
        conf.set("dfs.namenode.shared.edits.dir", folder.resolve("shared").toUri().toString());
        conf.setBoolean("dfs.ha.standby.checkpoints", false);
        conf.setInt("dfs.ha.tail-edits.period", 1);
        conf.setInt("dfs.namenode.safemode.extension", 0);
        conf.set("dfs.namenode.audit.loggers", Crash.class.getName());
        return conf;
    }

    private static File names(Path folder, String name) {
        return folder.resolve("names-" + name).toFile();
    }

    /** Makes the files of two new NameNodes. */
    static void format(Path folder) throws IOException {
        DefaultMetricsSystem.setMiniClusterMode(true); // formatting is a NameNode of its own in this process
        StartupOption.FORMAT.setClusterId("test");
        NameNode.format(conf(folder, NAMES[0], "1", "2"));
        FileUtils.copyDirectory(names(folder, NAMES[0]), names(folder, NAMES[1]));
    }

    /** Serves. */
    public static void main(String[] args) {
        try {
            serve(conf(Path.of(args[0]), args[1], args[2], args[3]));
        } catch (Throwable t) {
            t.printStackTrace();
        }
        Runtime.getRuntime().halt(1); // threads of a NameNode go on
    }

    private static void serve(Configuration conf) throws IOException, InterruptedException {
        NameNode nameNode = NameNode.createNameNode(new String[0], conf);
        Parent.say(READY);
        while (true) {
            String[] words = Parent.told().split(" ");
            switch (words[0]) {
                case "active" -> {
                    nameNode.getRpcServer().transitionToActive(
                            new StateChangeRequestInfo(RequestSource.REQUEST_BY_USER));
                    Parent.say("is active");
                }
                case "die" -> deadly = words[1];
                case "connections" -> Parent.say("has " + ((NameNodeRpcServer) nameNode.getRpcServer())
                        .getClientRpcServer().getNumOpenConnections());
                default -> throw new IOException("unknown command: " + words[0]);
            }
        }
    }
}
