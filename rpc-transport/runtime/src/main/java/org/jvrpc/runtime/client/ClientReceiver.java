package org.jvrpc.runtime.client;

import java.nio.ByteBuffer;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.session.Link;
import org.jvrpc.runtime.session.Parts;
import org.jvrpc.runtime.session.RpcHeader;
import org.jvrpc.verbs.rare.Rare;

/** What a client session does with the messages that it polls: checks them, ends calls. Under the session's lock. */
final class ClientReceiver {

    private final ClientSession session;
    private final Link link;
    private final SlotTable slots;
    private final LongAnswers longAnswers;
    private final Parts parts = new Parts();

    ClientReceiver(ClientSession session, Link link, SlotTable slots, LongAnswers longAnswers) {
        this.session = session;
        this.link = link;
        this.slots = slots;
        this.longAnswers = longAnswers;
    }

    /**
     * Handles the message polled last. The answer to {@code current} stays where it landed.
     *
     * @return how many answers it held; 1 for a control message
     */
    int message(ClientSlot current) {
        if (current != null) {
            link.expectSends(1); // its caller makes another call soon, perhaps
        }
        long first = link.first();
        if (RpcHeader.kind(first) == RpcHeader.RESPONSE) {
            return responses(current);
        }
        control(first, RpcHeader.credits(link.second()));
        return 1;
    }

    private void control(long first, int given) {
        switch (RpcHeader.kind(first)) {
            case RpcHeader.CREDIT -> session.giveCredits(given);
            case RpcHeader.GO_AWAY -> session.goAway();
            case RpcHeader.GROWN -> grown(RpcHeader.method(first), given);
            default -> session.breakOff("message of unknown kind=" + RpcHeader.kind(first));
        }
    }

    private void grown(int count, int given) {
        if (session.growth().granted(count)) {
            session.giveCredits(given);
        } else {
            Rare.reached("a grant of slots that nobody asked for");
            session.breakOff("grant of slots=" + count + " that nobody asked for");
        }
    }

    private int responses(ClientSlot current) {
        int bytes = link.payloadLength() - RpcHeader.BYTES;
        if (bytes > link.slotBytes()) {
            session.breakOff("answer is longer than a slot: bytes=" + bytes);
            return 1;
        }
        long head = link.first();
        if ((RpcHeader.flags(head) & RpcHeader.MORE) == 0) {
            response(current, head, link.second(), link.payload(), link.payloadOffset() + RpcHeader.BYTES, bytes);
            return 1;
        }
        parts.begin(head, link.second(), link.payload(), link.payloadOffset(), link.payloadLength());
        return several(current);
    }

    private int several(ClientSlot current) {
        for (int count = 1;; count++) {
            if (!parts.isOneOfSeveral(RpcHeader.RESPONSE)) {
                Rare.reached("an answer among others that cannot be one");
                session.breakOff("among answers in a message: " + parts.describe());
                return count;
            }
            response(current, parts.first(), parts.second(), link.payload(), parts.body(), parts.length());
            if (!parts.isFollowed() || link.failure() != null) {
                return count; // what the peer says behind what makes no sense makes none
            }
            parts.next();
        }
    }

    private void response(ClientSlot current, long first, long second, ByteBuffer in, int at, int length) {
        int given = RpcHeader.credits(second);
        if (given > 0) {
            session.giveCredits(given);
        }
        int callId = RpcHeader.callId(first);
        ClientSlot slot = slots.find(RpcHeader.slot(callId));
        if (slot == null || !slot.isCurrent(callId)) {
            Rare.reached("an answer to no call");
            session.breakOff("answer to no call: callId=" + Integer.toHexString(callId));
            return;
        }
        int flags = RpcHeader.flags(first);
        boolean rendezvous = (flags & RpcHeader.RENDEZVOUS) != 0;
        if (rendezvous ? length != RpcHeader.DESCRIPTOR_BYTES : length != RpcHeader.bodyLength(second)) {
            Rare.reached("an answer of another length than it says");
            session.breakOff("answer of length=" + length + " says bodyLength=" + RpcHeader.bodyLength(second));
            return;
        }
        int code = RpcHeader.method(first);
        Status status = (flags & RpcHeader.THROWN) != 0 ? Status.OK : Status.ofCode(code);
        int thrown = flags == 0 ? 0 : thrown(flags, code, status);
        boolean inPlace = slot == current && slot.isPending() && !session.hasWaiters();
        if (rendezvous) {
            int bytes = RpcHeader.bodyLength(second);
            if (!inPlace || !longAnswers.leave(slot, status, thrown, bytes, in, at)) {
                longAnswers.begin(this, slot, status, thrown, bytes, in, at);
            }
        } else if (inPlace) {
            slot.arriveInPlace(status, thrown, in, at, length);
        } else {
            arrive(slot, status, thrown, in, at, length);
        }
    }

    private static int thrown(int flags, int code, Status status) {
        if ((flags & RpcHeader.THROWN) != 0) {
            return code;
        }
        return (flags & RpcHeader.NOT_RUN) != 0 && status != Status.OK ? AnsweredSlot.NOT_RUN : 0;
    }

    private void arrive(ClientSlot slot, Status status, int thrown, ByteBuffer in, int at, int length) {
        if (slot.hasCallback()) {
            slot.arriveForCallback(status, thrown, in, at, length);
            session.callbacks().ended(slot);
        } else if (!slot.leaveSent(ClientSlot.ARRIVING)) {
            unawaited(slot);
        } else if (slot.future != null) {
            slot.arriveForFuture(status, thrown, in, at, length);
            session.finishFuture(slot);
        } else {
            slot.arriveElsewhere(status, thrown, in, at, length);
        }
    }

    /** An answer came to a call that does not wait for it. */
    void unawaited(ClientSlot slot) {
        if (slot.retire()) {
            slots.abandonedAnswered();
        } else {
            Rare.reached("a second answer to a call");
            session.breakOff("second answer to a call: callId=" + Integer.toHexString(slot.callId()));
        }
    }
}
