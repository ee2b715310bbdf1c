package org.jvrpc.softrnic.roce;

import java.io.IOException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread of a node. It has packets taken as they come while no caller polls; while callers do, it looks now and
 * then only, as it would wake for each packet that they take. Any thread.
 */
final class ProgressThread {

    private static final Logger LOG = LoggerFactory.getLogger(ProgressThread.class);
    private static final long TICK_MS = 4;
    /** So often callers poll within this time who spin. */
    private static final int SPINNING = 64;
    private static final long LOOK_NS = 1_000_000;

    private final Selector selector;
    private final SelectionKey key;
    private final Runnable work;
    private final Thread thread;
    private final Runnable sleeper = this::relieve; // one, so that CQs know it again
    private volatile boolean unfinished;
    private volatile boolean closed;
    private volatile long polls;
    /** Callers take the packets. */
    private volatile boolean aside;
    /** A caller goes to sleep: packets are to be taken here again. */
    private volatile boolean relieved;
    /** The thread: how often callers had polled, and when, at its last look. */
    private long seen;
    private long lookedNs;

    /** @param work takes packets, and has go on what waits for time to pass */
    ProgressThread(String name, DatagramChannel channel, Runnable work) throws IOException {
        this.selector = Selector.open();
        try {
            this.key = channel.register(selector, SelectionKey.OP_READ);
        } catch (IOException e) {
            selector.close();
            throw e;
        }
        this.work = work;
        this.thread = new Thread(this::run, name);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Has the thread look what there is to do. */
    void wake() {
        if (Thread.currentThread() != thread) {
            selector.wakeup();
        }
    }

    /** There is more to do than was done: the thread goes on with it. */
    void goOn() {
        if (!unfinished) {
            unfinished = true;
            wake();
        }
    }

    /** A caller takes packets. One at a time. */
    void polled() {
        polls++;
    }

    /** Returns true while callers take the packets. */
    boolean isAside() {
        return aside;
    }

    /** Returns what a caller that polled has run before it sleeps. */
    Runnable sleeper() {
        return sleeper;
    }

    private void relieve() {
        relieved = true;
        if (aside) {
            wake();
        }
    }

    private void run() {
        while (!closed) {
            try {
                attend(System.nanoTime());
                if (unfinished) {
                    selector.selectNow();
                } else {
                    selector.select(TICK_MS);
                }
                selector.selectedKeys().clear();
                unfinished = false;
                work.run();
            } catch (ClosedSelectorException e) {
                return;
            } catch (IOException | RuntimeException | Error e) {
                LOG.error("{} failed", thread.getName(), e);
                LockSupport.parkNanos(this, TICK_MS * 1_000_000); // it may fail again at once
            }
        }
    }

    /** Waits for packets from now on, or not as long as callers take them. */
    private void attend(long nowNs) {
        if (nowNs - lookedNs >= LOOK_NS) {
            long count = polls;
            aside = count - seen >= SPINNING; // before the look at who is relieved, who looks at it behind their word
            seen = count;
            lookedNs = nowNs;
        }
        if (relieved) {
            relieved = false;
            aside = false;
        }
        int interest = aside ? 0 : SelectionKey.OP_READ;
        if (key.interestOps() != interest) {
            key.interestOps(interest);
        }
    }

    /** Ends the thread, and waits until it has ended. */
    void end() {
        closed = true;
        selector.wakeup();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true; // the thread looks at once
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        try {
            selector.close();
        } catch (IOException e) {
            LOG.debug("closing {}: {}", selector, e.toString());
        }
    }
}
