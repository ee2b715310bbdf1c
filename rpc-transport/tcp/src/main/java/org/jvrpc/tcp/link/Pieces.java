package org.jvrpc.tcp.link;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jvrpc.runtime.memory.KeyedBodies;
import org.jvrpc.runtime.memory.KeyedBody;
import org.jvrpc.runtime.session.Body;

/** Pieces of long bodies: the one that was asked for, and the one that the peer asks for. One thread at a time. */
final class Pieces {

    /** How much longer a long one may take: 1 MB/s. */
    static final long NS_PER_BYTE = 1000;
    /** Numbers of fetches, apart from those of messages. */
    private static final long FETCH = 1L << 62;

    /** Pieces are a quarter of it, or shorter. */
    private static final int MOST_BYTES = 1 << 20;

    private final KeyedBodies bodies;
    private final Outbound out;
    private final ByteBuffer fetch = FrameHead.frame(FrameHead.FETCH, FrameHead.FETCH_BYTES);
    private final ByteBuffer dataHead = FrameHead.frame(FrameHead.DATA, FrameHead.NUMBER_BYTES);
    private long fetches;
    private volatile long fetched;
    /** Where the piece goes that was asked for; null when none was. */
    private ByteBuffer into;
    /** Its bytes are next. */
    private boolean coming;
    /** The number of the last frame with which a piece was sent. */
    private long served;

    Pieces(KeyedBodies bodies, Outbound out) {
        this.bodies = bodies;
        this.out = out;
    }

    /** Returns true for a number of {@link #ask}. */
    static boolean isFetch(long number) {
        return number >= FETCH;
    }

    /** Returns true when a piece came. Any thread. */
    boolean isFetched(long number) {
        return fetched >= number;
    }

    /** Asks for a piece; returns its number, or 0 while another is under way. */
    long ask(Body body, int offset, int length, long source, int key) {
        if (into != null || out.isFull()) {
            return 0;
        }
        into = ((KeyedBody) body).filled(offset, length);
        fetches++;
        fetch.clear().position(FrameHead.BYTES).putLong(fetches).putLong(source + offset).putInt(key).putInt(length)
                .flip();
        out.add(fetch);
        return FETCH | fetches;
    }

    /** Takes the head of a DATA frame, whose bytes are next; returns why it makes no sense, or null. */
    String begin(Inbound in) {
        long number = in.buffer().getLong(in.from() + FrameHead.BYTES);
        int bytes = FrameHead.length(in.head()) - FrameHead.NUMBER_BYTES;
        if (into == null || number != fetches || bytes != into.remaining()) {
            return "piece of a long body that nobody asked for: number=" + number + " bytes=" + bytes;
        }
        in.take(FrameHead.BYTES + FrameHead.NUMBER_BYTES);
        coming = true;
        return null;
    }

    boolean isComing() {
        return coming;
    }

    /** Takes what came of the piece; true when that was the last of it. */
    boolean take(Inbound in) throws IOException {
        if (into.hasRemaining() && !in.moveTo(into)) {
            return false;
        }
        coming = false;
        into = null;
        fetched = FETCH | fetches;
        return true;
    }

    /** Sends a piece that the peer asks for, one at a time; returns why that makes no sense, or null. */
    String serve(long number, long source, int key, int length) {
        if (out.completed() < served) {
            return "peer asks for two pieces of long bodies at a time";
        }
        if (length > MOST_BYTES) {
            return "peer asks for a piece of bytes=" + length + ", longest=" + MOST_BYTES;
        }
        KeyedBody body = bodies.find(key, source, length);
        int kind = body == null ? FrameHead.REFUSED : FrameHead.DATA;
        int bytes = body == null ? 0 : length;
        dataHead.clear().putInt(0, FrameHead.of(kind, FrameHead.NUMBER_BYTES + bytes))
                .putLong(FrameHead.BYTES, number);
        served = out.add(dataHead);
        if (bytes > 0) {
            served = out.add(body.sent((int) source, length));
        }
        return null;
    }
}
