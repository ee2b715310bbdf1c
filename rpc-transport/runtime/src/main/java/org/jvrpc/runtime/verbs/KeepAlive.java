package org.jvrpc.runtime.verbs;

import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.rare.Rare;

/**
 * Finds out that a peer on another host has vanished without a word, which a connection with nothing under way would
 * never tell: a link on which nothing was sent for a while writes no bytes to the peer, which its card acknowledges
 * without the peer's process. By shared memory a socket tells. The link's thread.
 */
final class KeepAlive {

    /** What is asked of a link. */
    interface Pings {

        /** Returns a number that changes with each send. */
        long sends();

        /** Sends a ping, if there is room; returns the number to ask {@link #isSent} for, or 0. */
        long ping();

        /** Looks which sends are complete. */
        void reap();

        boolean isSent(long number);

        /** Ends the link; returns false. */
        boolean fail(String why);
    }

    private static final long NONE = 0;

    private final Pings link;
    private final long idleNs;
    private long sends;
    private long sinceNs;
    private long ping = NONE;

    /** @param idleNs after which a ping is sent, and in which it is to be answered */
    KeepAlive(Pings link, long idleNs, long nowNs) {
        this.link = link;
        this.idleNs = idleNs;
        this.sends = link.sends();
        this.sinceNs = nowNs;
    }

    /** Makes one, or returns null where the connection needs none. */
    static KeepAlive of(Connection connection, Pings link, long idleNs, long nowNs) {
        return connection.peerHost() == null ? null : new KeepAlive(link, idleNs, nowNs);
    }

    /** Looks what is to be done, at most some times in the idle time. */
    void look(long nowNs) {
        if (link.sends() != sends) {
            begin(nowNs);
        } else if (nowNs - sinceNs > idleNs) {
            if (ping == NONE) {
                ping(nowNs);
            } else {
                expectAnswer(nowNs);
            }
        }
    }

    private void begin(long nowNs) {
        sends = link.sends();
        sinceNs = nowNs;
        ping = NONE;
    }

    private void ping(long nowNs) {
        ping = link.ping();
        sends = link.sends();
        sinceNs = nowNs - idleNs / 2; // there are answers in microseconds: a look before the next ping is due
    }

    private void expectAnswer(long nowNs) {
        link.reap();
        if (link.isSent(ping)) {
            begin(nowNs);
        } else {
            Rare.reached("a peer gives no sign of life");
            link.fail("peer gives no sign of life: idle ms=" + idleNs / 1_000_000);
        }
    }
}
