package org.jvrpc.runtime.sim.world;

import java.util.ArrayList;
import java.util.List;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.runtime.thread.Environment;
import org.jvrpc.runtime.thread.Threads;

/** A process of a {@link World}: threads that can be stopped, let go on, and killed, and the devices they opened. */
public final class SimProcess implements Clock, Threads {

    private final String name;
    /** What a process has, and its system takes back. */
    public interface Belonging {

        /** The process was killed. */
        void die();

        /** Returns what is left of it, nothing once it is closed. */
        List<String> left();
    }

    private final World world;
    private final List<Step> threads = new ArrayList<>();
    private final List<Belonging> belongings = new ArrayList<>();
    private final List<Step> held = new ArrayList<>();
    private boolean stopped;
    private boolean dead;

    public SimProcess(World world, String name) {
        this.world = world;
        this.name = name;
    }

    public String name() {
        return name;
    }

    public World world() {
        return world;
    }

    public Environment environment() {
        return new Environment(this, this);
    }

    /** Has something go when this process is killed. */
    public void owns(Belonging what) {
        belongings.add(what);
    }

    /** Starts a thread. */
    public Thread start(String what, Runnable task) {
        Thread thread = make(task, name + "-" + what);
        thread.start();
        return thread;
    }

    /** It keeps nobody: there is one carrier, and the world decides who has it. */
    @Override
    public boolean mayBlock() {
        return true;
    }

    @Override
    public Thread make(Runnable task, String threadName) {
        Step made = world.makeThread(this, task, threadName);
        threads.add(made);
        return made.thread;
    }

    @Override
    public long nanoTime() {
        return world.look();
    }

    @Override
    public void parkNanos(Object blocker, long ns) {
        world.park(this, blocker, ns);
    }

    /** Returns true when one of the process's threads may go on now; keeps what a stopped one would have done. */
    boolean takes(Step step) {
        if (stopped && !dead) {
            held.add(step);
        }
        return !stopped && !dead;
    }

    /** Returns true when one of its threads is held up by what is no world's. */
    boolean isHeldUp() {
        if (dead || stopped) {
            return false;
        }
        for (int i = 0; i < threads.size(); i++) {
            if (threads.get(i).isHeldUp()) {
                return true;
            }
            if (threads.get(i).hasEnded()) {
                threads.remove(i--);
            }
        }
        return false;
    }

    public boolean isDead() {
        return dead;
    }

    /** As by SIGSTOP. */
    public void stop() {
        stopped = true;
    }

    /** As by SIGCONT. */
    public void goOn() {
        if (stopped) {
            stopped = false;
            world.goOn(held);
            held.clear();
        }
    }

    /** As by SIGKILL. */
    public void kill() {
        dead = true;
        held.clear();
        belongings.forEach(Belonging::die);
    }

    /** Returns true when all of its threads have ended. */
    public boolean isOver() {
        for (int i = threads.size() - 1; i >= 0; i--) {
            if (threads.get(i).thread.isAlive()) {
                return false;
            }
        }
        return true;
    }

    /** Returns the steps of the threads that have not ended. */
    List<Step> steps() {
        return threads.stream().filter(step -> step.thread.isAlive()).toList();
    }

    /** Returns what its devices still have, which a closed one has nothing of. */
    public List<String> left() {
        return belongings.stream().flatMap(each -> each.left().stream()).toList();
    }
}
