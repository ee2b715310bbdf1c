package org.jvrpc.runtime.poll;

import org.jvrpc.runtime.session.Fetches;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.runtime.thread.Environment;
import org.jvrpc.runtime.thread.Events;
import org.jvrpc.runtime.thread.Idler;
import org.jvrpc.runtime.thread.Threads;
import org.jvrpc.verbs.rare.Rare;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that polls sessions, of calls or of messages; sleeps on the channel when the idle strategy says so. The
 * subclass has the sessions: all that is abstract is called by this thread alone. It ends a session that fails; what
 * comes through to here is a failure that is no session's, and is survived, too, unless it does not stop.
 */
public abstract class SessionPoller implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(SessionPoller.class);

    /** Messages that one session alone may have taken at a time; several share them, so that none waits for long. */
    private static final int BATCH = Fetches.WHOLE_TURN;
    private static final int LEAST_BATCH = 2;

    /** Polls without a pause between them: a poll of all sessions is one, and more of it was measured to cost time. */
    private static final int TIGHT_LOOPS = 128;
    private static final long HOUSEKEEPING_NS = 1_000_000;
    /** Sleeps in the midst of work, one each housekeeping: the compiler must have seen some hundreds. */
    private static final int REHEARSALS = 1000;
    private static final long REHEARSAL_NS = 1_000_000;
    /** So many times what they take lies between two, and a millisecond at least. */
    private static final int LEAST_PART = 50;
    /** How long a stop waits for threads whose handlers do not return. */
    public static final long STOP_MS = 5000;
    /** The longest sleep while something is unfinished that the device may not tell the end of. */
    private static final long UNFINISHED_NS = 10_000_000;
    /** Failures that follow each other within so long belong together; so many of those are too many. */
    private static final long CALM_NS = 1_000_000_000L;
    private static final int MAX_FAILURES = 1000;

    private final Clock clock;
    private final Threads threads;
    private final Events events;
    private final Idler idler;
    private final String name;
    private volatile Thread thread;
    private final long sleepNs;
    private volatile boolean asleep;
    private volatile boolean stopped;
    private long nextHousekeepingNs;
    private int rehearsals;
    private long nextRehearsalNs;
    /** When every queue was armed last. */
    private long armedNs;
    private long wokenNs;
    private long failedNs;
    private int failures;

    /**
     * @param name of the thread
     * @param sleepNs the longest sleep
     */
    protected SessionPoller(Environment environment, Events events, Idler idler, String name, long sleepNs) {
        this.clock = environment.clock();
        this.threads = environment.threads();
        this.events = events;
        this.idler = idler;
        this.sleepNs = sleepNs;
        this.name = name;
    }

    /** Returns how many messages each of so many sessions may have taken before it is the next one's turn. */
    protected static int batch(int sessions) {
        // Asked in every round: a shift by the binary logarithm, rounded up, not a division.
        return Math.max(LEAST_BATCH, BATCH >>> Integer.SIZE - Integer.numberOfLeadingZeros(sessions - 1));
    }

    /** Polls all sessions, and takes over who arrived. Returns how much there was to do. */
    protected abstract int pollAll();

    /** As {@link #pollAll}, but for some of those that had nothing to do lately, whose turn it is later. */
    protected abstract int pollSome();

    /** Does what is not urgent, about each millisecond while there is work, and after each sleep. */
    protected abstract void housekeeping();

    /** Has completions of all sessions wake this thread. */
    protected abstract void arm();

    /** Has completions wake nobody. */
    protected abstract void disarm();

    /** Ends all sessions; the last thing that the thread does. */
    protected abstract void end();

    /** Has everybody told that this thread gives up, which {@link #end} follows. Returns soon. */
    protected abstract void failed();

    /** Returns true when a session waits for what may not wake this thread. */
    protected abstract boolean isUnfinished();

    /** The clock was looked at, as it is between polls now and then. */
    protected void looked(long nowNs) {
        // of interest to those who look for pauses
    }

    /** The thread slept until now. */
    protected void woken(long nowNs) {
        // as before
    }

    protected final Clock clock() {
        return clock;
    }

    public final Events events() {
        return events;
    }

    public final Thread thread() {
        return thread;
    }

    public final void start() {
        thread = threads.make(this, name);
        thread.start();
    }

    /** There is something to do that no completion tells of. Any thread; called after it was noted. */
    public final void wake() {
        if (asleep) {
            events.wakeup();
        }
    }

    public final boolean isStopped() {
        return stopped;
    }

    /** Ends all sessions and the thread. Any thread. */
    public final void stop() {
        beginStop();
        awaitEnd(STOP_MS);
    }

    /** Has the thread end all sessions and itself. Any thread. */
    public final void beginStop() {
        stopped = true;
        events.wakeup();
    }

    /** Waits for the end of the thread, 1 ms at least. Any thread; on this one returns at once. */
    public final void awaitEnd(long limitMs) {
        Thread last = thread;
        if (last != null && last != Thread.currentThread()) {
            try {
                last.join(Math.max(1, limitMs));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Polls until it is stopped. What a session or its user does wrong is not to end this thread: others need it. */
    @Override
    public final void run() {
        Throwable cause = null;
        while (!stopped && cause == null) {
            try {
                pollUntilStopped();
            } catch (Throwable t) {
                cause = goesOn(t) ? null : t;
            }
        }
        if (cause != null) {
            Rare.reached("a poller gives up");
            LOG.error("{} fails again and again, all its sessions end", name, cause);
            failed();
        }
        try {
            end();
        } catch (Throwable t) {
            LOG.error("{}: ending its sessions", name, t);
        }
    }

    /** Notes a failure that is no session's; false when it is one of too many. */
    private boolean goesOn(Throwable t) {
        long nowNs = clock.nanoTime();
        failures = nowNs - failedNs < CALM_NS ? failures + 1 : 1;
        failedNs = nowNs;
        if (failures == 1) {
            Rare.reached("a poller goes on after a failure");
            LOG.error("{} goes on after a failure", name, t);
        }
        clock.parkNanos(this, HOUSEKEEPING_NS);
        return failures < MAX_FAILURES;
    }

    private void pollUntilStopped() {
        nextHousekeepingNs = clock.nanoTime();
        asleep = false; // a failure may have come between
        int quiet = 0;
        int left = idler.polls();
        boolean worked = false;
        while (!stopped) {
            if (pollSome() > 0) {
                worked = true;
                quiet = 0;
            } else if (++quiet > TIGHT_LOOPS) {
                Thread.onSpinWait();
            }
            if (--left > 0) {
                continue;
            }
            long nowNs = clock.nanoTime();
            looked(nowNs);
            if (nowNs - nextHousekeepingNs >= 0) {
                nextHousekeepingNs = nowNs + HOUSEKEEPING_NS;
                events.await(0);
                housekeeping();
                if (worked && rehearsals < REHEARSALS && nowNs - nextRehearsalNs >= 0 && idler.spinsThenSleeps()) {
                    rehearse(nowNs);
                }
            }
            if (worked) {
                worked = false;
                idler.busy();
            } else if (idler.idle(nowNs)) {
                sleep(nowNs);
            }
            left = idler.polls();
        }
    }

    private void sleep(long nowNs) {
        if (awaitWork(nowNs, sleepNs)) {
            idler.woken(wokenNs);
            nextHousekeepingNs = nowNs;
        } else {
            idler.busy();
        }
    }

    /**
     * Sleeps for a moment though there is work, by the way that {@link #sleep} goes, and has a client wake this thread.
     * Else the first call after each pause would take that way at both sides where no call went before: what is
     * compiled for calls leaves it out, is thrown away there, and nothing that runs once a pause is ever compiled.
     */
    private void rehearse(long nowNs) {
        rehearsals++;
        awaitWork(nowNs, REHEARSAL_NS);
        nextHousekeepingNs = nowNs; // what woke this thread may be for that to find, and it is woken once
        // Of thousands of sessions it takes a while; and none follows at once with the housekeeping that does.
        nextRehearsalNs = nowNs + Math.max(HOUSEKEEPING_NS, LEAST_PART * (armedNs - nowNs));
    }

    /** Arms every queue, looks once more, then waits; false when that look found something to do. */
    private boolean awaitWork(long nowNs, long limitNs) {
        asleep = true;
        arm();
        armedNs = clock.nanoTime();
        boolean sleeps = false;
        if (pollAll() == 0 && !stopped) {
            sleeps = true;
            idler.sleeps(nowNs);
            Thread.interrupted(); // what a handler left behind: an interrupted thread does not sleep
            events.await(Math.min(limitNs, isUnfinished() ? UNFINISHED_NS : sleepNs));
            wokenNs = clock.nanoTime();
            woken(wokenNs);
            // First: somebody waits for what woke this thread. Who finds nothing more has woken all that wait for it.
            if (pollAll() > 0 && pollAll() == 0) {
                idler.leave();
            }
        }
        asleep = false;
        disarm();
        return sleeps;
    }
}
