package org.jvrpc.runtime.session;

/**
 * Layout of the header of each piece of a frame: 16 bytes, little-endian, as two longs.
 *
 * <pre>
 * 0 kind:8 | 1 zero:8 | 2 credits:16 | 4 number of the piece:32
 * 8 length of this piece:32          | 12 bytes of the frame from this piece on:32
 * </pre>
 */
public final class MessageHeader {

    /** Version of the layout and of the protocol around it. */
    static final int VERSION = 2;

    /** A piece of a frame. */
    public static final int DATA = 1;
    /** Credits alone. */
    public static final int CREDIT = 2;
    /** The sender closes the session. */
    public static final int BYE = 3;

    private MessageHeader() {
    }

    public static long first(int kind, int credits, int number) {
        return kind | (credits & 0xffffL) << 16 | (long) number << 32;
    }

    public static long second(int length, int rest) {
        return length & 0xffffffffL | (long) rest << 32;
    }

    public static int kind(long first) {
        return (int) first & 0xff;
    }

    public static int credits(long first) {
        return (int) first >>> 16;
    }

    public static int number(long first) {
        return (int) (first >>> 32);
    }

    public static int length(long second) {
        return (int) second;
    }

    public static int rest(long second) {
        return (int) (second >>> 32);
    }
}
