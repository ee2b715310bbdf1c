package org.jvrpc.runtime.transport;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.runtime.thread.Environment;
import org.jvrpc.runtime.thread.Events;
import org.jvrpc.runtime.thread.LogLimit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server's thread for all that is not its sessions' traffic: takes who wants to connect, gives back what dead
 * sessions had, and notices that the device is gone. Any thread.
 */
public final class ControlThread {

    private static final Logger LOG = LoggerFactory.getLogger(ControlThread.class);
    private static final long WAIT_NS = 500_000_000;
    private static final long END_MS = 5000;
    /** Of one look: those who come after many others do not keep those from being looked after. */
    private static final int MOST_REQUESTS = 32;
    private static final long LOG_PERIOD_NS = 10_000_000_000L;
    /** Waits in a row that end early without work, after which the thread pauses: what ends them does not go away. */
    private static final int EMPTY_WAITS = 16;
    private static final long FIRST_PAUSE_NS = 1_000_000;
    private static final long LONGEST_PAUSE_NS = 100_000_000;

    /** The server. */
    public interface Server {

        /** Answers those who want to connect, so many at most; returns how many there were. Control thread. */
        int accept(int most);

        /** Goes on with those who were answered; false where there was nothing to do. Control thread. */
        default boolean settle() {
            return false;
        }

        /** Returns what is gone for good, so that the server ends; null while nothing is. Control thread. */
        default String lost() {
            return null;
        }

        /** Gives up those who were answered and have no session yet. Control thread. */
        default void leave() {
            // nobody
        }

        /** Ends the server, whose device is gone; returns soon, for the end waits for this thread. Control thread. */
        void deviceIsGone();
    }

    private final Server server;
    private final Clock clock;
    private final Events events;
    private final Queue<Runnable> burials = new ConcurrentLinkedQueue<>();
    private final Thread thread;
    private final LogLimit logLimit = new LogLimit(LOG_PERIOD_NS);
    /** More may want to connect than were taken. */
    private boolean crowded;
    private int emptyWaits;
    private long pauseNs = FIRST_PAUSE_NS;
    private boolean lost;
    private volatile boolean ending;
    private volatile boolean stopping;

    /**
     * @param name of the thread
     * @param events where it waits for those who connect
     */
    public ControlThread(String name, Server server, Events events, Environment environment) {
        this.server = server;
        this.clock = environment.clock();
        this.events = events;
        this.thread = environment.threads().make(this::run, name);
    }

    public void start() {
        thread.start();
    }

    public boolean isCurrent() {
        return Thread.currentThread() == thread;
    }

    /** Returns true while the thread runs, unless it is the caller. */
    public boolean isElsewhere() {
        return thread.isAlive() && !isCurrent();
    }

    /** Has what a dead session had given back. */
    public void bury(Runnable burial) {
        burials.add(burial);
        events.wakeup();
    }

    private void run() {
        while (!stopping) {
            try {
                if (!look()) {
                    pause();
                }
                String gone = lost || ending ? null : server.lost();
                if (gone != null) {
                    lost = true;
                    LOG.error("{} is gone: {} ends", gone, thread.getName());
                    server.deviceIsGone();
                }
            } catch (Throwable t) { // without this thread nobody connects, and nothing is given back
                failed(t);
            }
        }
        server.leave();
        buryDead();
    }

    /** Waits, and does what there is to do; false when a wait ended early for nothing, as it did before. */
    private boolean look() {
        long startNs = clock.nanoTime();
        boolean worked = false;
        try {
            events.await(crowded ? 0 : WAIT_NS);
            crowded = false;
            int taken = server.accept(MOST_REQUESTS);
            crowded = taken >= MOST_REQUESTS;
            worked = taken > 0;
        } finally {
            worked |= server.settle(); // also where nobody can be taken, for want of descriptors perhaps
            worked |= buryDead();
            emptyWaits = worked || clock.nanoTime() - startNs >= FIRST_PAUSE_NS ? 0 : emptyWaits + 1;
            pauseNs = emptyWaits == 0 ? FIRST_PAUSE_NS : pauseNs;
        }
        return emptyWaits < EMPTY_WAITS;
    }

    private void failed(Throwable t) {
        long kept = logLimit.pass(clock.nanoTime());
        if (!ending && kept != LogLimit.KEEP_BACK) {
            LOG.error("{} goes on after a failure, {} more since the last", thread.getName(), kept, t);
        }
        pause();
    }

    /**
     * Lets the processor be, longer each time: a listener that cannot take who wants to connect, where there are no
     * descriptors, is ready all the same.
     */
    private void pause() {
        clock.parkNanos(this, pauseNs);
        Thread.interrupted();
        pauseNs = Math.min(2 * pauseNs, LONGEST_PAUSE_NS);
    }

    private boolean buryDead() {
        boolean any = false;
        for (Runnable burial = burials.poll(); burial != null; burial = burials.poll()) {
            any = true;
            try {
                burial.run();
            } catch (Throwable t) {
                LOG.warn("{}: closing a session: {}", thread.getName(), t.toString());
            }
        }
        return any;
    }

    /** Has what fails from now on told to nobody, for it is the end; sessions are buried until {@link #stop}. */
    public void expectEnd() {
        ending = true;
    }

    /** Ends the thread, after it has given back all that is dead, and waits for that. Not the thread itself. */
    public void stop() {
        ending = true;
        stopping = true;
        events.wakeup();
        try {
            thread.join(END_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
