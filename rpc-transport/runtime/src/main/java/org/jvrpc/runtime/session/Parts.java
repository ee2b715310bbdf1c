package org.jvrpc.runtime.session;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The messages that came as one, see {@link RpcHeader#MORE}, in turn. What the peer says of their lengths is read once
 * and checked before it is used. One thread.
 */
public final class Parts {

    private static final VarHandle LONG =
            MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int HALF = 8;

    private ByteBuffer in;
    private int begin;
    private int end;
    private long first;
    private long second;
    private int body;

    /**
     * Begins with the first.
     *
     * @param head the first half of its header, which lies at {@code at}
     * @param lengths the second half
     * @param length of what came, with that header
     */
    public void begin(long head, long lengths, ByteBuffer bytes, int at, int length) {
        if (in != bytes) { // a store of a reference costs the collector's barrier
            in = bytes;
        }
        begin = at;
        end = at + length;
        first = head;
        second = lengths;
        body = at + RpcHeader.BYTES;
    }

    /** Returns true when another message follows the one at hand. */
    public boolean isFollowed() {
        return (RpcHeader.flags(first) & RpcHeader.MORE) != 0;
    }

    /** Returns true when the message at hand is of a kind and can be one of several: none of these is long. */
    public boolean isOneOfSeveral(int kind) {
        return RpcHeader.kind(first) == kind && (RpcHeader.flags(first) & RpcHeader.RENDEZVOUS) == 0
                && (!isFollowed() || leavesRoom());
    }

    /** What is said of the message at hand leaves room for the one that is said to follow. */
    private boolean leavesRoom() {
        int length = RpcHeader.bodyLength(second);
        return length >= 0 && length <= end - body && follower() <= end - RpcHeader.BYTES;
    }

    private int follower() {
        return begin + RpcHeader.follower(body - begin + RpcHeader.bodyLength(second));
    }

    /** Says what the message at hand says of itself, and how much is there. */
    public String describe() {
        return "kind=" + RpcHeader.kind(first) + " flags=" + RpcHeader.flags(first) + " bodyLength="
                + RpcHeader.bodyLength(second) + " left=" + (end - body);
    }

    /** Goes on to the message that follows one that {@link #isOneOfSeveral}. */
    public void next() {
        int at = follower();
        first = (long) LONG.get(in, at);
        second = (long) LONG.get(in, at + HALF);
        body = at + RpcHeader.BYTES;
    }

    /** Returns the first half of the header of the message at hand. */
    public long first() {
        return first;
    }

    public long second() {
        return second;
    }

    /** Returns where its body lies. */
    public int body() {
        return body;
    }

    /** Returns the length of its body: what it says where another follows, else all that is left. */
    public int length() {
        return isFollowed() ? RpcHeader.bodyLength(second) : end - body;
    }
}
