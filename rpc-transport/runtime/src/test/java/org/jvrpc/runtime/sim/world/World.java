package org.jvrpc.runtime.sim.world;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A world of processes, whose threads run one at a time and in an order that {@link Choices} say, with a time of its
 * own, which passes when everybody sleeps, and a little with each look at the clock. The threads are virtual ones
 * that this world schedules: whatever they wait for, they leave the processor to it. One thread runs a world.
 */
public final class World {

    /** How often a thread is asked whether it lets others go on, until it must. */
    private static final int STAYS = 40;
    private static final int SWITCH_ONE_IN = 12;
    /** What a look at the clock takes, and in a quick world. */
    private static final long LOOK_NS = 1_000;
    private static final long QUICK_LOOK_NS = 60;
    /** So many looks at the clock between which nothing happens take as long as ever, the next ones longer. */
    private static final int SHORT_LOOKS = 16;
    private static final int LOOK_SHIFTS = 16;
    private static final long LONGEST_LOOK_NS = LOOK_NS << 6;
    /** So do naps: the next so many twice as long, and so on. */
    private static final int SHORT_NAPS = 16;
    private static final int LONGEST_NAP_SHIFT = 5;
    private static final long LONGEST_NAP_NS = 1_000_000;
    /** Among so many of those that could go on the next is chosen. */
    private static final int WINDOW = 4;
    private static final int REORDER_ONE_IN = 6;
    private static final int LONGEST_HELD_UP = 10_000;
    private static final long HELD_UP_NS = 100_000;
    /** More than a world has threads, and a multiple of the slots of a client. */
    private static final int THREAD_IDS = 1 << 16;
    private static final boolean TRACES = Boolean.getBoolean("jvrpc.sim.trace");
    /** Far from those of other threads, as the JVM tells owners of monitors by them. */
    private static final AtomicLong THREAD_IDS_USED = new AtomicLong(1L << 40);
    private static final ThreadLocal<World> CURRENT = new ThreadLocal<>();

    private final Choices choices;
    private final Choices.Stream order;
    private final Queue<Step> arriving = new ConcurrentLinkedQueue<>();
    private final List<Step> ready = new ArrayList<>();
    private final PriorityQueue<Timer> timers = new PriorityQueue<>();
    private final List<SimProcess> processes = new ArrayList<>();
    private final Map<Class<?>, Object> parts = new HashMap<>();
    private Throwable failure;
    private long nowNs = 1_000_000_000L;
    private long timersMade;
    private long nextThreadId;
    private long steps;
    /** How often the thread that runs is asked until it lets others go on; 0 before it was asked. */
    private int stays;
    private final long lookNs;
    /** Looks at the clock since something happened. */
    private int idleLooks;
    /** Naps that nobody ended before their time since something happened. */
    private int idleNaps;
    private int heldUp;
    private Step running;
    private boolean napEnds;
    private long lastStep;

    /** Something that happens at a time. */
    public static final class Timer implements Comparable<Timer> {

        private final long atNs;
        private final long number;
        private final SimProcess process;
        private final boolean nap;
        private Runnable what;

        private Timer(long atNs, long number, SimProcess process, boolean nap, Runnable what) {
            this.atNs = atNs;
            this.number = number;
            this.process = process;
            this.nap = nap;
            this.what = what;
        }

        void cancel() {
            what = null;
        }

        @Override
        public int compareTo(Timer other) {
            return atNs != other.atNs ? Long.compare(atNs, other.atNs) : Long.compare(number, other.number);
        }
    }

    public World(Choices choices) {
        this.choices = choices;
        this.order = choices.of("order");
        this.lookNs = choices.of("looks").rarely(3) ? QUICK_LOOK_NS : LOOK_NS;
        this.nextThreadId = THREAD_IDS_USED.addAndGet(THREAD_IDS);
    }

    /** Returns true when this JVM has what worlds need. */
    public static boolean isPossible() {
        return JdkThreads.arePossible();
    }

    public SimProcess newProcess(String name) {
        SimProcess process = new SimProcess(this, name);
        processes.add(process);
        return process;
    }

