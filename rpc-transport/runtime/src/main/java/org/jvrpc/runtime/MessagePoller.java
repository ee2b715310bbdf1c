package org.jvrpc.runtime;

import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.jvrpc.verbs.EventChannel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A thread that polls message sessions and hands their frames out. */
final class MessagePoller extends SessionPoller {

    private static final Logger LOG = LoggerFactory.getLogger(MessagePoller.class);
    /** The longest sleep: who closes and waits for a peer that makes no room is looked after. */
    private static final long SLEEP_NS = 500_000_000;

    private final Consumer<MessageLink> buried;
    private final Runnable failed;
    private final Queue<MessageLink> arrivals = new ConcurrentLinkedQueue<>();
    private final long keepAliveNs;
    private MessageLink[] sessions = new MessageLink[0];
    private long nextKeepAliveNs = System.nanoTime();

    /**
     * @param buried told of each session that is over and not polled any more
     * @param failed called when the thread gives up
     */
    MessagePoller(
            EventChannel channel,
            Idler idler,
            String name,
            long keepAliveNs,
            Consumer<MessageLink> buried,
            Runnable failed) {
        super(channel, idler, "jvrpc-messages-" + name, SLEEP_NS);
        this.keepAliveNs = keepAliveNs;
        this.buried = buried;
        this.failed = failed;
    }

    /** Takes a session over. Any thread. */
    void add(MessageLink session) {
        arrivals.add(session);
        channel().wakeup();
    }

    @Override
    void end() {
        takeArrivals();
        for (MessageLink session : sessions) {
            end(session, null);
            buried.accept(session);
        }
    }

    @Override
    void failed() {
        failed.run();
    }

    @Override
    boolean isUnfinished() {
        for (MessageLink session : sessions) {
            if (session.link().isBehind()) {
                return true;
            }
        }
        return false;
    }

    @Override
    int pollAll() {
        int work = 0;
        boolean ended = false;
        for (MessageLink session : sessions) {
            try {
                work += session.poll(BATCH);
            } catch (Throwable t) {
                end(session, t);
            }
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
            } catch (Throwable t) {
                LOG.warn("session {} is ended by its handler", session.id(), t);
                end(session, t);
            }
        }
        return count;
    }

    /** Ends a session that failed, and no other, whatever its handler does about it. */
    private static void end(MessageLink session, Throwable cause) {
        try {
            session.end(cause);
        } catch (Throwable t) {
            LOG.error("session {}: its handler failed at its end", session.id(), t);
        }
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

    @Override
    void housekeeping() {
        long nowNs = System.nanoTime(); // each poll looks for sessions that are over
        if (nowNs - nextKeepAliveNs >= 0) {
            nextKeepAliveNs = nowNs + keepAliveNs / LOOKS_FOR_LIFE;
            for (MessageLink session : sessions) {
                synchronized (session) { // as senders do
                    KeepAlive.look(session.link(), nowNs);
                }
            }
        }
    }

    @Override
    void arm() {
        for (MessageLink session : sessions) {
            try {
                session.link().arm();
            } catch (Throwable t) {
                end(session, t);
            }
        }
    }

    @Override
    void disarm() {
        for (MessageLink session : sessions) {
            try {
                session.link().disarm();
            } catch (Throwable t) {
                end(session, t);
            }
        }
    }
}
