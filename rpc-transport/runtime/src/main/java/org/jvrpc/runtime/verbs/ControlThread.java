package org.jvrpc.runtime.verbs;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.runtime.thread.Environment;
import org.jvrpc.runtime.thread.LogLimit;
import org.jvrpc.verbs.ConnectionRequest;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.Listener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server's thread for all that is not its sessions' traffic: takes who wants to connect, gives back what dead
 * sessions had, and notices that the device is gone. Any thread.
 */
final class ControlThread {

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
    interface Server {

        /** Returns who wants to connect, or null. Control thread. */
        ConnectionRequest poll();

        /** Answers who wants to connect. Control thread. */
        void accept(ConnectionRequest request);

        /** Goes on with those who were answered; false where there was nothing to do. Control thread. */
        default boolean settle() {
            return false;
        }

        /** Gives up those who were answered and have no session yet. Control thread. */
        default void leave() {
            // nobody
        }

        /** Ends the server, whose device is gone; returns soon, for the end waits for this thread. Control thread. */
        void deviceIsGone();
    }

    private final Server server;
    private final Device device;
    private final Clock clock;
    private final EventChannel channel;
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

    /** @param name of the thread */
    ControlThread(String name, Server server, Device device, Environment environment) {
        this.server = server;
        this.device = device;
        this.clock = environment.clock();
        this.channel = device.createChannel();
        this.thread = environment.threads().make(this::run, name);
    }

    void start() {
        thread.start();
    }

    /** Listens at an address; who connects there wakes the thread. */
    Listener listen(String address) {
        return device.listen(address, channel);
    }

    boolean isCurrent() {
        return Thread.currentThread() == thread;
    }

    /** Has what a dead session had given back. */
    void bury(Runnable burial) {
        burials.add(burial);
        channel.wakeup();
    }

    private void run() {
        while (!stopping) {
            try {
                if (!look()) {
                    pause();
                }
                if (device.isLost() && !lost && !ending) {
                    lost = true;
                    LOG.error("device {} is gone: {} ends", device.name(), thread.getName());
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
            channel.await(crowded ? 0 : WAIT_NS);
            crowded = false;
            int left = MOST_REQUESTS;
            for (ConnectionRequest next = server.poll(); next != null; next = left > 0 ? server.poll() : null) {
                worked = true;
                left--;
                crowded = left == 0;
                server.accept(next);
            }
            worked |= server.settle();
        } finally {
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
    void expectEnd() {
        ending = true;
    }

    /** Ends the thread, after it has given back all that is dead, and waits for that. Not the thread itself. */
    void stop() {
        ending = true;
        stopping = true;
        channel.wakeup();
        try {
            thread.join(END_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
