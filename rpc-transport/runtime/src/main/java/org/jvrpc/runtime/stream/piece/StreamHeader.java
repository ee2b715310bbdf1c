package org.jvrpc.runtime.stream.piece;

/**
 * Layout of the header of each piece: 16 bytes, little-endian, as two longs.
 *
 * <pre>
 * 0 kind:8 | 1 flags:8 | 2 credits:16, of pieces | 4 stream:32
 * 8 length of this piece:32 | 12 more:32, see the kinds
 * </pre>
 * A stream is named by the client: its place among those that are open in the low 16 bits, and how often that was used
 * in the high ones. Stream 0 is the session itself.
 */
public final class StreamHeader {

    /** Client: services by numbers; the message is the number:16 and what opens a service. More: the message's rest. */
    public static final int BIND = 1;
    /** Client: a call; see {@code StreamOpening}. More: the message's rest. */
    public static final int OPEN = 2;
    /** Elements, one behind the other; each behind its length:32, but where all have the same. */
    public static final int DATA = 3;
    /** The sender's elements have ended; of a server, so has the call. */
    public static final int END = 4;
    /** Server: the call has ended with a result that is no stream. More: the message's rest. */
    public static final int RESULT = 5;
    /** The sender's elements have ended by a failure; of a server, so has the call. More: the message's rest. */
    public static final int ERROR = 6;
    /** Client: it gives the call up. Server: it takes no more elements. */
    public static final int CANCEL = 7;
    /** The sender has room for so many more bytes of elements. More: how many. */
    public static final int WINDOW = 8;
    /** Credits of pieces alone. */
    public static final int CREDIT = 9;
    /** Server: it takes no more calls. */
    public static final int GO_AWAY = 10;
    /**
     * Server, to clients whose hello says that they take trailers: what travels beside the call's end, which follows;
     * see {@link Beside}. More: the message's rest.
     */
    public static final int TRAILERS = 11;

    private StreamHeader() {
    }

    public static long first(int kind, int credits, int stream) {
        return kind | (credits & 0xffffL) << 16 | (long) stream << 32;
    }

    public static long second(int length, int more) {
        return length & 0xffffffffL | (long) more << 32;
    }

    public static int kind(long first) {
        return (int) first & 0xff;
    }

    public static int credits(long first) {
        return (int) first >>> 16;
    }

    public static int stream(long first) {
        return (int) (first >>> 32);
    }

    public static int length(long second) {
        return (int) second;
    }

    public static int more(long second) {
        return (int) (second >>> 32);
    }

    /** Returns true for a kind whose pieces are those of one message. */
    public static boolean isMessage(int kind) {
        return kind == BIND || kind == OPEN || kind == RESULT || kind == ERROR || kind == TRAILERS;
    }
}
