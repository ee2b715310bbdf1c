package org.jvrpc.runtime.client;

import org.jvrpc.runtime.session.Link;
import org.jvrpc.runtime.session.Settings;

/**
 * Looks after the life of a session's server, which may vanish without a word: some times in the idle time of its
 * keep-alive. Where a socket tells, never. Event thread.
 */
public final class PeerChecks {

    static final long NEVER_NS = 3_600_000_000_000L;

    private final ClientSession session;
    private final Link link;
    private final long everyNs;
    private final boolean needed;
    private long nextNs;

    PeerChecks(ClientSession session, Link link, Settings settings) {
        this.session = session;
        this.link = link;
        this.everyNs = settings.keepAliveNs() / Link.LOOKS_FOR_LIFE;
        this.needed = link.peerHost() != null;
        this.nextNs = session.clock().nanoTime() + everyNs;
    }

    /** Looks when it is time to; returns how long to wait before the next look, in nanoseconds. */
    public long look(long nowNs) {
        if (!needed || session.isLost()) {
            return NEVER_NS;
        }
        if (nowNs - nextNs >= 0) {
            nextNs = nowNs + everyNs;
            check(nowNs);
        }
        return nextNs - nowNs;
    }

    private void check(long nowNs) {
        session.lock();
        try {
            link.checkPeer(nowNs);
            if (link.failure() != null) {
                session.fail();
            }
        } catch (RuntimeException | Error e) {
            session.breakDown(e);
        } finally {
            session.unlock();
        }
    }
}
