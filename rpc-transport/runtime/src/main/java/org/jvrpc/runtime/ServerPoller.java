package org.jvrpc.runtime;

import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jvrpc.verbs.EventChannel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The poller thread of a server: polls every session, runs light methods, sends answers. */
final class ServerPoller extends SessionPoller {

    private static final Logger LOG = LoggerFactory.getLogger(ServerPoller.class);
    private static final long FOREVER_NS = 3_600_000_000_000L;

    private final RpcServer server;
    private final Queue<ServerSession> arrivals = new ConcurrentLinkedQueue<>();
    private ServerSession[] sessions = new ServerSession[0];
    private volatile boolean goAway;
    private volatile int open;
    private boolean toldToGoAway;

    ServerPoller(RpcServer server, EventChannel channel, IdleStrategy strategy, String name) {
        super(channel, Idler.ofPoller(strategy), "jvrpc-poller-" + name, FOREVER_NS);
        this.server = server;
    }

    /** Takes a session over. Any thread. */
    void add(ServerSession session) {
        arrivals.add(session);
        channel().wakeup();
    }

    /** Has every session told that no new calls are taken. Any thread. */
    void goAway() {
        goAway = true;
        channel().wakeup();
    }

    /** Returns the number of calls that are not answered; a poll old. */
    int open() {
        return open;
    }

    @Override
    void end() {
        for (ServerSession session : sessions) {
            server.bury(session);
        }
        for (ServerSession session = arrivals.poll(); session != null; session = arrivals.poll()) {
            server.bury(session);
        }
    }

    @Override
    int pollAll() {
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
            ServerSession[] more = Arrays.copyOf(sessions, sessions.length + 1);
            more[sessions.length] = session;
            sessions = more;
            if (goAway) {
                session.goAway();
            }
        }
    }

    @Override
    void housekeeping() {
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
        sessions = n == alive ? rest : Arrays.copyOf(rest, n);
    }

    @Override
    void arm() {
        for (ServerSession session : sessions) {
            session.link().arm();
        }
    }

    @Override
    void disarm() {
        for (ServerSession session : sessions) {
            session.link().disarm();
        }
    }
}
