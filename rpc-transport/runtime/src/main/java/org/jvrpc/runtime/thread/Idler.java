package org.jvrpc.runtime.thread;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.locks.LockSupport;
import org.jvrpc.runtime.IdleStrategy;

/**
 * Decides how one waiting thread waits; the caller passes the time in, but for what a yield takes. One thread.
 */
public final class Idler {

    /** Spins between two looks at the clock. */
    public static final int SPINS_PER_LOOK = 64;

    /** Two in the place of {@link #SPINS_PER_LOOK}, as a shift of these. */
    private static final int POLLS_SHIFT = 5;
    private static final boolean ONE_CORE = Runtime.getRuntime().availableProcessors() == 1;
    private static final long FIRST_BUDGET_NS = 200_000;
    private static final long MIN_BUDGET_NS = 50_000;
    /** More than it takes to wake a server, so that not both sides sleep. */
    private static final long CALLER_BUDGET_NS = 400_000;
    private static final long MAX_BUDGET_NS = 2_000_000;
    private static final long SOON_NS = 2_000_000;
    /** Spins in a row that end without work, after which they are not worth it but for a trial now and then. */
    private static final int MISSES = 3;
    private static final int SLEEPS_PER_TRIAL = 64;
    /** A wait that lasts longer leaves the processor to others between polls. */
    private static final long YIELD_AFTER_NS = 20_000;
    private static final long BACK_OFF_YIELD_NS = 200_000;
    /** What a yield takes at most that nobody takes the processor by; on most hosts it is less. */
    private static final long SLOWEST_YIELD_NS = 1_000;
    /** One that somebody took takes so many times as long as one that nobody took, at least. */
    private static final int TAKEN_TIMES = 3;
    /** And so much longer, for the switches to the other thread and back: a coarse clock may tell of no time at all. */
    private static final long SWITCHES_NS = 500;
    /** Who gave the processor back within so long waits, too: for this thread, as likely as not. */
    private static final long SHORT_TURN_NS = 100_000;
    /** Such turns in a row, and the processor is shared with that thread. */
    private static final int SHORT_TURNS = 3;
    /** Yields in a row that nobody took, and waits without one: this thread has the processor to itself. */
    private static final int UNTAKEN = 16;
    /** A yield that takes longer cost the turns of others who want the processor, and do not wait for this thread. */
    private static final long LOST_NS = 1_000_000;
    /** So many in a row, and who waits had better sleep: who is woken is run before those who ran all the time. */
    private static final int LOSSES = 3;
    private static final int WAITS_PER_TRIAL = 64;
    private static final long MAX_PARK_NS = 1_000_000;
    private static final MethodHandle IS_VIRTUAL = isVirtual();

    private final IdleStrategy strategy;
    private final Clock clock;
    /** A spin that does not yield would keep others from a processor, or a carrier, which it may be waiting for. */
    private final boolean yields = ONE_CORE || isVirtual(Thread.currentThread());
    private final long minBudgetNs;
    /** Spins for so long at most and sleeps then, whatever the strategy says; 0 for what it says. */
    private final long spinNs;
    private long budgetNs;
    private long idleSinceNs;
    private long sleptAtNs;
    private long parkNs = 1000;
    private boolean idle;
    /** What a yield takes that nobody takes the processor by: the least that was seen. */
    private long yieldNs = SLOWEST_YIELD_NS;
    private int shortTurns;
    private int untaken;
    private int misses;
    private int losses;
    /** Waits since a yield last told that processors are short. */
    private int shortWaits;

    private Idler(IdleStrategy strategy, Clock clock, long minBudgetNs, long firstBudgetNs, long spinNs) {
        this.strategy = strategy;
        this.clock = clock;
        this.spinNs = spinNs;
        this.minBudgetNs = minBudgetNs;
        this.budgetNs = firstBudgetNs;
    }

    private static MethodHandle isVirtual() {
        try {
            return MethodHandles.lookup().findVirtual(Thread.class, "isVirtual", MethodType.methodType(boolean.class));
        } catch (ReflectiveOperationException e) {
            return null; // before JDK 21
        }
    }

    static boolean isVirtual(Thread thread) {
        try {
            return IS_VIRTUAL != null && (boolean) IS_VIRTUAL.invokeExact(thread);
        } catch (Throwable e) {
            throw new AssertionError("it throws nothing", e);
        }
    }

    /** Makes one for a thread that waits for calls. */
    public static Idler ofPoller(IdleStrategy strategy, Clock clock) {
        return new Idler(strategy, clock, MIN_BUDGET_NS, FIRST_BUDGET_NS, 0);
    }

    /** Makes one for a thread that waits for an answer: where the server slept, it will be there soon. */
    public static Idler ofCaller(IdleStrategy strategy, Clock clock) {
        return new Idler(strategy, clock, CALLER_BUDGET_NS, CALLER_BUDGET_NS, 0);
    }

    /**
     * Makes one that spins for so long, without yielding, and then sleeps: where threads that do not spin want the
     * processors as well, a yield may cost a whole time slice. While spins end without work, because others want the
     * processor or work is far between, it sleeps at once.
     */
    public static Idler spinning(long spinNs) {
        return new Idler(IdleStrategy.BLOCK, Clock.SYSTEM, 0, spinNs, spinNs);
    }

