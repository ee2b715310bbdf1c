package org.jvrpc.runtime.stream.server;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.session.Bodies;
import org.jvrpc.runtime.session.Hello;
import org.jvrpc.runtime.session.Link;
import org.jvrpc.runtime.stream.StreamPoller;
import org.jvrpc.runtime.stream.memory.StreamMemory;
import org.jvrpc.runtime.thread.Events;
import org.jvrpc.runtime.thread.Idler;

/** The streams of a server: their sessions, and the thread that polls them, which the first one starts. Any thread. */
public final class ServerStreams {

    private final StreamHost host;
    private final StreamMemory memory;
    private final StreamPoller poller;
    private final Set<ServerStreamSession> sessions = ConcurrentHashMap.newKeySet();
    private boolean started;
    private boolean stopped;

    /** @param name of the thread */
    public ServerStreams(StreamHost host, Events events, String name, Runnable failed) {
        this.host = host;
        this.memory = new StreamMemory(host.limits().streamMemory());
        this.poller = new StreamPoller(host.settings().environment(), events,
                Idler.ofPoller(host.settings().idle(), host.settings().environment().clock()), name,
                host.settings().keepAliveNs(), session -> bury((ServerStreamSession) session), failed);
    }

    StreamHost host() {
        return host;
    }

    /** Returns what all sessions have together. */
    StreamMemory memory() {
        return memory;
    }

    /** Returns a session's share of the memory. */
    StreamMemory share() {
        return memory.share(host.limits().streamMemoryPerSession());
    }

    StreamPoller poller() {
        return poller;
    }

    /** Makes a client's session; returns what is to be done once the link is connected. The control thread. */
    public Runnable session(long id, Hello asked, Link link, Bodies bodies) {
        ServerStreamSession session = new ServerStreamSession(this, id, asked, link, bodies);
        return () -> {
            link.keepAlive(host.settings().keepAliveNs());
            session.gate().begin(() -> {
                sessions.add(session);
                start();
                poller.add(session);
            });
        };
    }

    private synchronized void start() {
        if (!started && !stopped) {
            started = true;
            poller.start();
        }
    }

    private void bury(ServerStreamSession session) {
        sessions.remove(session);
        host.bury(session::bury);
    }

    /** @throws RpcException UNAVAILABLE where no new calls are taken */
    void checkTaken() {
        if (host.isDraining()) {
            throw new RpcException(Status.UNAVAILABLE, "server is shutting down");
        }
    }

    /** Has every client told that no new calls are taken; those under way go on. */
    public void goAway() {
        sessions.forEach(ServerStreamSession::goAway);
    }

    /** Returns true when no call is under way, and clients have been sent what ended. */
    public boolean areQuiet() {
        return sessions.stream().allMatch(session -> session.table().count() == 0 && session.isSent());
    }

    /** Ends all sessions and the thread. */
    public void stop() {
        boolean running;
        synchronized (this) {
            stopped = true;
            running = started;
        }
        if (running) {
            poller.stop();
        } else {
            poller.endUnstarted();
        }
    }
}
