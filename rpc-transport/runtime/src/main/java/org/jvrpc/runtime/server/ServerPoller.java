package org.jvrpc.runtime.server;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jvrpc.runtime.IdleStrategy;
import org.jvrpc.runtime.poll.LifeLooks;
import org.jvrpc.runtime.poll.Roster;
import org.jvrpc.runtime.poll.SessionPoller;
import org.jvrpc.runtime.poll.Walk;
import org.jvrpc.runtime.session.Link;
import org.jvrpc.runtime.thread.Events;
import org.jvrpc.runtime.thread.Idler;
import org.jvrpc.runtime.thread.Inbox;
import org.jvrpc.verbs.rare.Rare;

/** A poller thread of a server: polls its sessions, runs their light methods, sends answers. */
final class ServerPoller extends SessionPoller {

    private static final long FOREVER_NS = 3_600_000_000_000L;
    /** After a longer time between two looks at the clock, calls may lie in the queues that nobody waits for. */
    private static final long PAUSE_NS = 10_000_000;
    /** A round that a pause fell into, and the next. */
    private static final int ROUNDS_AFTER_PAUSE = 2;

    private final ServerCore server;
    /** Null where nothing is counted. */
    private final ServerCounters.Of counters;
    private final Inbox<ServerSession> arrivals = new Inbox<>();
    private final Departure departure = new Departure(this);
    private final Sessions sessions = new Sessions();
    /** The sessions that it has, or that arrive. */
    private final Set<ServerSession> present = ConcurrentHashMap.newKeySet();
    private volatile boolean goAway;
    private volatile boolean quiet;
    private volatile boolean ended;
    private boolean toldToGoAway;
    private long lookedNs = clock().nanoTime();
    private int roundsAfterPause;
    private final LifeLooks lives;
    private final Walk seen = new Walk(Walk.MANY);
    /** A session is over and polled still. */
    private boolean anyOver;

    /** Those that are polled. */
    private final class Sessions extends Roster<ServerSession> {

        Sessions() {
            super(ServerSession[]::new);
        }

        @Override
        protected int poll(ServerSession session, int batch) {
            try {
                return session.poll(batch);
            } catch (Throwable t) {
                abandon(session, t);
                return 0;
            }
        }

        @Override
        protected boolean rests(ServerSession session) {
            return session.open() == 0 && !session.isUnfinished();
        }

        @Override
        protected void silenced(ServerSession session) {
            session.link().rest();
        }
    }

    ServerPoller(ServerCore server, Events events, IdleStrategy strategy, String name) {
        super(server.settings().environment(), events, Idler.ofPoller(strategy, server.clock()), "jvrpc-poller-" + name,
                Math.min(FOREVER_NS, server.settings().keepAliveNs() / Link.LOOKS_FOR_LIFE));
        this.server = server;
        this.counters = ServerCounters.Of.of(server);
        this.lives = new LifeLooks(server.settings().keepAliveNs(), clock().nanoTime());
    }

    ServerCounters.Of counters() {
        return counters;
    }

    /** Takes a session over. Any thread. */
    void add(ServerSession session) {
        if (session.counters() != null) {
            session.counters().begin(session.peerHost());
        }
        present.add(session);
        arrivals.add(session);
        if (ended) { // it was being connected meanwhile, and is nobody's
            Rare.reached("a session of calls arrives after the end");
            buryArrivals();
        }
        events().wakeup();
    }

    /** Returns how many sessions it has. Any thread. */
    int load() {
        return present.size();
    }

    /** Does something with each session, which goes on meanwhile. Any thread. */
    void forEach(Consumer<ServerSession> what) {
        present.forEach(what);
    }

    private void bury(ServerSession session) {
        present.remove(session);
        server.bury(session);
    }

    /** Has every session told that no new calls are taken. Any thread. */
    void goAway() {
        goAway = true;
        events().wakeup();
    }

    /**
     * Returns true when every session was told to go away, the last round found nothing to do and no call that somebody
     * waits for, and the clients have their answers. Any thread.
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
        for (int i = 0; i < sessions.size(); i++) {
            bury(sessions.get(i));
        }
        ended = true; // before the last look: who comes behind it sees this
        buryArrivals();
    }

    private void buryArrivals() {
        for (ServerSession session = arrivals.poll(); session != null; session = arrivals.poll()) {
            bury(session);
        }
    }

    @Override
    protected int pollAll() {
        return polled(sessions.pollAll());
    }

    @Override
    protected int pollSome() {
        boolean all = toldToGoAway || roundsAfterPause > 0;
        return polled(all ? sessions.pollAll() : sessions.pollSome());
    }

    private int polled(int work) {
        if (roundsAfterPause > 0) {
            roundsAfterPause--;
        }
        if (toldToGoAway) {
            boolean rests = work == 0 && !anyOpenOrUnfinished();
            if (!rests) {
                departure.goOn();
            }
            quiet = rests && departure.haveLeft(sessions, clock().nanoTime());
        }
        if (arrivals.isFilled()) {
            takeArrivals();
            return work + 1;
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
            sessions.add(session); // or it stays with those that arrive, for want of memory
            arrivals.poll();
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
        if (counters != null) {
            counters.sleeps();
        }
        seen.hurry(); // each was armed for the sleep in any case
    }

    // ----

    @Override
    protected void housekeeping() {
        long nowNs = clock().nanoTime();
        for (int i = lives.begin(nowNs, sessions.size()); i < lives.end(); i++) {
            sessions.get(i).link().checkPeer(nowNs);
        }
        if (goAway && !toldToGoAway) {
            toldToGoAway = true;
            for (int i = 0; i < sessions.size(); i++) {
                sessions.get(i).goAway();
            }
        }
        buryThoseThatAreOver();
        sessions.age();
    }

    private void buryThoseThatAreOver() {
        for (int i = seen.begin(sessions.size()); i < seen.end(); i++) {
            ServerSession session = sessions.get(i);
            if (!session.link().isConnected()) {
                session.leave();
            }
            anyOver |= session.isOver();
        }
        if (anyOver && !seen.isUnderWay()) {
            anyOver = false;
            sessions.retain(session -> !session.isOver(), this::bury);
        }
    }

    @Override
    protected boolean isUnfinished() {
        return lives.areUnderWay() || !seen.hasMetAllAtOnce() || toldToGoAway && !quiet || anyUnfinished();
    }

    private boolean anyUnfinished() {
        for (int i = 0; i < sessions.size(); i++) {
            if (sessions.get(i).isUnfinished()) {
                return true;
            }
        }
        return false;
    }

    private boolean anyOpenOrUnfinished() {
        for (int i = 0; i < sessions.size(); i++) {
            if (sessions.get(i).open() > sessions.get(i).slots().givenUp()) {
                return true;
            }
        }
        return anyUnfinished();
    }

    @Override
    protected void arm() {
        for (int i = 0; i < sessions.size(); i++) {
            ServerSession session = sessions.get(i);
            try {
                session.link().arm();
            } catch (Throwable t) {
                abandon(session, t);
            }
        }
    }

    @Override
    protected void disarm() {
        for (int i = 0; i < sessions.size(); i++) {
            ServerSession session = sessions.get(i);
            try {
                session.link().disarm();
            } catch (Throwable t) {
                abandon(session, t);
            }
        }
    }
}
