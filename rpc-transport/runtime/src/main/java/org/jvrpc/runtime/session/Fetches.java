package org.jvrpc.runtime.session;

import java.util.ArrayDeque;
import org.jvrpc.runtime.thread.Clock;

/**
 * The long bodies of a session on their way in: READs of the peer's memory, a piece at a time and one at a time, in
 * turns, so that a long one does not hold up a shorter one. Nobody waits for a READ: it is looked for in each poll. The
 * thread that uses the link.
 */
public final class Fetches {

    /** The turn of a session that leaves others nothing to wait for. */
    public static final int WHOLE_TURN = 32;
    /** A copy of so many bytes takes about as long as the handling of a message. */
    static final int BYTES_A_MESSAGE = 1 << 13;

    private final Link link;
    private final Bodies bodies;
    private final Clock clock;
    private final ArrayDeque<Fetch> fetches = new ArrayDeque<>();
    /** The READ under way, 0 for none. */
    private long reading;
    /** The length of the piece that is next, 0 before it was tried for the first time, and when that was. */
    private int piece;
    private long begunNs;

    public Fetches(Link link, Bodies bodies, Clock clock) {
        this.link = link;
        this.bodies = bodies;
        this.clock = clock;
    }

    public boolean isEmpty() {
        return fetches.isEmpty();
    }

    /** Takes one over that has memory, or is refused. */
    public void add(Fetch fetch) {
        fetches.add(fetch);
    }

    /**
     * Goes on with the fetch whose turn it is; true when a piece came or one ended. The link may be broken then.
     *
     * @param turn how many messages could be handled instead until it is the turn of others, from 1 to
     *     {@link #WHOLE_TURN}: pieces are no longer than that takes
     */
    public boolean poll(int turn) {
        Fetch fetch = fetches.peek();
        if (fetch == null) {
            return false;
        }
        if (fetch.isFar()) {
            if (fetch.length() <= turn * BYTES_A_MESSAGE) {
                fetches.remove();
                fetch.ended();
                return true;
            }
            fetch.comeNear(bodies);
        }
        boolean came = (reading != 0 || !fetch.isOver()) && isPieceThere(fetch, turn);
        if (reading != 0) {
            return false;
        }
        if (fetch.isOver()) {
            piece = 0;
            fetches.remove();
            fetch.ended();
            return true;
        }
        if (came && fetches.size() > 1) {
            fetches.add(fetches.remove());
        }
        return came;
    }

    private boolean isPieceThere(Fetch fetch, int turn) {
        if (piece == 0) {
            piece = Math.min(turn * BYTES_A_MESSAGE, fetch.left());
            begunNs = clock.nanoTime();
        }
        if (reading == 0) {
            reading = fetch.begin(link, piece);
        } else {
            link.reap();
        }
        if (reading == 0 || !link.isSent(reading)) {
            long limitNs = link.fetchLimitNs(piece);
            return clock.nanoTime() - begunNs > limitNs && link.fail("READ of bytes=" + piece
                    + " did not complete within ms=" + limitNs / 1_000_000);
        }
        fetch.arrived(piece);
        reading = 0;
        piece = 0;
        return true;
    }

    /** Gives back the memory of those that did not end, and forgets them. After the end of the link. */
    public void clear() {
        for (Fetch fetch = fetches.poll(); fetch != null; fetch = fetches.poll()) {
            fetch.giveBack(bodies);
        }
    }
}
