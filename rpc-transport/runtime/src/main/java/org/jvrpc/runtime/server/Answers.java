package org.jvrpc.runtime.server;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.session.Body;
import org.jvrpc.runtime.session.Link;
import org.jvrpc.runtime.session.RpcHeader;
import org.jvrpc.runtime.thread.Clock;

/**
 * How answers leave a server's session. Those to requests that come in bursts leave several in a message, where they
 * are short, the client takes that, and none waits long for the next: what messages cost is mostly that their lines
 * move from one processor to the other. Poller thread.
 *
 * <p>An answer that is held lies in its own slot's memory, and those that follow are written behind it.
 */
final class Answers {

    private static final VarHandle LONG =
            MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int HALF = 8;
    /** What a message has that lies in its CQE. */
    private static final int MOST_BYTES = 96 - RpcHeader.BYTES;
    /** Another one without a body fits behind it. */
    private static final int LONGEST_HELD = MOST_BYTES - RpcHeader.BYTES;
    /** An answer is held while a request takes no longer than this: it waits for five of these at most. */
    private static final long QUICK_NS = 1000;
    /** Of so many bursts one is timed. */
    private static final int BURSTS_PER_LOOK = 16;

    private final Link link;
    private final ServerControls controls;
    private final Clock clock;
    private final boolean packed;
    /** How many messages the last round that found any took. */
    private int burst = 1;
    private boolean quick;
    private int untilLook;
    private boolean timed;
    private long startNs;
    private boolean open;
    /** The first answer of a message that is not sent yet, or null; its header, the end of its bodies. */
    private ServerSlot held;
    private long first;
    private long second;
    private int end;
    /** Where the header of the last answer lies behind the first one's body; -1 for the first itself. */
    private int last;
    private long lastHead;
    /** The message that was handled last was a request, whose answer is held. */
    private boolean added;

    /** @param packed whether the client takes several answers in a message */
    Answers(Link link, ServerControls controls, Clock clock, boolean packed) {
        this.link = link;
        this.controls = controls;
        this.clock = clock;
        this.packed = packed;
    }

    /** A round of requests begins, with as many as came last time, likely. */
    void begin() {
        if (burst == 1) {
            link.expectSends(1);
            return;
        }
        open = packed && quick;
        link.expectSends(open ? burst + 3 >>> 2 : burst); // most have eight bytes at most: four lie in a message
        timed = --untilLook <= 0;
        if (timed) {
            untilLook = BURSTS_PER_LOOK;
            startNs = clock.nanoTime();
        }
    }

    /** A message is to be handled: what is held waits for requests that are answered at once, and for nothing else. */
    void next(boolean request) {
        if (held != null && !(request && added)) {
            flush();
        }
        added = false;
    }

    /**
     * The round is over: sends what is held.
     *
     * @param last when no poll follows soon, which would wake the peer
     */
    void end(int count, boolean last) {
        open = false;
        flush();
        if (last) {
            link.wakePeer();
        }
        if (timed) {
            timed = false;
            quick = clock.nanoTime() - startNs < count * QUICK_NS;
        }
        burst = count;
    }

    /**
     * Sends an answer, or holds it while the next request is there already.
     *
     * @param length of its bytes, which lie in the slot, or in {@code body} where that is not null
     */
    void send(ServerSlot slot, Status status, int thrown, int length, Body body) {
        int flags = thrown > 0 ? RpcHeader.THROWN : 0;
        int code = thrown > 0 ? thrown : status.code();
        long lengths = RpcHeader.second(length, controls.takeCredits(), 0);
        if (body == null) {
            send(slot, RpcHeader.first(RpcHeader.RESPONSE, flags, code, slot.callId()), lengths, length);
        } else {
            flush();
            link.send(slot.index(),
                    RpcHeader.first(RpcHeader.RESPONSE, flags | RpcHeader.RENDEZVOUS, code, slot.callId()), lengths,
                    link.describe(slot.index(), body));
        }
    }

    private void send(ServerSlot slot, long head, long lengths, int length) {
        boolean follows = open && link.hasMore();
        if (held != null) {
            if (append(slot, head, lengths, length)) {
                added = true;
                if (!follows || end > LONGEST_HELD) {
                    flush();
                }
                return;
            }
            flush();
        }
        if (!follows || length > LONGEST_HELD) {
            link.send(slot.index(), head, lengths, length);
            return;
        }
        added = true;
        held = slot;
        first = head;
        second = lengths;
        end = length;
        last = -1;
    }

    private boolean append(ServerSlot slot, long head, long lengths, int length) {
        int at = RpcHeader.follower(end);
        if (length > MOST_BYTES - RpcHeader.BYTES - at) {
            return false;
        }
        ByteBuffer memory = held.memory();
        if (last < 0) {
            first = RpcHeader.withMore(first);
        } else {
            LONG.set(memory, last, RpcHeader.withMore(lastHead));
        }
        LONG.set(memory, at, head);
        LONG.set(memory, at + HALF, lengths);
        ByteBuffer body = slot.memory();
        for (int i = 0; i < length; i += HALF) { // no slot is shorter than that
            LONG.set(memory, at + RpcHeader.BYTES + i, (long) LONG.get(body, i));
        }
        last = at;
        lastHead = head;
        end = at + RpcHeader.BYTES + length;
        return true;
    }

    /** The session ends, as it failed: sends what is held, whose calls ended before. */
    void end(Throwable cause) {
        try {
            flush();
        } catch (Throwable t) {
            cause.addSuppressed(t);
        }
    }

    /** Sends what is held. */
    void flush() {
        if (held != null) {
            ServerSlot slot = held;
            held = null;
            link.send(slot.index(), first, second, end);
        }
    }
}
