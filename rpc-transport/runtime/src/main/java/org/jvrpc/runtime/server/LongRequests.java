package org.jvrpc.runtime.server;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jvrpc.api.RpcException;
import org.jvrpc.runtime.session.Descriptor;
import org.jvrpc.runtime.session.Link;
import org.jvrpc.runtime.thread.Clock;

/**
 * The long requests of a session on their way in: READs of the client's memory, a piece at a time and one at a time, in
 * turns, so that a long one does not hold up a shorter one. Nobody waits for a READ: it is looked for in each poll.
 * Poller thread.
 */
final class LongRequests {

    private static final int PIECE_BYTES = 1 << 18;

    private final ServerSession session;
    private final Link link;
    private final Clock clock;
    private final ArrayDeque<Fetch> fetches = new ArrayDeque<>();
    /** The READ under way, 0 for none, and its length and beginning. */
    private long reading;
    private int piece;
    private long begunNs;

    LongRequests(ServerSession session) {
        this.session = session;
        this.link = session.link();
        this.clock = session.server().clock();
    }

    boolean isEmpty() {
        return fetches.isEmpty();
    }

    /**
     * Takes a request over. Long memory is made by another thread: its zeros would keep the poller from others.
     *
     * @param in where its descriptor lies
     * @throws RpcException RESOURCE_EXHAUSTED when it is longer than the limit
     */
    void begin(ServerSlot slot, long first, long second, ByteBuffer in, int at, long limit) {
        Fetch fetch =
                new Fetch(slot, first, second, Descriptor.address(in, at), Descriptor.rkey(in, at), limit);
        if (fetch.length <= HeavyCalls.LARGE) {
            fetch.allocate(session.bodies());
            allocated(fetch);
        } else {
            session.server().allocate(() -> {
                fetch.allocate(session.bodies());
                session.finish(() -> allocated(fetch));
            });
        }
    }

    private void allocated(Fetch fetch) {
        if (session.isBuried()) {
            fetch.giveBack(session.bodies());
        } else if (fetch.body == null) {
            session.failed(fetch.slot, fetch.refusal);
        } else {
            fetch.slot.request(fetch.body);
            fetches.add(fetch);
            session.longRequestBegins();
        }
    }

    /** Forgets all, when the link is broken. */
    void clear() {
        fetches.clear();
    }

    /** Goes on with the request whose turn it is; returns one that is complete, or null. */
    Fetch poll() {
        Fetch fetch = fetches.peek();
        if (fetch.done < fetch.length && !isPieceThere(fetch)) {
            return null;
        }
        if (fetch.done == fetch.length) {
            return fetches.remove();
        }
        if (fetches.size() > 1) {
            fetches.add(fetches.remove());
        }
        return null;
    }

    private boolean isPieceThere(Fetch fetch) {
        if (reading == 0) {
            piece = Math.min(PIECE_BYTES, fetch.length - fetch.done);
            begunNs = clock.nanoTime();
            reading = link.beginFetch(fetch.body, fetch.done, piece, fetch.address, fetch.rkey);
        } else {
            link.reap();
        }
        if (reading == 0 || !link.isSent(reading)) {
            if (reading != 0 && clock.nanoTime() - begunNs > link.fetchLimitNs(piece)) {
                link.fail("READ of bytes=" + piece + " did not complete within ms="
                        + link.fetchLimitNs(piece) / 1_000_000);
            }
            return false;
        }
        reading = 0;
        fetch.done += piece;
        return true;
    }
}
