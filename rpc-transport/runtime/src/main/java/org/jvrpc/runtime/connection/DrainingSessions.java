package org.jvrpc.runtime.connection;

import java.util.ArrayList;
import java.util.List;
import org.jvrpc.runtime.client.ClientSession;
import org.jvrpc.runtime.thread.Clock;

/** A client's sessions that take no new calls, until their calls have ended. Any thread; looked after by one. */
public final class DrainingSessions {

    /** How long callers whose calls have failed may take to leave their slots, when the client is closed. */
    private static final long CALLERS_LEAVE_NS = 500_000_000;
    private static final long CALLERS_LOOK_NS = 50_000;

    private static final int MOST_POLLS = 64;

    private final Clock clock;
    private final List<ClientSession> sessions = new ArrayList<>();

    public DrainingSessions(Clock clock) {
        this.clock = clock;
    }

    public synchronized void add(ClientSession session) {
        sessions.add(session);
    }

    public synchronized boolean isEmpty() {
        return sessions.isEmpty();
    }

    /** Returns true when calls are in flight that nobody polls for. */
    public synchronized boolean hasUnattended() {
        return sessions.stream().anyMatch(session -> session.unattended() > 0);
    }

    /** Calls the callbacks that are due. Event thread. */
    public void callBack() {
        if (isEmpty()) {
            return;
        }
        List<ClientSession> all;
        synchronized (this) {
            all = List.copyOf(sessions);
        }
        all.forEach(session -> session.callbacks().run());
    }

    /** Polls, keeps deadlines, and gives the memory back of sessions that nobody waits for any more. */
    public void lookAfter(SessionFactory factory) {
        if (isEmpty()) {
            return;
        }
        List<ClientSession> all;
        synchronized (this) {
            all = List.copyOf(sessions);
        }
        for (ClientSession session : all) { // without the monitor: dependents of futures run here
            int polls = 0;
            while (session.tryPoll() && ++polls < MOST_POLLS) {
                // a long answer comes by pieces
            }
            session.tick(clock.nanoTime());
            session.peerChecks().look(clock.nanoTime());
            if (!session.link().isConnected()) {
                session.end();
            }
            boolean over = session.isDrained();
            synchronized (this) {
                over = over && sessions.remove(session);
            }
            if (over) {
                bury(session, factory);
            }
        }
    }

    private static void bury(ClientSession session, SessionFactory factory) {
        session.end();
        factory.bury(session);
    }

    /** Ends them all. */
    public void close(SessionFactory factory) {
        List<ClientSession> rest;
        synchronized (this) {
            rest = new ArrayList<>(sessions);
            sessions.clear();
        }
        rest.forEach(session -> buryOrLeave(session, factory));
    }

    /** A caller may still be writing its arguments to its slot: then the memory goes later, with its mapping. */
    private void buryOrLeave(ClientSession session, SessionFactory factory) {
        session.awaitLeft();
        session.end();
        long startNs = clock.nanoTime();
        while (!session.isDrained()) {
            if (clock.nanoTime() - startNs > CALLERS_LEAVE_NS) {
                session.link().disconnect();
                return;
            }
            session.callbacks().run();
            clock.parkNanos(this, CALLERS_LOOK_NS);
        }
        factory.bury(session);
    }
}
