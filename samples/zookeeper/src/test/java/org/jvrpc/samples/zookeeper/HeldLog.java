package org.jvrpc.samples.zookeeper;

import java.io.File;
import java.io.IOException;
import java.io.InterruptedIOException;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;

/** A transaction log whose disk is as slow as a test wants. */
final class HeldLog extends FileTxnSnapLog {

    private static final long BOUND_MS = 60_000;

    private boolean holds;
    private boolean waits;

    HeldLog(File folder) throws IOException {
        super(folder, folder);
    }

    /** Has commits wait from now on. */
    synchronized void hold() {
        holds = true;
    }

    /** Has commits go on. */
    synchronized void release() {
        holds = false;
        notifyAll();
    }

    /** Returns true when a commit waits. */
    synchronized boolean isWaiting() {
        return waits;
    }

    @Override
    public void commit() throws IOException {
        awaitRelease();
        super.commit();
    }

    private synchronized void awaitRelease() throws IOException {
        long endNs = System.nanoTime() + BOUND_MS * 1_000_000;
        waits = holds;
        while (holds) {
            long leftMs = (endNs - System.nanoTime()) / 1_000_000;
            if (leftMs <= 0) {
                throw new IOException("the test holds its log for more than ms=" + BOUND_MS);
            }
            try {
                wait(leftMs);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted while a test holds the log");
            }
        }
        waits = false;
    }
}