    /** There was work, or a wait ended: the next one begins anew. */
    public void busy() {
        if (idle && spinNs > 0) {
            misses = 0;
            budgetNs = spinNs;
        }
        if (!idle) {
            untaken += shared();
            int all = UNTAKEN - 1 - untaken >> Integer.SIZE - 1; // -1 when this was the last of so many
            shortTurns &= ~all;
            untaken &= ~all;
        }
        idle = false;
        parkNs = 1000;
    }

    /**
     * There was none. Spins, yields or parks for a moment.
     *
     * @return true when it is time to sleep until woken
     */
    public boolean idle(long nowNs) {
        if (!idle) {
            idle = true;
            idleSinceNs = nowNs;
            shortWaits += losses >= LOSSES ? 1 : 0;
        }
        long forNs = nowNs - idleSinceNs;
        if (spinNs > 0 && forNs < budgetNs) {
            spin();
            return false;
        }
        switch (strategy) {
            case SPIN:
                spinOrYield(forNs);
                return false;
            case BACK_OFF:
                backOff(forNs);
                return false;
            case BLOCK:
                return true;
            default:
                if (forNs > budgetNs || isShort()) {
                    return true;
                }
                spinOrYield(forNs);
                return false;
        }
    }

    /** Returns true for a thread that sleeps on its channel, but not while there is work. */
    public boolean spinsThenSleeps() {
        return strategy == IdleStrategy.ADAPTIVE;
    }

    /** Returns true while yields are known to cost the turns of others, but for a trial now and then. */
    public boolean isShort() {
        return losses >= LOSSES && shortWaits < WAITS_PER_TRIAL;
    }

    /** Returns how often to poll before the next look, a power of two: seldom while the peer cannot run meanwhile. */
    public int polls() {
        return SPINS_PER_LOOK >> shared() * POLLS_SHIFT;
    }

    /**
     * Returns 1 while this thread and another leave the processor to each other, else 0. Without a branch, as are those
     * who ask: while compilers work there is one answer, and code compiled for it alone is thrown away when they end.
     */
    private int shared() {
        return SHORT_TURNS - 1 - shortTurns >>> Integer.SIZE - 1;
    }

    /** Returns true while this thread and another leave the processor to each other. */
    private boolean sharesProcessor() {
        return shared() != 0;
    }

    private void spin() {
        if (yields) {
            Thread.yield();
        } else {
            Thread.onSpinWait();
        }
    }

    /**
     * Yields once the wait is long: where cores are few, the peer may be waiting for this one. Yields at once while it
     * is known that the processor is shared with somebody who does so, too.
     */
    private void spinOrYield(long forNs) {
        if (forNs < YIELD_AFTER_NS && !sharesProcessor()) {
            spin();
        } else {
            leaveProcessor();
        }
    }

    private void leaveProcessor() {
        long beforeNs = clock.nanoTime();
        Thread.yield();
        long tookNs = clock.nanoTime() - beforeNs;
        countTurn(tookNs);
        if (tookNs <= LOST_NS) {
            losses = 0;
        } else {
            losses = Math.min(losses + 1, LOSSES);
            shortWaits = 0;
        }
    }

    private void countTurn(long tookNs) {
        yieldNs = Math.min(yieldNs, tookNs);
        if (tookNs > Math.max(TAKEN_TIMES * yieldNs, yieldNs + SWITCHES_NS)) {
            shortTurns = tookNs > SHORT_TURN_NS ? 0 : Math.min(shortTurns + 1, SHORT_TURNS);
            untaken = 0;
        } else {
            countUntaken();
        }
    }

    private void countUntaken() {
        if (++untaken >= UNTAKEN) {
            shortTurns = 0;
            untaken = 0;
        }
    }

    private void backOff(long forNs) {
        if (forNs < BACK_OFF_YIELD_NS) {
            spinOrYield(forNs);
        } else {
            LockSupport.parkNanos(parkNs);
            parkNs = Math.min(parkNs * 2, MAX_PARK_NS);
        }
    }

    /** The thread goes to sleep. */
    public void sleeps(long nowNs) {
        sleptAtNs = nowNs;
        misses++;
    }

    /**
     * The work that woke the thread is done. A system likes to run who is woken where its waker runs, which is in the
     * midst of its system call then: it goes on now, not when this thread has spun in vain. Who sleeps at once does so.
     */
    public void leave() {
        if (strategy == IdleStrategy.ADAPTIVE && !isShort()) {
            leaveProcessor();
        }
    }

    /** The thread was woken by work: a sleep that was short was too early, a long one too late. */
    public void woken(long nowNs) {
        idle = false;
        if (spinNs > 0) {
            budgetNs = misses < MISSES || misses % SLEEPS_PER_TRIAL == 0 ? spinNs : 0;
        } else if (nowNs - sleptAtNs < SOON_NS) {
            budgetNs = Math.min(budgetNs * 2, MAX_BUDGET_NS);
        } else {
            budgetNs = Math.max(budgetNs / 2, minBudgetNs);
        }
    }

    /** Returns how long this thread polls before it sleeps, in nanoseconds. */
    long budgetNs() {
        return switch (strategy) {
            case SPIN -> Long.MAX_VALUE;
            case BACK_OFF -> BACK_OFF_YIELD_NS;
            case BLOCK -> 0;
            case ADAPTIVE -> budgetNs;
        };
    }
}
