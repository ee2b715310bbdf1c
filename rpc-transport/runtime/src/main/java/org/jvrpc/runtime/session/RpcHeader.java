package org.jvrpc.runtime.session;

/**
 * Layout of the header of every message: 16 bytes, little-endian, written and read as two longs.
 *
 * <pre>
 * 0 kind:8 | 1 flags:8 | 2 method, status, exception number or slots:16 | 4 call id: slot:12 generation:20
 * 8 body length:32     | 12 credits:16                           | 14 extension length:16
 * </pre>
 * The body follows, then the extension. With {@link #RENDEZVOUS} what follows is a descriptor of memory that holds
 * both:
 * <pre>
 * 0 address:64 | 8 rkey:32
 * </pre>
 * The extension is {@code 0 deadline:64 (ns, 0 for none) | 8 entries:32 | name, value, name, value …} in the layout of
 * {@link org.jvrpc.api.wire}.
 */
public final class RpcHeader {

    /** Version of this layout and of the protocol around it. */
    public static final int VERSION = 3;
    public static final int BYTES = 16;
    public static final int DESCRIPTOR_BYTES = 12;

    /** Client: a call. */
    public static final int REQUEST = 1;
    /** Client: a call without an answer. */
    public static final int ONE_WAY = 2;
    /** Client: the call is not waited for any more. */
    public static final int CANCEL = 3;
    /** Client: the rendezvous memory of the answer was read. */
    public static final int RELEASE = 4;
    /** Server: the answer. */
    public static final int RESPONSE = 5;
    /** Server: credits alone. */
    public static final int CREDIT = 6;
    /** Server: it is shutting down; no new calls. */
    public static final int GO_AWAY = 7;
    /**
     * Client: it has receives for the answers to so many calls in flight as the method says, and asks for as many.
     * Needs no credit.
     */
    public static final int GROW = 8;
    /** Server: so many calls in flight there may be now, as before where there is no memory; credits come with it. */
    public static final int GROWN = 9;

    /** Flag: a descriptor follows in place of the body. */
    public static final int RENDEZVOUS = 1;
    /** Flag of a response: the handler threw its declared exception of this number. */
    public static final int THROWN = 2;

    /**
     * Flag of a response or request, to a peer whose hello says that it takes such: another one follows in the same
     * message, behind this one's body, from the next multiple of eight bytes on.
     */
    public static final int MORE = 4;
    /** Flag of a response that is a failure: no handler ran for the call. Peers of before never say so. */
    public static final int NOT_RUN = 8;
    /**
     * Flag of a response, to a client whose hello says that it takes such: an extension follows the body, without a
     * deadline, in the message or in the memory that its descriptor tells of.
     */
    public static final int TRAILERS = 16;

    /** Method that opens a service. */
    public static final int OPEN = 0xffff;
    static final int MAX_SLOTS = 1 << 12;
    public static final int MAX_EXTENSION = 0xffff;
    private static final int SLOT_MASK = MAX_SLOTS - 1;

    private RpcHeader() {
    }

    public static long first(int kind, int flags, int method, int callId) {
        return kind | flags << 8 | (method & 0xffffL) << 16 | (long) callId << 32;
    }

    public static long second(int bodyLength, int credits, int extensionLength) {
        return bodyLength & 0xffffffffL | (credits & 0xffffL) << 32 | (long) extensionLength << 48;
    }

    public static int callId(int slot, int generation) {
        return slot | generation << 12;
    }

    public static int kind(long first) {
        return (int) first & 0xff;
    }

    public static int flags(long first) {
        return (int) first >>> 8 & 0xff;
    }

    public static int method(long first) {
        return (int) first >>> 16;
    }

    public static int callId(long first) {
        return (int) (first >>> 32);
    }

    public static int slot(int callId) {
        return callId & SLOT_MASK;
    }

    public static int bodyLength(long second) {
        return (int) second;
    }

    public static int credits(long second) {
        return (int) (second >>> 32) & 0xffff;
    }

    /** Returns the first half of a header with {@link #MORE}. */
    public static long withMore(long first) {
        return first | MORE << 8;
    }

    /** Returns the first half of a header without {@link #MORE}. */
    public static long withoutMore(long first) {
        return first & ~(MORE << 8);
    }

    /** Returns where in a message, whose bodies lie behind their headers, an answer begins that follows such a body. */
    public static int follower(int bodyEnd) {
        return bodyEnd + 7 & -8;
    }

    /** Returns true when a message of so many bytes can be the request or one-way call that its header says. */
    public static boolean fits(long first, long second, int length) {
        int body = bodyLength(second);
        return (flags(first) & RENDEZVOUS) != 0
                ? length == BYTES + DESCRIPTOR_BYTES
                : body >= 0 && length == (long) BYTES + body + extensionLength(second);
    }

    public static int extensionLength(long second) {
        return (int) (second >>> 48);
    }
}
