package org.jvrpc.runtime.sim.device;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.locks.LockSupport;
import org.jvrpc.runtime.sim.world.SimProcess;
import org.jvrpc.runtime.sim.world.World;
import org.jvrpc.verbs.EventChannel;

/** An event channel of a simulated device. What connections need is done inside {@link #await}. */
final class SimChannel implements EventChannel {

    private final SimProcess process;
    private final Queue<Runnable> chores = new ArrayDeque<>();
    private boolean event;
    private Thread waiter;

    SimChannel(SimProcess process) {
        this.process = process;
    }

    /** Something is to be done by whoever waits here. */
    void chore(Runnable what) {
        chores.add(what);
        wakeup();
    }

    @Override
    public boolean await(long timeoutNs) {
        World world = process.world();
        world.mayYield();
        long endNs = world.nowNs() + timeoutNs;
        waiter = Thread.currentThread();
        while (!event && world.nowNs() < endNs && !Thread.currentThread().isInterrupted()) {
            process.parkNanos(this, endNs - world.nowNs());
        }
        waiter = null;
        for (Runnable chore = chores.poll(); chore != null; chore = chores.poll()) {
            chore.run();
        }
        boolean was = event;
        event = false;
        return was;
    }

    @Override
    public void wakeup() {
        event = true;
        if (waiter != null) {
            LockSupport.unpark(waiter);
        }
    }

    @Override
    public void close() {
        // nothing to give back
    }
}
