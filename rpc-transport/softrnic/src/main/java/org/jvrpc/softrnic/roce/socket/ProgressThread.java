package org.jvrpc.softrnic.roce.socket;

import java.io.IOException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread of a node. It has packets taken as they come while no caller polls; while callers do, it looks now and
 * then only, as it would wake for each packet that they take. When nothing has happened for a while it rests until a
 * packet comes, time is up for something, or a caller begins something. Any thread.
 */
public final class ProgressThread {

    private static final Logger LOG = LoggerFactory.getLogger(ProgressThread.class);
    private static final long TICK_MS = 4;
    /** So often callers poll within this time who spin. */
    private static final int SPINNING = 64;
    private static final long LOOK_NS = 1_000_000;
    /** So many looks at which nothing has happened are enough. */
    private static final int QUIET_TICKS = 25;
    private static final long MILLI_NS = 1_000_000;
    /** Nothing waits for time to pass. */
    public static final long NEVER = Long.MAX_VALUE;

    /** Packets are taken whatever was ready: a set of ready keys would be garbage at each packet. */
    private static final Consumer<SelectionKey> READY = ready -> { };

    private final Selector selector;
    private final SelectionKey key;
    private final LongSupplier work;
    private final Thread thread;
    private final Runnable sleeper = this::relieve; // one, so that CQs know it again
    private volatile boolean unfinished;
    private volatile boolean closed;
    private volatile long polls;
    /** Callers take the packets. */
    private volatile boolean aside;
    /** A caller goes to sleep: packets are to be taken here again. */
    private volatile boolean relieved;
    /** A caller began something. */
    private volatile boolean stirred;
    /** Whoever begins something wakes it. */
    private volatile boolean resting;
    /** The thread: how often callers had polled, and when, at its last look. */
    private long seen;
    private long lookedNs;
    /** The thread: looks in a row at which nothing had happened. */
    private int quiet;

    /**
     * @param work takes packets, has go on what waits for time to pass, and returns when it is to be called again
     *             though nothing happens, by {@link System#nanoTime}, or {@link #NEVER}
     */
    public ProgressThread(String name, DatagramChannel channel, LongSupplier work) throws IOException {
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

    public void start() {
        thread.start();
    }

    /** Has the thread look what there is to do. */
    public void wake() {
        if (Thread.currentThread() != thread) {
            selector.wakeup();
        }
    }

    /** There is more to do than was done: the thread goes on with it. */
    public void goOn() {
        if (!unfinished) {
            unfinished = true;
            wake();
        }
    }

    /** A caller looks for packets. Of those who do at a time some may not be counted, which does not matter. */
    public void polled() {
        polls++;
    }

    /** A caller began what waits for packets, or for time to pass. */
    public void stir() {
        if (!stirred) {
            stirred = true;
        }
        if (resting) {
            wake();
        }
    }

    /** Returns true while it waits for packets alone, or for a time that is known. */
    public boolean isResting() {
        return resting;
    }

    /** Returns true while callers take the packets. */
    public boolean isAside() {
        return aside;
    }

    /** Returns what a caller that polled has run before it sleeps. */
    public Runnable sleeper() {
        return sleeper;
    }

    private void relieve() {
        relieved = true;
        if (aside) {
            wake();
        }
    }

    private void run() {
        long dueNs = NEVER;
        while (!closed) {
            try {
                attend(System.nanoTime());
                await(dueNs);
                unfinished = false;
                dueNs = work.getAsLong();
            } catch (ClosedSelectorException e) {
                return;
            } catch (IOException | RuntimeException | Error e) {
                LOG.error("{} failed", thread.getName(), e);
                LockSupport.parkNanos(this, TICK_MS * MILLI_NS); // it may fail again at once
            }
        }
    }

    private void await(long dueNs) throws IOException {
        quiet = unfinished || isBusy() ? 0 : quiet + 1;
        if (unfinished) {
            selector.selectNow(READY);
        } else if (quiet <= QUIET_TICKS) {
            select(Math.min(TICK_MS, untilMs(dueNs)));
        } else {
            rest(untilMs(dueNs));
        }
    }

    private boolean isBusy() {
        boolean began = stirred; // one look: what begins behind it counts for the next
        if (began) {
            stirred = false;
        }
        return aside || began;
    }

    private void rest(long limitMs) throws IOException {
        resting = true; // before the look: whoever begins something says so, then looks whether it rests
        try {
            if (stirred || unfinished) {
                selector.selectNow(READY);
            } else {
                select(limitMs);
            }
        } finally {
            resting = false;
            seen = polls; // those of a long time are no sign of callers who spin
            lookedNs = System.nanoTime();
        }
    }

    private static long untilMs(long dueNs) {
        return dueNs == NEVER ? Long.MAX_VALUE
                : Math.max(0, (dueNs - System.nanoTime() + MILLI_NS - 1) / MILLI_NS);
    }

    private void select(long limitMs) throws IOException {
        if (limitMs == 0) {
            selector.selectNow(READY);
        } else if (selector.select(READY, limitMs == Long.MAX_VALUE ? 0 : limitMs) > 0) {
            quiet = 0;
        }
    }

    /** Waits for packets from now on, or not as long as callers take them. */
    private void attend(long nowNs) {
        boolean wasAside = aside;
        if (nowNs - lookedNs >= LOOK_NS) {
            long count = polls;
            aside = count - seen >= SPINNING; // before the look at who is relieved, who looks at it behind their word
            seen = count;
            lookedNs = nowNs;
        }
        if (relieved) {
            relieved = false;
            aside = false;
            seen = polls; // those before the sleep are no sign of callers who spin
            lookedNs = nowNs;
        }
        if (wasAside && !aside) {
            unfinished = true; // what came meanwhile without the socket wakes nobody
        }
        int interest = aside ? 0 : SelectionKey.OP_READ;
        if (key.interestOps() != interest) {
            key.interestOps(interest);
        }
    }

    /** Ends the thread, and waits until it has ended, unless this is it. */
    public void end() {
        closed = true;
        selector.wakeup();
        boolean interrupted = false;
        while (thread.isAlive() && Thread.currentThread() != thread) {
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
