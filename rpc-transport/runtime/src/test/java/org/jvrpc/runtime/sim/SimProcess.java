package org.jvrpc.runtime.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.runtime.thread.Environment;
import org.jvrpc.runtime.thread.Threads;

/** A process of a {@link World}: threads that can be stopped, let go on, and killed, and the devices they opened. */
final class SimProcess implements Clock, Threads {

    final String name;
    private final World world;
    private final List<Thread> threads = new ArrayList<>();
    private final List<SimDevice> devices = new ArrayList<>();
    private final List<Runnable> held = new ArrayList<>();
    private boolean stopped;
    private boolean dead;

    SimProcess(World world, String name) {
        this.world = world;
        this.name = name;
    }

    World world() {
        return world;
    }

    Environment environment() {
        return new Environment(this, this);
    }

    SimDevice openDevice() {
        SimDevice device = new SimDevice(this);
        devices.add(device);
        return device;
    }

    /** Starts a thread. */
    Thread start(String what, Runnable task) {
        Thread thread = make(task, name + "-" + what);
        thread.start();
        return thread;
    }

    @Override
    public Thread make(Runnable task, String threadName) {
        Thread thread = world.makeThread(this, task, threadName);
        threads.add(thread);
        return thread;
    }

    @Override
    public long nanoTime() {
        return world.look();
    }

    @Override
    public void parkNanos(Object blocker, long ns) {
        Thread me = Thread.currentThread();
        World.Timer timer = world.in(ns, this, () -> LockSupport.unpark(me));
        LockSupport.park(blocker);
        timer.cancel();
    }

    /** Returns true when one of the process's threads may go on now; keeps what a stopped one would have done. */
    boolean takes(Runnable what) {
        if (stopped && !dead) {
            held.add(what);
        }
        return !stopped && !dead;
    }

    /** Returns true when one of its threads waits for a monitor. */
    boolean isHeldUp() {
        if (dead || stopped) {
            return false;
        }
        for (Thread thread : threads) {
            if (thread.getState() == Thread.State.BLOCKED) {
                return true;
            }
        }
        return false;
    }

    boolean isDead() {
        return dead;
    }

    /** As by SIGSTOP. */
    void stop() {
        stopped = true;
    }

    /** As by SIGCONT. */
    void goOn() {
        if (stopped) {
            stopped = false;
            world.goOn(this, List.copyOf(held));
            held.clear();
        }
    }

    /** As by SIGKILL. */
    void kill() {
        dead = true;
        held.clear();
        devices.forEach(SimDevice::die);
    }

    /** Returns the threads that have not ended. */
    List<Thread> threads() {
        return threads.stream().filter(Thread::isAlive).toList();
    }

    /** Returns what its devices still have, which a closed one has nothing of. */
    List<String> left() {
        return devices.stream().flatMap(device -> device.left().stream()).toList();
    }
}
