package org.jvrpc.benchmarks.soak;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jvrpc.benchmarks.harness.ContenderException;
import org.jvrpc.benchmarks.soak.plan.Fault;

/** Does what a campaign plans, and heals it. What takes time is done by other threads meanwhile. One thread. */
final class Injector implements AutoCloseable {

    private static final int TASK_LIMIT_S = 150;

    private final Map<String, Member> members;
    private final SharedMemory memory;
    private final Consumer<Member> killed;
    private final Consumer<String> violations;
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "soak-injector");
        thread.setDaemon(true);
        return thread;
    });
    private final List<Future<?>> tasks = new ArrayList<>();
    private int done;

    /** Something to do at a time of the round. */
    private record Due(long atMs, Step step) {
    }

    private interface Step {
        void run() throws Exception;
    }

    /**
     * An injector.
     *
     * @param killed hears which process is dead, before it is started again
     */
    Injector(Map<String, Member> members, SharedMemory memory, Consumer<Member> killed,
            Consumer<String> violations) {
        this.members = members;
        this.memory = memory;
        this.killed = killed;
        this.violations = violations;
    }

    /** Does what is planned for a round, and returns when its load is over and all is healed. */
    void run(List<Fault> faults, long loadMs) throws Exception {
        long startNs = System.nanoTime();
        PriorityQueue<Due> dues = new PriorityQueue<>(Comparator.comparingLong(Due::atMs));
        for (Fault fault : faults) {
            dues.add(new Due(fault.atMs(), () -> begin(fault, dues)));
        }
        while (!dues.isEmpty() && dues.peek().atMs() < loadMs) {
            Due due = dues.poll();
            sleepUntil(startNs, due.atMs());
            due.step().run();
        }
        sleepUntil(startNs, loadMs);
        heal();
    }

    private static void sleepUntil(long startNs, long atMs) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(startNs + atMs * 1_000_000 - System.nanoTime());
    }

    private void begin(Fault fault, PriorityQueue<Due> dues) throws Exception {
        if (fault.kind() == Fault.Kind.FULL && !memory.canFill()) {
            return; // the outcome says so
        }
        done++;
        Member member = members.get(fault.target());
        switch (fault.kind()) {
            case KILL -> kill(member);
            case STOP -> {
                member.stop();
                dues.add(new Due(fault.atMs() + fault.lengthMs(), member::resume));
            }
            case CLOSE -> later(member, "close " + fault.number());
            case DRAIN -> later(member, "drain");
            case SHUT -> later(member, "shut");
            case INTERRUPT -> later(member, "interrupt");
            case FULL -> {
                memory.fill();
                dues.add(new Due(fault.atMs() + fault.lengthMs(), memory::free));
            }
            default -> throw new IllegalArgumentException("kind=" + fault.kind());
        }
    }

    private void kill(Member member) throws InterruptedException {
        if (!member.isRunning()) {
            return; // it is being started
        }
        member.kill();
        killed.accept(member);
        tasks.add(threads.submit(() -> {
            try {
                member.start();
                if (!member.place().isServer()) {
                    member.ask("go");
                }
            } catch (ContenderException e) {
                violations.accept("a new process does not come up: " + e.getMessage());
            }
        }));
    }

    private void later(Member member, String command) {
        tasks.add(threads.submit(() -> {
            try {
                member.ask(command);
            } catch (ContenderException e) {
                violations.accept(command + ": " + e.getMessage());
            }
        }));
    }

    private void heal() throws IOException, InterruptedException {
        memory.free();
        members.values().forEach(Member::resume);
        for (Future<?> task : tasks) {
            try {
                task.get(TASK_LIMIT_S, TimeUnit.SECONDS);
            } catch (TimeoutException e) {
                violations.accept("something that was to be done takes more than " + TASK_LIMIT_S + " s");
            } catch (ExecutionException e) {
                throw new IllegalStateException(e.getCause());
            }
        }
        tasks.clear();
    }

    /** Returns how many faults there were. */
    int done() {
        return done;
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
