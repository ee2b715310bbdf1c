package org.jvrpc.tcp.link;

import java.nio.ByteBuffer;

/** Signs of life, asked for and given: the answer to one tells that all before it was taken. One thread at a time. */
final class Signs {

    private final Outbound out;
    private final ByteBuffer ping = FrameHead.frame(FrameHead.PING, FrameHead.NUMBER_BYTES);
    private final ByteBuffer pong = FrameHead.frame(FrameHead.PONG, FrameHead.NUMBER_BYTES);
    private long pings;
    private long pingSent;
    private long pongSent;
    /** The number of the last ping that was not answered, or 0. */
    private long owed;
    /** The number of the last answer. */
    private long heard;
    /** The ping behind all that was sent, and how much that was. */
    private long lastPing;
    private long lastAt;

    Signs(Outbound out) {
        this.out = out;
    }

    /** Asks for one, unless the last such frame has not left. */
    boolean ask() {
        if (out.completed() < pingSent) {
            return false;
        }
        ping.clear().putLong(FrameHead.BYTES, ++pings);
        pingSent = out.add(ping);
        return true;
    }

    /** Takes what a PING or a PONG says; returns null, as there is nothing wrong with it. */
    String take(int kind, long number) {
        if (kind == FrameHead.PING) {
            owe(number);
        } else {
            hear(number);
        }
        return null;
    }

    /** Owes one: an answer to the last that was asked for answers those before. */
    void owe(long number) {
        owed = number;
    }

    /** Gives what is owed, unless the last such frame has not left; true when there is something to send. */
    boolean give() {
        if (owed == 0 || out.completed() < pongSent) {
            return false;
        }
        pong.clear().putLong(FrameHead.BYTES, owed);
        pongSent = out.add(pong);
        owed = 0;
        return true;
    }

    void hear(long number) {
        heard = number;
    }

    /** Has it told that all which was sent was taken; returns the answer to wait for, or 0 where it cannot ask yet. */
    long askForAll() {
        if (lastAt != out.posted() && ask()) {
            lastPing = pings;
            lastAt = out.posted();
        }
        return lastAt == out.posted() ? lastPing : 0;
    }

    boolean isHeard(long number) {
        return heard >= number;
    }
}
