package org.jvrpc.runtime.server;

import org.jvrpc.api.Status;
import org.jvrpc.runtime.service.Marks;
import org.jvrpc.runtime.session.Body;
import org.jvrpc.runtime.session.Link;
import org.jvrpc.runtime.session.Packed;
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
    /** Whose memory the answers of a message that is not sent yet lie in, or null. */
    private ServerSlot held;
    private final Packed answers = new Packed();
    /** The request that is handled is followed by another one in its message. */
    private boolean followed;
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

    /** Says whether another request follows the one that is handled next, in the same message. */
    void followed(boolean more) {
        followed = more;
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
     * @param marks see {@link Marks}
     * @param length of its bytes without trailers, which lie in the slot, or in {@code body} where that is not null
     */
    void send(ServerSlot slot, Status status, long marks, int length, Body body) {
        int flags = 0;
        int trailers = 0;
        int code = status.code();
        if (marks != 0) {
            flags = Marks.flags(marks);
            trailers = Marks.trailers(marks);
            code = Marks.thrown(marks) > 0 ? Marks.thrown(marks) : code;
        }
        long lengths = RpcHeader.second(length, controls.takeCredits(), trailers);
        if (body == null && trailers > 0) {
            flush();
            link.send(slot.index(), RpcHeader.first(RpcHeader.RESPONSE, flags, code, slot.callId()), lengths,
                    length + trailers);
        } else if (body == null) {
            send(slot, RpcHeader.first(RpcHeader.RESPONSE, flags, code, slot.callId()), lengths, length);
        } else {
            flush();
            link.send(slot.index(),
                    RpcHeader.first(RpcHeader.RESPONSE, flags | RpcHeader.RENDEZVOUS, code, slot.callId()), lengths,
                    link.describe(slot.index(), body));
        }
    }

    private void send(ServerSlot slot, long head, long lengths, int length) {
        boolean follows = open && (followed || link.hasMore());
        if (held != null) {
            if (answers.append(slot.memory(), head, lengths, length)) {
                added = true;
                if (!follows || answers.isFull()) {
                    flush();
                }
                return;
            }
            flush();
        }
        if (!follows || length > Packed.LONGEST_FIRST) {
            link.send(slot.index(), head, lengths, length);
            return;
        }
        added = true;
        held = slot;
        answers.begin(slot.memory(), head, lengths, length);
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
            link.send(slot.index(), answers.first(), answers.second(), answers.length());
        }
    }
}
