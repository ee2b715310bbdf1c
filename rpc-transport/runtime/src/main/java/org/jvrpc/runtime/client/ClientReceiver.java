package org.jvrpc.runtime.client;

import java.nio.ByteBuffer;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.session.Link;
import org.jvrpc.runtime.session.RpcHeader;
import org.jvrpc.verbs.rare.Rare;

/** What a client session does with the messages that it polls: checks them, ends calls. Under the session's lock. */
final class ClientReceiver {

    private final ClientSession session;
    private final Link link;
    private final SlotTable slots;
    private final LongAnswers longAnswers;

    ClientReceiver(ClientSession session, Link link, SlotTable slots, LongAnswers longAnswers) {
        this.session = session;
        this.link = link;
        this.slots = slots;
        this.longAnswers = longAnswers;
    }

    /** Handles the message polled last. The answer to {@code current} stays where it landed. */
    void message(ClientSlot current) {
        if (current != null) {
            link.expectSends(1); // its caller makes another call soon, perhaps
        }
        long first = link.first();
        long second = link.second();
        int given = RpcHeader.credits(second);
        if (RpcHeader.kind(first) == RpcHeader.RESPONSE) {
            if (given > 0) {
                session.giveCredits(given);
            }
            response(current, first, second);
        } else {
            control(first, given);
        }
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

    private void response(ClientSlot current, long first, long second) {
        int callId = RpcHeader.callId(first);
        int length = link.payloadLength() - RpcHeader.BYTES;
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
        if (length > link.slotBytes()) {
            session.breakOff("answer is longer than a slot: bytes=" + length);
            return;
        }
        boolean threw = (flags & RpcHeader.THROWN) != 0;
        Status status = threw ? Status.OK : Status.ofCode(RpcHeader.method(first));
        int thrown = threw ? RpcHeader.method(first) : 0;
        if (rendezvous) {
            longAnswers.begin(this, slot, status, thrown, RpcHeader.bodyLength(second));
        } else {
            arrive(current, slot, status, thrown, length);
        }
    }

    private void arrive(ClientSlot current, ClientSlot slot, Status status, int thrown, int length) {
        ByteBuffer in = link.payload();
        int at = link.payloadOffset() + RpcHeader.BYTES;
        if (slot == current && !session.hasWaiters()) {
            slot.arriveInPlace(status, thrown, in, at, length);
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
