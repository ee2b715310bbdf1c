package org.jvrpc.runtime.server;

import org.jvrpc.runtime.poll.Roster;

/** How long a server that takes no more calls stays for clients that have not taken their answers. Poller thread. */
final class Departure {

    /**
     * For so long clients may take to notice, after which they leave by themselves: a call that one of them is about to
     * send is refused, so that it goes to another server, and not lost.
     */
    private static final long NOTICE_NS = 500_000_000;

    private final ServerPoller poller;
    /** Since when there is nothing else to do; 0 while there is. */
    private long restsNs;

    Departure(ServerPoller poller) {
        this.poller = poller;
    }

    /** There is something else to do. */
    void goOn() {
        restsNs = 0;
    }

    /** Returns true when the clients of all sessions have their answers, or take too long over them. */
    boolean haveLeft(Roster<ServerSession> sessions, long nowNs) {
        if (restsNs == 0) {
            restsNs = nowNs;
        }
        boolean all = true;
        for (int i = 0; i < sessions.size(); i++) {
            ServerSession session = sessions.get(i);
            try {
                session.sayLastWord();
                all &= hasLeft(session, nowNs - restsNs);
            } catch (Throwable t) {
                poller.abandon(session, t);
            }
        }
        return all;
    }

    private static boolean hasLeft(ServerSession session, long restNs) {
        if (!session.isConnected()) {
            return true;
        }
        if (restNs < NOTICE_NS) {
            return false;
        }
        // READ by the client: until it says so, nothing tells that it has it.
        int longest = session.slots().longestAnswer();
        return longest == 0 && session.link().hasLeft() || restNs > session.link().fetchLimitNs(longest);
    }
}
