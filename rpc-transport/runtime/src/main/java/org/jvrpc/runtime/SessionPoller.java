package org.jvrpc.runtime;

import org.jvrpc.verbs.EventChannel;

/**
 * A thread that polls sessions, of calls or of messages; sleeps on the channel when the idle strategy says so. The
 * subclass has the sessions: all that is abstract is called by this thread alone.
 */
abstract class SessionPoller implements Runnable {

    /** Completions that a session may take at a time. */
    static final int BATCH = 32;

    private static final int LOOPS_PER_LOOK = 64;
    /** Polls without a pause between them: a poll is one, and a pause would cost what a call takes. */
    private static final int TIGHT_LOOPS = 128;
    private static final long HOUSEKEEPING_NS = 1_000_000;
    private static final long STOP_MS = 5000;

    private final EventChannel channel;
    private final Idler idler;
    private final Thread thread;
    private final long sleepNs;
    private volatile boolean asleep;
    private volatile boolean stopped;
    private long nextHousekeepingNs;

    /**
     * @param name of the thread
     * @param sleepNs the longest sleep
     */
    SessionPoller(EventChannel channel, Idler idler, String name, long sleepNs) {
        this.channel = channel;
        this.idler = idler;
        this.sleepNs = sleepNs;
        this.thread = new Thread(this, name);
        this.thread.setDaemon(true);
    }

    /** Polls all sessions, and takes over who arrived. Returns how much there was to do. */
    abstract int pollAll();

    /** Does what is not urgent, about each millisecond while there is work, and after each sleep. */
    abstract void housekeeping();

    /** Has completions of all sessions wake this thread. */
    abstract void arm();

    /** Has completions wake nobody. */
    abstract void disarm();

    /** Ends all sessions; the last thing that the thread does. */
    abstract void end();

    final EventChannel channel() {
        return channel;
    }

    final Thread thread() {
        return thread;
    }

    final void start() {
        thread.start();
    }

    /** There is something to do that no completion tells of. Any thread; called after it was noted. */
    final void wake() {
        if (asleep) {
            channel.wakeup();
        }
    }

    final boolean isStopped() {
        return stopped;
    }

    /** Ends all sessions and the thread. Any thread. */
    final void stop() {
        stopped = true;
        channel.wakeup();
        if (Thread.currentThread() != thread) {
            try {
                thread.join(STOP_MS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public final void run() {
        nextHousekeepingNs = System.nanoTime();
        int quiet = 0;
        int loops = 0;
        boolean worked = false;
        while (!stopped) {
            if (pollAll() > 0) {
                worked = true;
                quiet = 0;
            } else if (++quiet > TIGHT_LOOPS) {
                Thread.onSpinWait();
            }
            if (++loops < LOOPS_PER_LOOK) {
                continue;
            }
            loops = 0;
            long nowNs = System.nanoTime();
            if (nowNs - nextHousekeepingNs >= 0) {
                nextHousekeepingNs = nowNs + HOUSEKEEPING_NS;
                channel.await(0);
                housekeeping();
            }
            if (worked) {
                worked = false;
                idler.busy();
            } else if (idler.idle(nowNs)) {
                sleep(nowNs);
            }
        }
        end();
    }

    /** Arms every queue, looks once more, then waits. */
    private void sleep(long nowNs) {
        asleep = true;
        arm();
        if (pollAll() == 0 && !stopped) {
            idler.sleeps(nowNs);
            channel.await(sleepNs);
            idler.woken(System.nanoTime());
            nextHousekeepingNs = nowNs;
        } else {
            idler.busy();
        }
        asleep = false;
        disarm();
    }
}
