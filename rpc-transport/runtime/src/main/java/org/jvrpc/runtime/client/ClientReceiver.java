package org.jvrpc.runtime.client;

import java.nio.ByteBuffer;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.runtime.service.Trailers;
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
        int flags = RpcHeader.flags(first) & ~RpcHeader.MORE;
        if (flags != 0) {
            marked(current, slot, flags, first, second, in, at, length);
        } else if (length != RpcHeader.bodyLength(second)) {
            otherLength(second, length);
        } else {
            arrive(current, slot, Status.ofCode(RpcHeader.method(first)), 0, in, at, length, null);
        }
    }

    private void otherLength(long second, int length) {
        Rare.reached("an answer of another length than it says");
        int behind = RpcHeader.extensionLength(second);
        session.breakOff("answer of length=" + length + " says bodyLength=" + RpcHeader.bodyLength(second)
                + (behind == 0 ? "" : " extension=" + behind));
    }

    /** An answer with flags. What it says of its lengths is checked before it is used. */
    private void marked(ClientSlot current, ClientSlot slot, int flags, long first, long second, ByteBuffer in, int at,
            int length) {
        int body = RpcHeader.bodyLength(second);
        int behind = (flags & RpcHeader.TRAILERS) != 0 ? RpcHeader.extensionLength(second) : 0;
        boolean rendezvous = (flags & RpcHeader.RENDEZVOUS) != 0;
        if (rendezvous ? length != RpcHeader.DESCRIPTOR_BYTES : body < 0 || length != (long) body + behind) {
            otherLength(second, length);
            return;
        }
        int code = RpcHeader.method(first);
        Status status = (flags & RpcHeader.THROWN) != 0 ? Status.OK : Status.ofCode(code);
        int thrown = thrown(flags, code, status);
        if (rendezvous) {
            boolean inPlace = behind == 0 && slot == current && slot.isPending() && !session.hasWaiters();
            if (!inPlace || !longAnswers.leave(slot, status, thrown, body, in, at)) {
                longAnswers.begin(this, slot, status, thrown, body, behind, in, at);
            }
            return;
        }
        try {
            arrive(current, slot, status, thrown, in, at, body, behind == 0 ? null : trailers(in, at + body, behind));
        } catch (RpcException e) {
            breakOff(e);
        }
    }

    /** @param why what travels beside an answer cannot be read */
    void breakOff(RpcException why) {
        session.breakOff("what travels beside an answer makes no sense: " + why.getMessage());
    }

    static Trailers trailers(ByteBuffer in, int at, int length) {
        WireReader reader = new WireReader();
        reader.reset(in, at, length, null);
        return Trailers.read(reader);
    }

    private static int thrown(int flags, int code, Status status) {
        if ((flags & RpcHeader.THROWN) != 0) {
            return code;
        }
        return (flags & RpcHeader.NOT_RUN) != 0 && status != Status.OK ? AnsweredSlot.NOT_RUN : 0;
    }

    private void arrive(ClientSlot current, ClientSlot slot, Status status, int thrown, ByteBuffer in, int at,
            int length, Trailers trailers) {
        if (slot == current && slot.isPending() && !session.hasWaiters()) {
            slot.take(trailers, status, thrown, in, at, length);
            slot.arriveInPlace(status, thrown, in, at, length);
        } else if (slot.hasCallback()) {
            slot.take(trailers, status, thrown, in, at, length);
            slot.arriveForCallback(status, thrown, in, at, length);
            session.callbacks().ended(slot);
        } else if (!slot.leaveSent(ClientSlot.ARRIVING)) {
            unawaited(slot);
        } else if (slot.future != null) {
            slot.take(trailers, status, thrown, in, at, length);
            slot.arriveForFuture(status, thrown, in, at, length);
            session.finishFuture(slot);
        } else {
            slot.take(trailers, status, thrown, in, at, length);
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