    /** Returns what this world has one of, made when it is asked for first. */
    public <T> T part(Class<T> type, Function<World, T> maker) {
        return type.cast(parts.computeIfAbsent(type, of -> maker.apply(this)));
    }

    /** Returns the world that this thread runs, or runs in. */
    public static World current() {
        return CURRENT.get();
    }

    void arrive(Step step) {
        step.again = step == running || napEnds;
        arriving.add(step);
    }

    /** Makes a thread of a process, which is not started; returns its step. */
    Step makeThread(SimProcess process, Runnable task, String name) {
        Runnable guarded = () -> {
            CURRENT.set(this);
            try {
                task.run();
            } catch (Throwable t) {
                violated(t);
            }
        };
        Step step = new Step(process, choices.of(process.name() + "/" + name), null);
        // The runtime prefers slots by threads' numbers, which have to be the same when a world is run again.
        step.thread = JdkThreads.make(continuation -> step.queue(continuation, this), name, guarded, nextThreadId++);
        return step;
    }

    /** Tells what happens, when {@code -Djvrpc.sim.trace=true} asks for it. */
    public void trace(String what) {
        if (TRACES) {
            System.out.println(nowNs / 1000 + " us " + what);
        }
    }

    public SimProcess running() {
        return running == null ? null : running.process;
    }

    public long steps() {
        return steps;
    }

    // ---- what goes on

    /** Has the network do something, before long. */
    public void soon(Runnable what) {
        ready.add(new Step(null, null, what));
    }

    /** Has something happen so many nanoseconds from now, unless the process is dead then. */
    public Timer in(long ns, SimProcess process, Runnable what) {
        return add(new Timer(nowNs + Math.max(ns, 1), timersMade++, process, false, what));
    }

    private Timer add(Timer timer) {
        timers.add(timer);
        return timer;
    }

    /** Parks this thread, which is a process's: longer than it wants to when nothing has happened for a while. */
    void park(SimProcess process, Object blocker, long ns) {
        Thread me = Thread.currentThread();
        long longer = ns > LONGEST_NAP_NS ? ns : ns << Math.min(idleNaps / SHORT_NAPS, LONGEST_NAP_SHIFT);
        Timer timer = add(new Timer(nowNs + Math.max(longer, 1), timersMade++, process, true,
                () -> LockSupport.unpark(me)));
        LockSupport.park(blocker);
        timer.cancel();
    }

    public long nowNs() {
        return nowNs;
    }

    /** Returns what one who is no thread decides by. */
    public Choices.Stream choices(String who) {
        return choices.of(who);
    }

    /**
     * A thread looked at the clock, which takes longer, up to what happens next, when nothing has happened for a
     * while: who spins does it in fewer steps.
     */
    public long look() {
        int longer = Math.max(0, ++idleLooks - SHORT_LOOKS);
        long ns = Math.min(lookNs << Math.min(longer, LOOK_SHIFTS), LONGEST_LOOK_NS);
        if (longer > 0 && !timers.isEmpty()) {
            ns = Math.max(lookNs, Math.min(ns, timers.peek().atNs - nowNs));
        }
        nowNs += ns;
        mayYield();
        return nowNs;
    }

    /** Something happened that others may be waiting for. */
    public void happened() {
        idleLooks = 0;
        idleNaps = 0;
    }

    /** The thread may have to let others go on. */
    public void mayYield() {
        if (running == null || running.own == null) {
            return;
        }
        if (stays == 0) {
            stays = 1 + running.own.wait(STAYS, SWITCH_ONE_IN);
        }
        if (--stays == 0) {
            if (isAlone()) {
                steps++; // it would be the next to go on
            } else {
                Thread.yield();
            }
        }
    }

    /** Returns true when nobody else could go on, unless this has been going on for too long. */
    private boolean isAlone() {
        return ready.isEmpty() && arriving.isEmpty() && (timers.isEmpty() || timers.peek().atNs > nowNs)
                && steps < lastStep;
    }

    /**
     * Goes on until something is so.
     *
     * @param limit of steps
     */
    public void run(String what, BooleanSupplier until, long limit) {
        run(() -> what, until, limit);
    }

