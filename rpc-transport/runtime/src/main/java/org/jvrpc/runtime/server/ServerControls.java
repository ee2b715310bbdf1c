package org.jvrpc.runtime.server;

import org.jvrpc.runtime.session.Link;
import org.jvrpc.runtime.session.Protocol;
import org.jvrpc.runtime.session.RpcHeader;

/**
 * What a server's session owes its client besides answers: the credits of its one-way calls and control messages, the
 * word that no new calls are taken, and how many slots there are. Sent when there is room, for which nobody waits.
 * Poller thread.
 */
final class ServerControls {

    private final Link link;
    private int batch;
    private int credits;
    private boolean goAway;
    private boolean saidGoAway;
    private boolean saidLast;
    /** How many slots the client is to be told of, or 0, and the credits that come with them. */
    private int slots;
    private int slotCredits;

    /** @param credits that the client has in all; a quarter of them travels alone, fewer with answers */
    ServerControls(Link link, int credits) {
        this.link = link;
        this.batch = Protocol.creditBatch(credits);
    }

    /** Owes a credit; returns true when it is time to {@link #send}. */
    boolean owe() {
        return ++credits >= batch;
    }

    /** Owes the word that no new calls are taken. */
    void oweGoAway() {
        goAway = true;
    }

    /**
     * Owes it once more, as all calls are answered that came before it was said: whatever the client hears no answer of
     * has not run, and goes to another server. Returns false where it was not said yet, or was said twice.
     */
    boolean oweLastWord() {
        boolean due = saidGoAway && !saidLast;
        saidLast |= due;
        goAway |= due;
        return due;
    }

    /**
     * Returns true once that was said: a call that comes later is refused, and its client knows that another server is
     * to have it. One that comes before is taken.
     */
    boolean hasSaidGoAway() {
        return saidGoAway;
    }

    /**
     * Owes the word that there are so many slots.
     *
     * @param more credits that come with them
     * @param all credits that the client has then
     */
    void oweGrown(int count, int more, int all) {
        slots = count;
        slotCredits = more;
        batch = Protocol.creditBatch(all);
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
        if (slots != 0 && link.hasControl()) {
            link.sendControl(RpcHeader.first(RpcHeader.GROWN, 0, slots, 0), RpcHeader.second(0, slotCredits, 0));
            slots = 0;
        }
        if (goAway && link.hasControl()) {
            goAway = false;
            saidGoAway = true;
            link.sendControl(RpcHeader.first(RpcHeader.GO_AWAY, 0, 0, 0), RpcHeader.second(0, 0, 0));
        }
        return credits < batch && !goAway && slots == 0;
    }
}
