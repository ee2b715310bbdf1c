package org.jvrpc.runtime.message;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What the message sessions of a server may have queued for peers that make no room, each and together. A session that
 * has a quarter of its share queued takes no more frames until its peer has taken some; one that goes beyond its share
 * ends, and when all of them together go beyond theirs, the one with the most queued does. Any thread.
 */
final class QueueBudget {

    /** For a client, whose queue is its own affair. */
    static final QueueBudget UNLIMITED = new QueueBudget(Long.MAX_VALUE, Long.MAX_VALUE);
    static final long SESSION_BYTES = 64L << 20;
    static final long SERVER_BYTES = 256L << 20;

    private final long sessionBytes;
    private final long serverBytes;
    private final AtomicLong queued = new AtomicLong();
    private final Set<Outbox> queueing = ConcurrentHashMap.newKeySet();

    QueueBudget(long sessionBytes, long serverBytes) {
        this.sessionBytes = sessionBytes;
        this.serverBytes = serverBytes;
    }

    long sessionBytes() {
        return sessionBytes;
    }

    /** Returns how much a session may have queued and still take frames, which have it queue more. */
    long holdBytes() {
        return sessionBytes / 4;
    }

    /** Counts what a session queues, or no longer does. */
    void count(long more) {
        if (this != UNLIMITED) {
            queued.addAndGet(more);
        }
    }

    /** Looks at what is queued by all, when a session has queued more: under that session's lock. */
    void look(Outbox session) {
        if (this != UNLIMITED) {
            queueing.add(session);
            if (queued.get() > serverBytes) {
                endTheLargest(session);
            }
        }
    }

    private void endTheLargest(Outbox session) {
        long all = 0;
        Outbox most = session;
        for (Outbox other : queueing) {
            if (other.overflow() == null) {
                long bytes = other.bytes();
                all += bytes;
                most = bytes > most.bytes() ? other : most;
            }
        }
        if (all > serverBytes) {
            most.overflow("sessions of this server have bytes=" + all + " queued, limit=" + serverBytes
                    + ", of which this one has bytes=" + most.bytes());
        }
    }

    /** Nothing of a session is queued any more. */
    void forget(Outbox session) {
        if (this != UNLIMITED) {
            queueing.remove(session);
        }
    }
}
