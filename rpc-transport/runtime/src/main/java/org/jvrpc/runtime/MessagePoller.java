package org.jvrpc.runtime;

import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.jvrpc.verbs.EventChannel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A thread that polls message sessions and hands their frames out; sleeps when its idle strategy says so. */
final class MessagePoller implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(MessagePoller.class);
    private static final int BATCH = 32;
    private static final int LOOPS_PER_LOOK = 64;
    private static final int TIGHT_LOOPS = 128;
    private static final long HOUSEKEEPING_NS = 1_000_000;
    /** The longest sleep: who closes and waits for a peer that makes no room is looked after. */
    private static final long SLEEP_NS = 500_000_000;
    private static final long STOP_MS = 5000;

    private final EventChannel channel;
    private final Consumer<MessageLink> buried;
    private final Idler idler;
    private final Thread thread;
    private final Queue<MessageLink> arrivals = new ConcurrentLinkedQueue<>();
    private MessageLink[] sessions = new MessageLink[0];
    private volatile boolean asleep;
    private volatile boolean stopped;

    /** @param buried told of each session that is over and not polled any more */
    MessagePoller(EventChannel channel, Idler idler, String name, Consumer<MessageLink> buried) {
        this.channel = channel;
        this.buried = buried;
        this.idler = idler;
        this.thread = new Thread(this, "jvrpc-messages-" + name);
        this.thread.setDaemon(true);
    }

    EventChannel channel() {
        return channel;
    }

    Thread thread() {
        return thread;
    }

    void start() {
        thread.start();
    }

    /** Takes a session over. Any thread. */
    void add(MessageLink session) {
        arrivals.add(session);
        channel.wakeup();
    }

    /** There is something to do that no completion tells of. Any thread; called after it was noted. */
    void wake() {
        if (asleep) {
            channel.wakeup();
        }
    }

    /** Ends all sessions and the thread. Any thread. */
    void stop() {
        stopped = true;
        channel.wakeup();
        if (Thread.currentThread() != thread) {
            try {
                thread.join(STOP_MS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void run() {
        long nextHousekeepingNs = System.nanoTime();
        int quiet = 0;
        int loops = 0;
        boolean worked = false;
        while (!stopped) {
            if (pollAll() > 0) {
                worked = true;
                quiet = 0;
            } else if (++quiet > TIGHT_LOOPS) {
                Thread.onSpinWait();
            }
            if (++loops < LOOPS_PER_LOOK) {
                continue;
            }
            loops = 0;
            long nowNs = System.nanoTime();
            if (nowNs - nextHousekeepingNs >= 0) {
                nextHousekeepingNs = nowNs + HOUSEKEEPING_NS;
                channel.await(0);
            }
            if (worked) {
                worked = false;
                idler.busy();
            } else if (idler.idle(nowNs)) {
                sleep(nowNs);
            }
        }
        takeArrivals();
        for (MessageLink session : sessions) {
            session.end(null);
            buried.accept(session);
        }
    }

    private int pollAll() {
        int work = 0;
        boolean ended = false;
        for (MessageLink session : sessions) {
            work += session.poll(BATCH);
            ended |= session.isOver();
        }
        if (ended) {
            letGo();
        }
        return !arrivals.isEmpty() ? work + takeArrivals() : work;
    }

    private int takeArrivals() {
        int count = 0;
        for (MessageLink session = arrivals.poll(); session != null; session = arrivals.poll()) {
            sessions = Arrays.copyOf(sessions, sessions.length + 1);
            sessions[sessions.length - 1] = session;
            count++;
            try {
                session.handler().opened(session);
            } catch (RuntimeException | Error e) {
                LOG.warn("session {} is ended by its handler", session.id(), e);
                session.end(e);
            }
        }
        return count;
    }

    private void letGo() {
        MessageLink[] old = sessions;
        sessions = Arrays.stream(old).filter(session -> !session.isOver()).toArray(MessageLink[]::new);
        for (MessageLink session : old) {
            if (session.isOver()) {
                buried.accept(session);
            }
        }
    }

    /** Arms every queue, looks once more, then waits. */
    private void sleep(long nowNs) {
        asleep = true;
        for (MessageLink session : sessions) {
            session.link().arm();
        }
        if (pollAll() == 0 && !stopped) {
            idler.sleeps(nowNs);
            channel.await(SLEEP_NS);
            idler.woken(System.nanoTime());
        } else {
            idler.busy();
        }
        asleep = false;
        for (MessageLink session : sessions) {
            session.link().disarm();
        }
    }
}
