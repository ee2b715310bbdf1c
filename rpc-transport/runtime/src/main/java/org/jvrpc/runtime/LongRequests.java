package org.jvrpc.runtime;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;

/**
 * The long requests of a session on their way in: READs of the client's memory, a piece at a time and one at a time, in
 * turns, so that a long one does not hold up a shorter one. Nobody waits for a READ: it is looked for in each poll.
 * Poller thread.
 */
final class LongRequests {

    private static final int PIECE_BYTES = 1 << 18;

    private final Link link;
    private final ArrayDeque<Fetch> fetches = new ArrayDeque<>();
    /** The READ under way, 0 for none, and its length and beginning. */
    private long reading;
    private int piece;
    private long begunNs;

    LongRequests(Link link) {
        this.link = link;
    }

    boolean isEmpty() {
        return fetches.isEmpty();
    }

    /**
     * Takes a request over.
     *
     * @param in where its descriptor lies
     * @throws RpcException RESOURCE_EXHAUSTED when it is longer than the limit, or there is no memory
     */
    void begin(ServerSlot slot, long first, long second, ByteBuffer in, int at, long limit) {
        long length = (long) RpcHeader.bodyLength(second) + RpcHeader.extensionLength(second);
        if (RpcHeader.bodyLength(second) < 0 || length > limit) {
            throw new RpcException(Status.RESOURCE_EXHAUSTED, "arguments are longer than the limit: bytes=" + length
                    + " limit=" + limit);
        }
        Body body = slot.session().bodies().take(length);
        slot.request(body);
        fetches.add(new Fetch(slot, body, first, second, Descriptor.address(in, at), Descriptor.rkey(in, at),
                (int) length));
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
            begunNs = System.nanoTime();
            reading = link.beginRead(fetch.body, fetch.done, piece, fetch.address, fetch.rkey);
        } else {
            link.reap();
        }
        if (reading == 0 || !link.isSent(reading)) {
            if (reading != 0 && System.nanoTime() - begunNs > LinkWaits.readLimitNs(link, piece)) {
                link.fail("READ of bytes=" + piece + " did not complete within ms="
                        + LinkWaits.readLimitNs(link, piece) / 1_000_000);
            }
            return false;
        }
        reading = 0;
        fetch.done += piece;
        return true;
    }
}
