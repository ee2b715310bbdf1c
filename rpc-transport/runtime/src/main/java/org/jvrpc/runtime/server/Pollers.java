package org.jvrpc.runtime.server;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;
import org.jvrpc.api.admin.SessionInfo;
import org.jvrpc.runtime.poll.SessionPoller;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.runtime.thread.Events;

/** The pollers of a server, and whose a new session is. Any thread, except for what is said to be for one. */
final class Pollers {

    private final ServerPoller[] pollers;
    private final Clock clock;

    /** @param events where each of them waits, by number */
    Pollers(ServerCore server, IntFunction<Events> events, String name) {
        clock = server.clock();
        pollers = new ServerPoller[server.settings().pollers()];
        for (int i = 0; i < pollers.length; i++) {
            pollers[i] = new ServerPoller(server, events.apply(i), server.settings().idle(),
                    pollers.length == 1 ? name : name + "-" + i);
        }
    }

    void start() {
        for (ServerPoller poller : pollers) {
            poller.start();
        }
    }

    ServerPoller get(int number) {
        return pollers[number];
    }

    /**
     * Returns the number of the one with the fewest sessions. The control thread, which alone adds some.
     *
     * @param waiting how many are to be each one's
     */
    int next(IntUnaryOperator waiting) {
        int least = 0;
        int fewest = Integer.MAX_VALUE;
        for (int i = 0; i < pollers.length; i++) {
            int load = pollers[i].load() + waiting.applyAsInt(i);
            if (load < fewest) {
                least = i;
                fewest = load;
            }
        }
        return least;
    }

    /** Returns the sessions that there are now. Any thread. */
    List<SessionInfo> sessions() {
        List<SessionInfo> all = new ArrayList<>();
        for (ServerPoller poller : pollers) {
            poller.forEach(session -> all.add(info(session)));
        }
        return all;
    }

    private static SessionInfo info(ServerSession session) {
        InetAddress peer = session.peerHost();
        return new SessionInfo(session.id(), peer == null ? null : peer.getHostAddress(),
                String.valueOf(session.principal()), session.open());
    }

    /** Has every session told that no new calls are taken. */
    void goAway() {
        for (ServerPoller poller : pollers) {
            poller.goAway();
        }
    }

    /** Returns true when all have nothing to do any more: {@link ServerPoller#isQuiet}. */
    boolean areQuiet() {
        for (ServerPoller poller : pollers) {
            if (!poller.isQuiet()) {
                return false;
            }
        }
        return true;
    }

    /** Ends all sessions and the threads. */
    void stop() {
        for (ServerPoller poller : pollers) {
            poller.beginStop();
        }
        long startNs = clock.nanoTime();
        for (ServerPoller poller : pollers) {
            poller.awaitEnd(SessionPoller.STOP_MS - (clock.nanoTime() - startNs) / 1_000_000);
        }
    }
}
