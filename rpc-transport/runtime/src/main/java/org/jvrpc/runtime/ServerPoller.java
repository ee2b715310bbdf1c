package org.jvrpc.runtime;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jvrpc.verbs.EventChannel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The poller thread of a server: polls every session, runs light methods, sends answers; sleeps on the channel when the
 * idle strategy says so.
 */
final class ServerPoller implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(ServerPoller.class);
    private static final int BATCH = 32;
    private static final int LOOPS_PER_LOOK = 64;
    /** Polls without a pause between them: a poll is one, and a pause would cost what a call takes. */
    private static final int TIGHT_LOOPS = 128;
    private static final long HOUSEKEEPING_NS = 1_000_000;
    private static final long FOREVER_NS = 3_600_000_000_000L;

    private final RpcServer server;
    private final EventChannel channel;
    private final Idler idler;
    private final Thread thread;
    private final Queue<ServerSession> arrivals = new ConcurrentLinkedQueue<>();
    private ServerSession[] sessions = new ServerSession[0];
    private volatile boolean asleep;
    private volatile boolean stopped;
    private volatile boolean goAway;
    private volatile int open;
    private long nextHousekeepingNs;
    private boolean toldToGoAway;

    ServerPoller(RpcServer server, EventChannel channel, IdleStrategy strategy, String name) {
        this.server = server;
        this.channel = channel;
        this.idler = Idler.ofPoller(strategy);
        this.thread = new Thread(this, "jvrpc-poller-" + name);
        this.thread.setDaemon(true);
    }

    EventChannel channel() {
        return channel;
    }

    void start() {
        thread.start();
    }

    /** Takes a session over. Any thread. */
    void add(ServerSession session) {
        arrivals.add(session);
        channel.wakeup();
    }

    /** There is something to do. Any thread; called after the work was queued. */
    void wake() {
        if (asleep) {
            channel.wakeup();
        }
    }

    /** Has every session told that no new calls are taken. Any thread. */
    void goAway() {
        goAway = true;
        channel.wakeup();
    }

    /** Returns the number of calls that are not answered; a poll old. */
    int open() {
        return open;
    }

    boolean isStopped() {
        return stopped;
    }

    void stop() {
        stopped = true;
        channel.wakeup();
        if (Thread.currentThread() != thread) {
            try {
                thread.join(5000);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void run() {
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
                housekeeping();
            }
            if (worked) {
                worked = false;
                idler.busy();
            } else if (idler.idle(nowNs)) {
                sleep(nowNs);
            }
        }
        for (ServerSession session : sessions) {
            server.bury(session);
        }
        for (ServerSession session = arrivals.poll(); session != null; session = arrivals.poll()) {
            server.bury(session);
        }
    }

    private int pollAll() {
        int work = 0;
        int pending = 0;
        for (ServerSession session : sessions) {
            try {
                work += session.poll(BATCH);
            } catch (RuntimeException | Error e) {
                LOG.error("session {} failed", session.id(), e);
                session.connection().qp().error();
            }
            pending += session.open();
        }
        if (open != pending) {
            open = pending;
        }
        if (!arrivals.isEmpty()) {
            work++;
            takeArrivals();
        }
        return work;
    }

    private void takeArrivals() {
        for (ServerSession session = arrivals.poll(); session != null; session = arrivals.poll()) {
            ServerSession[] more = java.util.Arrays.copyOf(sessions, sessions.length + 1);
            more[sessions.length] = session;
            sessions = more;
            if (goAway) {
                session.goAway();
            }
        }
    }

    private void housekeeping() {
        if (goAway && !toldToGoAway) {
            toldToGoAway = true;
            for (ServerSession session : sessions) {
                session.goAway();
            }
        }
        int alive = 0;
        for (ServerSession session : sessions) {
            alive += session.isConnected() ? 1 : 0;
        }
        if (alive == sessions.length) {
            return;
        }
        ServerSession[] rest = new ServerSession[alive];
        int n = 0;
        for (ServerSession session : sessions) {
            if (n < alive && session.isConnected()) {
                rest[n++] = session;
            } else {
                server.bury(session);
            }
        }
        sessions = n == alive ? rest : java.util.Arrays.copyOf(rest, n);
    }

    /** Arms every queue, looks once more, then waits. */
    private void sleep(long nowNs) {
        asleep = true;
        for (ServerSession session : sessions) {
            session.link().arm();
        }
        if (pollAll() == 0 && !stopped) {
            idler.sleeps(nowNs);
            channel.await(FOREVER_NS);
            idler.woken(System.nanoTime());
            nextHousekeepingNs = nowNs;
        } else {
            idler.busy();
        }
        asleep = false;
        for (ServerSession session : sessions) {
            session.link().disarm();
        }
    }
}
