package org.jvrpc.runtime.message;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.jvrpc.runtime.counters.write.Endpoint;
import org.jvrpc.runtime.poll.LifeLooks;
import org.jvrpc.runtime.poll.Roster;
import org.jvrpc.runtime.poll.SessionPoller;
import org.jvrpc.runtime.thread.Environment;
import org.jvrpc.runtime.thread.Events;
import org.jvrpc.runtime.thread.Idler;
import org.jvrpc.verbs.rare.Rare;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A thread that polls message sessions and hands their frames out. */
final class MessagePoller extends SessionPoller {

    private static final Logger LOG = LoggerFactory.getLogger(MessagePoller.class);
    /** The longest sleep: who closes and waits for a peer that makes no room is looked after. */
    private static final long SLEEP_NS = 500_000_000;

    private final Consumer<FrameSession> buried;
    private final Runnable failed;
    private final Endpoint counters;
    private final Queue<FrameSession> arrivals = new ConcurrentLinkedQueue<>();
    private final LifeLooks lives;
    private final Sessions sessions = new Sessions();
    /** A session is over and polled still. */
    private boolean anyOver;
    private volatile boolean ended;

    /** Those that are polled. */
    private final class Sessions extends Roster<FrameSession> {

        Sessions() {
            super(FrameSession[]::new);
        }

        @Override
        protected int poll(FrameSession session, int batch) {
            int work = 0;
            try {
                work = session.poll(batch);
            } catch (Throwable t) {
                end(session, t);
            }
            anyOver |= session.isOver();
            return work;
        }

        @Override
        protected boolean rests(FrameSession session) {
            return session.rests();
        }

        @Override
        protected void silenced(FrameSession session) {
            synchronized (session) { // as senders do
                session.link().rest();
            }
        }
    }

    /**
     * @param buried told of each session that is over and not polled any more
     * @param failed called when the thread gives up
     * @param counters of the server, null where nothing is counted
     */
    MessagePoller(
            Environment environment,
            Events events,
            Idler idler,
            String name,
            long keepAliveNs,
            Consumer<FrameSession> buried,
            Runnable failed,
            Endpoint counters) {
        super(environment, events, idler, "jvrpc-messages-" + name, SLEEP_NS);
        this.lives = new LifeLooks(keepAliveNs, clock().nanoTime());
        this.buried = buried;
        this.failed = failed;
        this.counters = counters;
    }

    /** Takes a session over. Any thread. */
    void add(FrameSession session) {
        arrivals.add(session);
        if (ended) { // it was being connected meanwhile, and is nobody's
            Rare.reached("a message session arrives after the end");
            for (FrameSession late = arrivals.poll(); late != null; late = arrivals.poll()) {
                buried.accept(late);
            }
        }
        events().wakeup();
    }

    @Override
    protected void end() {
        ended = true; // before the last look: who comes behind it sees this
        takeArrivals();
        for (int i = 0; i < sessions.size(); i++) {
            end(sessions.get(i), null);
            buried.accept(sessions.get(i));
        }
    }

    @Override
    protected void failed() {
        failed.run();
    }

    @Override
    protected void woken(long nowNs) {
        if (counters != null) {
            counters.sleeps();
        }
    }

    @Override
    protected boolean isUnfinished() {
        if (lives.areUnderWay()) {
            return true;
        }
        for (int i = 0; i < sessions.size(); i++) {
            if (sessions.get(i).link().isBehind() || sessions.get(i).isAhead()) {
                return true;
            }
        }
        return false;
    }

    @Override
    protected int pollAll() {
        return polled(sessions.pollAll());
    }

    @Override
    protected int pollSome() {
        return polled(sessions.pollSome());
    }

    private int polled(int work) {
        if (anyOver) {
            anyOver = false;
            sessions.retain(session -> !session.isOver(), buried);
        }
        return !arrivals.isEmpty() ? work + takeArrivals() : work;
    }

    private int takeArrivals() {
        int count = 0;
        for (FrameSession session = arrivals.poll(); session != null; session = arrivals.poll()) {
            sessions.add(session);
            count++;
            try {
                session.handler().opened(session);
            } catch (Throwable t) {
                LOG.warn("session {} is ended by its handler", session.id(), t);
                end(session, t);
            }
        }
        return count;
    }

    /** Ends a session that failed, and no other, whatever its handler does about it. */
    private static void end(FrameSession session, Throwable cause) {
        try {
            session.end(cause);
        } catch (Throwable t) {
            LOG.error("session {}: its handler failed at its end", session.id(), t);
        }
    }

    @Override
    protected void housekeeping() {
        long nowNs = clock().nanoTime(); // each poll looks for sessions that are over
        for (int i = lives.begin(nowNs, sessions.size()); i < lives.end(); i++) {
            FrameSession session = sessions.get(i);
            synchronized (session) { // as senders do
                session.link().checkPeer(nowNs);
            }
        }
        sessions.age();
    }

    @Override
    protected void arm() {
        for (int i = 0; i < sessions.size(); i++) {
            FrameSession session = sessions.get(i);
            try {
                session.link().arm();
            } catch (Throwable t) {
                end(session, t);
            }
        }
    }

    @Override
    protected void disarm() {
        for (int i = 0; i < sessions.size(); i++) {
            FrameSession session = sessions.get(i);
            try {
                session.link().disarm();
            } catch (Throwable t) {
                end(session, t);
            }
        }
    }
}
