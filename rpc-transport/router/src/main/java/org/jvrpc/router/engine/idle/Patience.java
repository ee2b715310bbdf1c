package org.jvrpc.router.engine.idle;

import java.util.function.LongSupplier;

/**
 * How long a worker that finds nothing looks again before it leaves its processor to others, which may be what it waits
 * for. It looks for some time where it is alone; at once it yields while yields show that the processor is shared with
 * somebody who gives it back, as a tenant does that waits for an answer. Where yields cost whole time slices others run
 * there who wait for nobody: then it had better sleep, as whoever is woken is run before those who ran all the time.
 * Allocates nothing. One thread.
 */
public final class Patience {

    /** A wait that lasts longer leaves the processor between looks. */
    static final long LOOKS_NS = 20_000;
    /** What a yield takes at most that nobody takes the processor by; on most hosts it is less. */
    private static final long SLOWEST_YIELD_NS = 1_000;
    /** One that somebody took takes so many times as long as one that nobody took, at least. */
    private static final int TAKEN_TIMES = 3;
    /** And so much longer, for the switches to the other thread and back. */
    private static final long SWITCHES_NS = 500;
    /** Who gave the processor back within so long waits, too. */
    static final long SHORT_TURN_NS = 100_000;
    /** Such turns in a row, and the processor is shared. */
    static final int SHORT_TURNS = 3;
    /** Yields in a row that nobody took, and it is not. */
    static final int UNTAKEN = 16;
    /** A yield that takes longer has cost a time slice. */
    static final long LOST_NS = 1_000_000;
    /** So many in a row, and processors are short. */
    static final int LOSSES = 3;
    /** So many waits are slept through then, before yields are tried again. */
    static final int WAITS_PER_TRIAL = 64;

    /** Who has worked for so long leaves the processor once: whoever waits there for what was done goes on. */
    static final long SHIFT_NS = 50_000;
    /** The longest shift, where leaving the processor costs whole time slices. */
    static final long LONGEST_SHIFT_NS = 64 * SHIFT_NS;

    private final LongSupplier clock;
    private final Runnable yield;
    private boolean idle;
    private long sinceNs;
    private long yieldNs = SLOWEST_YIELD_NS;
    private int shortTurns;
    private int untaken;
    private int losses;
    private int slept;
    private long leftNs;
    private long shiftNs = SHIFT_NS;

    /** @param clock monotonic */
    public Patience(LongSupplier clock) {
        this(clock, Thread::yield);
    }

    Patience(LongSupplier clock, Runnable yield) {
        this.clock = clock;
        this.yield = yield;
        this.leftNs = clock.getAsLong(); // a monotonic clock may begin anywhere, also below 0
    }

    /** A sleep has ended: the next wait begins anew. */
    public void busy() {
        idle = false;
    }

    /** There was something to do: leaves the processor where this has gone on for long. */
    public void worked(long nowNs) {
        idle = false;
        if (nowNs - leftNs > shiftNs) {
            long tookNs = leave();
            shiftNs = tookNs > LOST_NS ? Math.min(2 * shiftNs, LONGEST_SHIFT_NS) : SHIFT_NS;
        }
    }

    /** There was nothing to do: spins, or yields. @return false, with nothing done, when it had better sleep */
    public boolean idle(long nowNs) {
        if (!idle) {
            idle = true;
            sinceNs = nowNs;
        }
        if (losses >= LOSSES && slept < WAITS_PER_TRIAL) {
            slept++;
            return false;
        }
        if (nowNs - sinceNs < LOOKS_NS && shortTurns < SHORT_TURNS) {
            Thread.onSpinWait();
        } else {
            leave();
        }
        return true;
    }

    /** Returns how long it took. */
    private long leave() {
        long beforeNs = clock.getAsLong();
        yield.run();
        leftNs = clock.getAsLong();
        long tookNs = leftNs - beforeNs;
        count(tookNs);
        if (tookNs <= LOST_NS) {
            losses = 0;
        } else {
            losses = Math.min(losses + 1, LOSSES);
            slept = 0;
        }
        return tookNs;
    }

    private void count(long tookNs) {
        yieldNs = Math.min(yieldNs, tookNs);
        if (tookNs > Math.max(TAKEN_TIMES * yieldNs, yieldNs + SWITCHES_NS)) {
            shortTurns = tookNs > SHORT_TURN_NS ? 0 : Math.min(shortTurns + 1, SHORT_TURNS);
            untaken = 0;
        } else if (++untaken >= UNTAKEN) {
            shortTurns = 0;
            untaken = 0;
        }
    }
}
