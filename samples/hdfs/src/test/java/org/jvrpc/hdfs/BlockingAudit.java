package org.jvrpc.hdfs;

import java.net.InetAddress;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenSecretManager;
import org.apache.hadoop.hdfs.server.namenode.HdfsAuditLogger;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.security.UserGroupInformation;

/** An audit log that keeps the handler of each call whose path begins with {@code /blocked}, which has no lock then. */
public final class BlockingAudit extends HdfsAuditLogger {

    private static final AtomicInteger HELD = new AtomicInteger();
    private static volatile CountDownLatch gate = new CountDownLatch(0);

    static void block() {
        gate = new CountDownLatch(1);
    }

    static void release() {
        gate.countDown();
    }

    /** Returns how many handlers are kept now. */
    static int held() {
        return HELD.get();
    }

    @Override
    public void initialize(Configuration conf) {
        // Nothing to read.
    }

    @Override
    public void logAuditEvent(
            boolean succeeded, String userName, InetAddress addr, String cmd, String src, String dst, FileStatus stat,
            CallerContext callerContext, UserGroupInformation ugi, DelegationTokenSecretManager dtSecretManager) {
        if (src != null && src.startsWith("/blocked")) {
            HELD.incrementAndGet();
            try {
                gate.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                HELD.decrementAndGet();
            }
        }
    }

    @Override
    public void logAuditEvent(
            boolean succeeded, String userName, InetAddress addr, String cmd, String src, String dst, FileStatus stat,
            UserGroupInformation ugi, DelegationTokenSecretManager dtSecretManager) {
        throw new AssertionError("NameNodes call the other method");
    }
}