    /** As {@link #run(String, BooleanSupplier, long)}, with words that are asked for when it is not so. */
    public void run(Supplier<String> what, BooleanSupplier until, long limit) {
        lastStep = steps + limit;
        CURRENT.set(this);
        try {
            while (!until.getAsBoolean()) {
                check();
                if (++steps > lastStep) {
                    throw new Violation(what.get() + " not reached in steps=" + limit + stacks());
                }
                Step next = next();
                if (next == null) {
                    throw new Violation(what.get() + " not reached, and nobody goes on" + stacks());
                }
                run(next);
            }
            check();
        } finally {
            CURRENT.remove();
        }
    }

    /** Something went wrong, of which the first is told. */
    public void violated(Throwable what) {
        if (failure == null) {
            failure = what;
        }
    }

    private void check() {
        if (failure != null) {
            throw failure instanceof Violation violation ? violation
                    : new AssertionError("a thread ended by " + failure, failure);
        }
    }

    /** Returns where the threads are, from the second line on. */
    public String stacks() {
        StringBuilder text = new StringBuilder(" at ns=" + nowNs);
        for (SimProcess process : processes) {
            for (Step step : process.steps()) {
                Thread thread = step.thread;
                text.append("\n  ").append(thread.getName()).append(' ').append(thread.getState())
                        .append(step.isQueued() ? " queued" : "")
                        .append(ready.contains(step) ? " ready" : "");
                for (StackTraceElement element : thread.getStackTrace()) {
                    text.append("\n    ").append(element);
                }
            }
        }
        return text.toString();
    }

    private void run(Step step) {
        running = step;
        stays = 0;
        if (!step.again) {
            happened();
        }
        try {
            do {
                step.begin();
                step.what.run();
            } while (wasInterrupted(step));
        } finally {
            running = null;
        }
    }

    /**
     * Returns true when the thread met a monitor that the JVM's own threads share with it, and goes on at once, as if
     * nobody had been there: so worlds go the same way each time, and none leaves a thread for which a monitor, which
     * others wait for, is kept.
     */
    private boolean wasInterrupted(Step step) {
        for (int looks = 0; step.isHeldUpByOthers() && looks < LONGEST_HELD_UP; looks++) {
            LockSupport.parkNanos(HELD_UP_NS);
        }
        return step.isLetGo() && arriving.remove(step);
    }

    private Step next() {
        while (true) {
            takeDue();
            for (Step step = arriving.poll(); step != null; step = arriving.poll()) {
                ready.add(step);
            }
            if (!ready.isEmpty()) {
                int others = Math.min(WINDOW, ready.size());
                Step step = ready.remove(others == 1 ? 0 : order.choose(others, REORDER_ONE_IN));
                if (step.process == null || step.process.takes(step)) {
                    return step;
                }
            } else if (!isHeldUp() && arriving.isEmpty() && !passTime()) { // one may have arrived just now
                return null;
            }
        }
    }

    /** What is due by now, for looks at the clock let time pass, too. */
    private void takeDue() {
        while (!timers.isEmpty() && (timers.peek().what == null || timers.peek().atNs <= nowNs)) {
            Timer timer = timers.poll();
            if (timer.what != null && timer.nap) {
                idleNaps++;
                napEnds = true;
                timer.what.run();
                napEnds = false;
            } else if (timer.what != null) {
                ready.add(new Step(timer.process, null, timer.what));
            }
        }
    }

    /** Returns true when a thread is held up by the rest of this JVM, for which no time passes here. */
    private boolean isHeldUp() {
        boolean some = false;
        for (int i = 0; i < processes.size() && !some; i++) {
            some = processes.get(i).isHeldUp();
        }
        if (!some) {
            heldUp = 0;
            return false;
        }
        if (++heldUp > LONGEST_HELD_UP) {
            throw new Violation("a thread waits for a monitor that nobody leaves, or for the JVM" + stacks());
        }
        LockSupport.parkNanos(HELD_UP_NS);
        return true;
    }

    /** Time passes until something happens; false when nothing will. */
    private boolean passTime() {
        if (timers.isEmpty()) {
            return false;
        }
        nowNs = timers.peek().atNs;
        return true;
    }

    /** A process that was stopped goes on with what it would have done. */
    void goOn(List<Step> held) {
        ready.addAll(held);
    }
}
