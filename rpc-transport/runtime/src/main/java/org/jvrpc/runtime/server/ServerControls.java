package org.jvrpc.runtime.server;

import org.jvrpc.runtime.session.Link;
import org.jvrpc.runtime.session.RpcHeader;

/**
 * What a server's session owes its client besides answers: the credits of its one-way calls and control messages, and
 * the word that no new calls are taken. Sent when there is room, for which nobody waits. Poller thread.
 */
final class ServerControls {

    private final Link link;
    private final int batch;
    private int credits;
    private boolean goAway;

    /** @param credits that the client has in all; a quarter of them travels alone, fewer with answers */
    ServerControls(Link link, int credits) {
        this.link = link;
        this.batch = Math.max(1, credits / 4);
    }

    /** Owes a credit; returns true when it is time to {@link #send}. */
    boolean owe() {
        return ++credits >= batch;
    }

    /** Owes the word that no new calls are taken. */
    void oweGoAway() {
        goAway = true;
    }

    /** Returns the credits owed, which travel with an answer now. */
    int takeCredits() {
        int taken = credits;
        credits = 0;
        return taken;
    }

    /** Sends what is due, as far as there is room; returns false when something is due still. */
    boolean send() {
        if (credits >= batch && link.hasControl()) {
            int taken = takeCredits();
            link.sendControl(RpcHeader.first(RpcHeader.CREDIT, 0, 0, 0), RpcHeader.second(0, taken, 0));
        }
        if (goAway && link.hasControl()) {
            goAway = false;
            link.sendControl(RpcHeader.first(RpcHeader.GO_AWAY, 0, 0, 0), RpcHeader.second(0, 0, 0));
        }
        return credits < batch && !goAway;
    }
}
