package org.jvrpc.hdfs;

import java.net.InetAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenSecretManager;
import org.apache.hadoop.hdfs.server.namenode.HdfsAuditLogger;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.security.UserGroupInformation;

/** Keeps the last entry of each command and path of a NameNode's audit log. */
public final class Audit extends HdfsAuditLogger {

    private static final Map<String, String> LAST = new ConcurrentHashMap<>();

    /** Returns who did that last: user, address, command, context, length of its signature. */
    public static String last(String command, String path) {
        return LAST.get(command + ' ' + path);
    }

    @Override
    public void initialize(Configuration conf) {
        LAST.clear();
    }

    @Override
    public void logAuditEvent(
            boolean succeeded, String userName, InetAddress addr, String cmd, String src, String dst, FileStatus stat,
            CallerContext callerContext, UserGroupInformation ugi, DelegationTokenSecretManager dtSecretManager) {
        String context = callerContext == null ? null : callerContext.getContext();
        int signature = callerContext == null || callerContext.getSignature() == null
                ? 0
                : callerContext.getSignature().length;
        LAST.put(cmd + ' ' + src, userName.replaceAll(" .*", "") + " /" + addr.getHostAddress() + ' ' + cmd + ' '
                + context + ' ' + signature);
    }

    @Override
    public void logAuditEvent(
            boolean succeeded, String userName, InetAddress addr, String cmd, String src, String dst, FileStatus stat,
            UserGroupInformation ugi, DelegationTokenSecretManager dtSecretManager) {
        throw new AssertionError("NameNodes call the other method");
    }
}
