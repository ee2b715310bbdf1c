package org.jvrpc.runtime.server;

import java.util.Arrays;
import org.jvrpc.runtime.IdleStrategy;
import org.jvrpc.runtime.session.Link;
import org.jvrpc.runtime.session.SessionPoller;
import org.jvrpc.runtime.thread.Events;
import org.jvrpc.runtime.thread.Idler;
import org.jvrpc.runtime.thread.Inbox;
import org.jvrpc.verbs.rare.Rare;

/** The poller thread of a server: polls every session, runs light methods, sends answers. */
final class ServerPoller extends SessionPoller {

    private static final long FOREVER_NS = 3_600_000_000_000L;
    /** After a longer time between two looks at the clock, calls may lie in the queues that nobody waits for. */
    private static final long PAUSE_NS = 10_000_000;
    /** A round that a pause fell into, and the next. */
    private static final int ROUNDS_AFTER_PAUSE = 2;

    private final ServerCore server;
    private final Inbox<ServerSession> arrivals = new Inbox<>();
    private final Departure departure = new Departure(this);
    private ServerSession[] sessions = new ServerSession[0];
    private volatile boolean goAway;
    private volatile boolean quiet;
    private volatile boolean ended;
    private boolean toldToGoAway;
    private long lookedNs = clock().nanoTime();
    private int roundsAfterPause;
    private long nextKeepAliveNs = clock().nanoTime();

    ServerPoller(ServerCore server, Events events, IdleStrategy strategy, String name) {
        super(server.settings().environment(), events, Idler.ofPoller(strategy), "jvrpc-poller-" + name,
                Math.min(FOREVER_NS, server.settings().keepAliveNs() / Link.LOOKS_FOR_LIFE));
        this.server = server;
    }

    /** Takes a session over. Any thread. */
    void add(ServerSession session) {
        arrivals.add(session);
        if (ended) { // it was being connected meanwhile, and is nobody's
            Rare.reached("a session of calls arrives after the end");
            buryArrivals();
        }
        events().wakeup();
    }

    /** Has every session told that no new calls are taken. Any thread. */
    void goAway() {
        goAway = true;
        events().wakeup();
    }

    /**
     * Returns true when every session was told to go away, the last round found nothing to do and no call that is not
     * over, and the clients have their answers. Any thread.
     */
    boolean isQuiet() {
        return quiet;
    }

    @Override
    protected void failed() {
        server.pollerFailed();
    }

    @Override
    protected void end() {
        for (ServerSession session : sessions) {
            server.bury(session);
        }
        ended = true; // before the last look: who comes behind it sees this
        buryArrivals();
    }

    private void buryArrivals() {
        for (ServerSession session = arrivals.poll(); session != null; session = arrivals.poll()) {
            server.bury(session);
        }
    }

    @Override
    protected int pollAll() {
        int work = 0;
        int batch = batch(sessions.length);
        int pending = 0;
        for (ServerSession session : sessions) {
            try {
                work += session.poll(batch);
            } catch (Throwable t) {
                abandon(session, t);
            }
            pending += session.open();
        }
        if (roundsAfterPause > 0) {
            roundsAfterPause--;
        }
        if (toldToGoAway) {
            boolean rests = work + pending == 0 && !anyUnfinished();
            if (!rests) {
                departure.goOn();
            }
            quiet = rests && departure.haveLeft(sessions, clock().nanoTime());
        }
        if (arrivals.isFilled()) {
            work++;
            takeArrivals();
        }
        return work;
    }

    /** Ends a session that failed, and no other. */
    void abandon(ServerSession session, Throwable cause) {
        Rare.reached("a session of a server fails");
        session.abandon(cause);
        try {
            session.link().breakOff();
        } catch (Throwable t) {
            cause.addSuppressed(t); // it is closed soon in any case
        }
    }

    private void takeArrivals() {
        for (ServerSession session = arrivals.peek(); session != null; session = arrivals.peek()) {
            ServerSession[] more = Arrays.copyOf(sessions, sessions.length + 1);
            more[sessions.length] = session;
            arrivals.poll();
            sessions = more;
            if (toldToGoAway) {
                session.goAway();
            }
        }
    }

    // ---- pauses

    /**
     * Returns true when this thread has not run for a while, for a handler, the collector or the system held it up:
     * what lies in the queues may be older than its callers' patience.
     */
    boolean hasPaused() {
        if (roundsAfterPause == 0) {
            looked(clock().nanoTime());
        }
        return roundsAfterPause > 0;
    }

    @Override
    protected void looked(long nowNs) {
        if (nowNs - lookedNs > PAUSE_NS) {
            roundsAfterPause = ROUNDS_AFTER_PAUSE;
        }
        lookedNs = nowNs;
    }

    /** The process may have been stopped while this thread slept, which nothing tells. */
    @Override
    protected void woken(long nowNs) {
        roundsAfterPause = ROUNDS_AFTER_PAUSE;
        lookedNs = nowNs;
    }

    // ----

    @Override
    protected void housekeeping() {
        keepAlive();
        if (goAway && !toldToGoAway) {
            toldToGoAway = true;
            for (ServerSession session : sessions) {
                session.goAway();
            }
        }
        int alive = 0;
        for (ServerSession session : sessions) {
            if (!session.link().isConnected()) {
                session.leave();
            }
            alive += session.isOver() ? 0 : 1;
        }
        if (alive == sessions.length) {
            return;
        }
        ServerSession[] rest = new ServerSession[alive];
        int n = 0;
        for (ServerSession session : sessions) {
            if (session.isOver()) {
                server.bury(session);
            } else {
                rest[n++] = session;
            }
        }
        sessions = rest;
    }

    private void keepAlive() {
        long nowNs = clock().nanoTime();
        if (nowNs - nextKeepAliveNs < 0) {
            return;
        }
        nextKeepAliveNs = nowNs + server.settings().keepAliveNs() / Link.LOOKS_FOR_LIFE;
        for (ServerSession session : sessions) {
            session.link().checkPeer(nowNs);
        }
    }

    @Override
    protected boolean isUnfinished() {
        return toldToGoAway && !quiet || anyUnfinished();
    }

    private boolean anyUnfinished() {
        for (ServerSession session : sessions) {
            if (session.isUnfinished()) {
                return true;
            }
        }
        return false;
    }

    @Override
    protected void arm() {
        for (ServerSession session : sessions) {
            try {
                session.link().arm();
            } catch (Throwable t) {
                abandon(session, t);
            }
        }
    }

    @Override
    protected void disarm() {
        for (ServerSession session : sessions) {
            try {
                session.link().disarm();
            } catch (Throwable t) {
                abandon(session, t);
            }
        }
    }
}
